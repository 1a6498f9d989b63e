from __future__ import annotations

from typing import Final

from rest_framework import serializers

from players.leaderboards.pages.serializers import ALL_LEVELS
from players.models import MAX_ID
from players.people.serializers import PlayerRefSerializer
from players.web.api import PageSerializer, ReplayRefSerializer, TextField, Values
from players.web.json_bodies import JsonBody
from players.web.links import replay_address
from players.web.statistic_names import StatisticField
from replays.models import BatchFile, Replay
from replays.upload.batches.outcome import BatchOutcome, NameFound, NewBest, Reason
from replays.upload.batches.selectors import FileLine, State, reason_of, upload_state
from replays.upload.batches.services import MOST_DELETED

#: Most hashes of one question.
MOST_HASHES: Final = 500


class UploadRowSerializer(serializers.Serializer[Replay]):
    """An upload of the account."""

    id = serializers.IntegerField()
    name = TextField(source="original_name", help_text="Of the file.")
    state = serializers.SerializerMethodField(help_text=", ".join(State))
    message = serializers.SerializerMethodField(help_text="Why it was rejected, or is not accepted; or null.")
    level = TextField()
    result = TextField()
    time = serializers.FloatField(allow_null=True, help_text="In s.")
    identifier = TextField(help_text="The name inside the replay.")
    judgement = serializers.CharField(help_text="Whether and how it counts on leaderboards.")
    uploaded_at = serializers.DateTimeField()
    html_url = serializers.SerializerMethodField(help_text="The page of the replay.")

    def get_state(self, replay: Replay) -> str:
        return upload_state(replay).value

    def get_message(self, replay: Replay) -> str | None:
        return reason_of(replay) or None

    def get_html_url(self, replay: Replay) -> str:
        return replay_address(replay.pk)


class UploadPageSerializer(PageSerializer):
    """A page of the uploads of the account, newest first."""

    rows = UploadRowSerializer(many=True)


class DeleteSerializer(JsonBody[Values]):
    """The uploads to delete."""

    replays = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_ID),
        min_length=1,
        max_length=MOST_DELETED,
        help_text="Numbers of the replays.",
    )


class DeletedSerializer(serializers.Serializer[Values]):
    """The number of deleted uploads; those of others, and those that staff decided not to accept, stay."""

    deleted = serializers.IntegerField(help_text="Number of uploads.")


class HashesSerializer(JsonBody[Values]):
    """The files that are asked about, and the batch, if any, that counts those that need not be sent."""

    sha256 = serializers.ListField(
        child=serializers.RegexField(r"^[0-9a-f]{64}$", max_length=64),
        min_length=1,
        max_length=MOST_HASHES,
        help_text="SHA-256 of each file, in lower case.",
    )
    batch = serializers.IntegerField(required=False, min_value=1, max_value=MAX_ID, help_text="Number of the batch.")


class KnownFileSerializer(serializers.Serializer[Replay]):
    """A file that is here already."""

    sha256 = serializers.CharField(help_text="SHA-256 of the file.")
    id = serializers.IntegerField(help_text="Number of its replay.")
    status = serializers.ChoiceField(choices=Replay.Status.choices, help_text="How far the analysis is.")
    html_url = serializers.SerializerMethodField(help_text="The page of the replay.")

    def get_html_url(self, replay: Replay) -> str:
        return replay_address(replay.pk)


class KnownFilesSerializer(serializers.Serializer[Values]):
    """Those of the files that are here and that the account may see; the others may be here or not."""

    known = KnownFileSerializer(many=True, help_text="The files that are here.")


class NewBestSerializer(serializers.Serializer[NewBest]):
    """A personal best, or a site record, of the batch."""

    player = PlayerRefSerializer()
    level = serializers.CharField(help_text=ALL_LEVELS)
    statistic = StatisticField(source="row.name")
    old_value = serializers.FloatField(allow_null=True, help_text="Before the batch; null for the first.")
    value = serializers.FloatField()
    rank_before = serializers.IntegerField(allow_null=True, help_text="The rank before it; null if there was none.")
    rank = serializers.IntegerField(help_text="When it came in.")
    replay = ReplayRefSerializer(source="replay_id")
    is_own = serializers.BooleanField(help_text="Of the player of the account that uploaded the batch.")


