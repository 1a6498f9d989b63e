from __future__ import annotations

from datetime import datetime

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from players.web.api import ProblemSerializer, TextField, Values
from players.web.links import address_of, replay_address
from replays.models import Replay
from replays.trust.reasons import reject_detail, reject_text
from replays.upload.intake.receipts import Outcome, Receipt
from replays.upload.processing.rejected import deletion_time


class ReceiptSerializer(serializers.Serializer[Receipt]):
    """The result of receiving one file."""

    name = serializers.CharField(help_text="Name of the file.")
    outcome = serializers.ChoiceField(
        choices=[(outcome.value, outcome.value) for outcome in Outcome],
        help_text="What became of the file when it came.",
    )
    id = serializers.IntegerField(
        source="replay_id", allow_null=True, help_text="Number of its replay; null if the file was refused."
    )
    url = serializers.SerializerMethodField(help_text="The replay in the API; null if the file was refused.")
    html_url = serializers.SerializerMethodField(help_text="The page of the replay; null if the file was refused.")
    status = TextField(help_text="Status of the replay; null if the file was refused.")
    code = TextField(help_text="Null for a new file, else the reason in a stable word.")
    message = TextField(help_text="The reason as a sentence; null for a new file.")

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_url(self, receipt: Receipt) -> str | None:
        return None if receipt.replay_id is None else address_of("api-replay", receipt.replay_id)

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_html_url(self, receipt: Receipt) -> str | None:
        return None if receipt.replay_id is None else replay_address(receipt.replay_id)


class ReceiptsSerializer(serializers.Serializer[Values]):
    """One receipt for each file, in the order of the files; an archive gives one for each member."""

    receipts = ReceiptSerializer(many=True, help_text="One receipt for each file.")


class UploadProblemSerializer(ProblemSerializer):
    """The reason why an upload was refused."""

    receipts = ReceiptSerializer(many=True, required=False, help_text="One for each file, if every file was refused.")


class UploadSerializer(serializers.Serializer[Values]):
    """One file or many, as “file” or “files”; zip archives are opened."""

    file = serializers.ListField(
        child=serializers.FileField(), required=False, help_text="Replay files or zip archives."
    )
    files = serializers.ListField(
        child=serializers.FileField(), required=False, help_text="Replay files or zip archives; the same as `file`."
    )
    batch = serializers.IntegerField(required=False, help_text="The batch in which the files are noted.")


class StatusSerializer(serializers.Serializer[Replay]):
    """The status of an upload."""

    id = serializers.IntegerField()
    name = TextField(source="original_name", help_text="Of the file.")
    status = serializers.ChoiceField(choices=Replay.Status.choices, help_text="How far the analysis is.")
    code = TextField(source="reject_code", help_text="Why it was rejected; null unless it was.")
    message = serializers.SerializerMethodField(help_text="The same as a sentence.")
    detail = serializers.SerializerMethodField(help_text="What exactly is wrong with the file; may be null.")
    params = serializers.DictField(source="reject_params", help_text="The values of both sentences.")
    url = serializers.SerializerMethodField(help_text="The replay in the API.")
    html_url = serializers.SerializerMethodField(help_text="The page of the replay.")
    keep_file = serializers.BooleanField(help_text="Whether the file is kept although the replay is rejected.")
    file_deleted_after = serializers.SerializerMethodField(help_text="When the file of a rejected replay is deleted.")
    file_deleted_at = serializers.DateTimeField(
        allow_null=True, help_text="When the file of a rejected replay was deleted; null if it is kept."
    )

    def get_message(self, replay: Replay) -> str | None:
        return reject_text(replay) or None

    def get_detail(self, replay: Replay) -> str | None:
        return reject_detail(replay) or None

    def get_file_deleted_after(self, replay: Replay) -> datetime | None:
        return deletion_time(replay)

    def get_url(self, replay: Replay) -> str:
        return address_of("api-replay", replay.pk)

    def get_html_url(self, replay: Replay) -> str:
        return replay_address(replay.pk)


class StatusesSerializer(serializers.Serializer[Values]):
    """The statuses of the requested replays that the visitor may see."""

    rows = StatusSerializer(many=True)