class ReasonSerializer(serializers.Serializer[Reason]):
    """A reason why files were refused or rejected, or games not accepted."""

    text = serializers.CharField(help_text="The reason as a sentence.")
    files = serializers.IntegerField(help_text="Number of files.")
    example = serializers.CharField(help_text="The name of one of them.")
    replay = ReplayRefSerializer(source="replay_id", allow_null=True, help_text="That one; null if it was not stored.")


class NameFoundSerializer(serializers.Serializer[NameFound]):
    """A name in the games of the batch."""

    name = serializers.CharField(help_text="The name inside replays.")
    games = serializers.IntegerField(help_text="Number of games under the name.")
    owner = serializers.CharField(help_text="you, somebody, bot or nobody; names of nobody may be claimed.")


class CountsSerializer(serializers.Serializer[Values]):
    """Files of a batch by what became of them."""

    waiting = serializers.IntegerField(help_text="Files that are not analysed yet.")
    done = serializers.IntegerField(help_text="Files that are analysed.")
    judged = serializers.IntegerField(help_text="Done, but not accepted, or not final.")
    rejected = serializers.IntegerField(help_text="Files that are no replays.")
    duplicate = serializers.IntegerField(help_text="Files that were here already.")
    refused = serializers.IntegerField(help_text="Not stored.")
    known = serializers.IntegerField(help_text="Not sent, since they are here already.")


class BatchSerializer(serializers.Serializer[BatchOutcome]):
    """A batch and what came of it up to now."""

    id = serializers.IntegerField(source="batch.pk")
    made_at = serializers.DateTimeField(source="batch.made_at", help_text="When the batch was started.")
    html_url = serializers.SerializerMethodField(help_text="The page of the batch.")
    settled = serializers.SerializerMethodField(help_text="Whether it has files, and none waits any more.")
    counts = CountsSerializer(help_text="Files by what became of them.")
    bests = NewBestSerializer(many=True, help_text="New personal bests.")
    more_bests = serializers.IntegerField(help_text="Bests of statistics that are not listed.")
    records = NewBestSerializer(many=True, help_text="New records of the site.")
    reasons = ReasonSerializer(many=True, help_text="Of files that are not here.")
    judged = ReasonSerializer(many=True, help_text="Of games that are here, but not accepted, or not final.")
    names = NameFoundSerializer(many=True, help_text="Names in the games.")

    def get_settled(self, outcome: BatchOutcome) -> bool:
        return outcome.is_settled and outcome.has_files

    def get_html_url(self, outcome: BatchOutcome) -> str:
        return outcome.batch.get_absolute_url()


class BatchFileSerializer(serializers.Serializer[FileLine]):
    """A file of a batch."""

    name = serializers.CharField(source="file.name", help_text="Name of the file.")
    outcome = serializers.ChoiceField(
        source="file.outcome", choices=BatchFile.Outcome.choices, help_text="What became of the file when it came."
    )
    state = serializers.CharField(help_text=", ".join([*State, "duplicate", "refused", "deleted"]))
    message = TextField(source="reason", help_text="Why it is no replay of its own, or null.")
    replay = ReplayRefSerializer(
        source="replay_id", allow_null=True, help_text="Its replay; null if the file was refused."
    )
    html_url = serializers.SerializerMethodField(help_text="The page of the replay, or null.")

    def get_html_url(self, line: FileLine) -> str | None:
        return None if line.replay_id is None else replay_address(line.replay_id)


class BatchFilePageSerializer(PageSerializer):
    """A page of the files of a batch, in the order in which they came."""

    rows = BatchFileSerializer(many=True)
