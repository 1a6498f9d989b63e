"""Fields of statistics are made from the registry."""

from __future__ import annotations

from typing import Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from analysis.analyse import Style
from analysis.recording import Level, Mode
from analysis.statistics import BY_NAME, STORED
from players.people.serializers import PlayerRefSerializer
from players.web.api import KnownChoiceField, PageSerializer, StatedTimeField, TextField, Values
from players.web.json_bodies import JsonBody
from players.web.links import address_of
from replays.models import Replay
from replays.models.reactions import comments_count, likes_count
from replays.play.solo.selectors import game_of_replay
from replays.play.solo.serializers import ProvenanceSerializer
from replays.trust.judging.selectors import judgement_text
from replays.trust.judging.serializers import FindingSerializer
from replays.trust.ownership.services import ANSWERS
from replays.trust.places.selectors import other_files, seal_in_doubt
from replays.trust.places.serializers import EqualFileSerializer
from replays.trust.reasons import reject_detail, reject_text


class LinksSerializer(serializers.Serializer[Values]):
    """Addresses of what belongs to a replay."""

    file = serializers.CharField(help_text="The original file.")
    rawvf = serializers.CharField(allow_null=True, help_text="The recording as RawVF; null unless the replay is done.")
    luck = serializers.CharField(allow_null=True, help_text="What its clicks risked; null unless the replay is done.")
    film = serializers.CharField(allow_null=True, help_text="It event by event; null unless the replay is done.")
    odds = serializers.CharField(allow_null=True, help_text="Its chances of mines; null unless the replay is done.")
    review = serializers.CharField(allow_null=True, help_text="Remarks about it; null unless the replay is done.")
    rzini = serializers.CharField(allow_null=True, help_text="Its random ZiNi; null unless the replay is done.")


_LINKS: Final = ("file", "rawvf", "luck", "film", "odds", "review", "rzini")


class BoardSerializer(serializers.Serializer[Values]):
    """The mines of the board."""

    rows = serializers.IntegerField(help_text="Rows of the board.")
    columns = serializers.IntegerField(help_text="Columns of the board.")
    mines = serializers.ListField(
        child=serializers.CharField(), help_text="One text a row; “*” is a mine, “.” a safe cell."
    )


class ReplayHeadSerializer(serializers.Serializer[Replay]):
    """The fields of a replay besides its statistics."""

    id = serializers.IntegerField()
    status = serializers.ChoiceField(choices=Replay.Status.choices, help_text="How far the analysis is.")
    format = TextField(help_text="Null until the file has been read.")
    software = TextField(help_text="The program that recorded the game, as it names itself.")
    identifier = TextField(help_text="The name inside the replay.")
    shown_identifier = TextField(help_text="For showing: hidden characters are written as ⟨U+202E⟩.")
    player = PlayerRefSerializer(allow_null=True)
    level = KnownChoiceField([level.value for level in Level])
    mode = KnownChoiceField([mode.value for mode in Mode])
    style = KnownChoiceField([style.value for style in Style])  # type: ignore[assignment]  # DRF turns declarations into fields
    result = KnownChoiceField(Replay.Result.values)
    win = serializers.BooleanField(allow_null=True, help_text="Whether the game was won.")
    ranked = serializers.BooleanField(help_text="Counts on leaderboards of won games, sub-N and sums.")
    corpse = serializers.BooleanField(help_text="Counts on leaderboards of lost games.")
    evidence = KnownChoiceField(Replay.Evidence.values, help_text="What stands behind the game.")
    judgement = serializers.ChoiceField(
        choices=Replay.Judgement.choices, help_text="Provisional games count, but are not in the record history."
    )
    ownership = KnownChoiceField(
        [(value, label) for value, label in Replay.Ownership.choices if value],
        help_text="What the owner of a claimed name says of a game that others uploaded; null if nobody was asked.",
    )
    played_at = StatedTimeField(
        source="stated_at",
        allow_null=True,
        help_text="What the file says; without `Z`, the player's local time in an unknown time zone.",
    )
    uploaded_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField(
        help_text="When it last changed; likes, comments and its player's name apart."
    )
    likes = serializers.IntegerField(source="likes_count", help_text="How many accounts like it.")
    comments = serializers.IntegerField(source="comments_count", help_text="Without those that staff hid.")
    achieved_at = serializers.DateTimeField(
        allow_null=True,
        help_text="The date that counts for records: played_at if somebody vouches for it, else uploaded_at.",
    )
    url = serializers.SerializerMethodField(help_text="The replay in the API.")
    html_url = serializers.CharField(source="get_absolute_url", read_only=True, help_text="The page of the replay.")
    links = serializers.SerializerMethodField(
        help_text="Addresses of what belongs to the replay; null where there is nothing yet."
    )

    def get_url(self, replay: Replay) -> str:
        return address_of("api-replay", replay.pk)

    @extend_schema_field(LinksSerializer)
    def get_links(self, replay: Replay) -> dict[str, str | None]:
        done = replay.status == Replay.Status.DONE  # else all but the file answer 404
        return {
            name: address_of(f"api-replay-{name}", replay.pk) if done or name == "file" else None for name in _LINKS
        }


@extend_schema_field(
    {
        "type": "object",
        "additionalProperties": {"type": "number", "format": "double", "nullable": True},
        "example": {"time": 38.82, "bv": 127, "is": 14, "cls": 4.92, "zne": 0.503},
    }
)
class StatisticsField(serializers.Field[Replay, None, dict[str, float | None], object]):
    """Every stored statistic under its public name and its aliases.

    A map, not an object with a property each: ``is`` and ``cls`` are words of programming languages, and generated
    clients break on such properties.
    """

    def __init__(self) -> None:
        super().__init__(source="*", read_only=True, help_text=self.HELP)

    HELP: Final = (
        "Value by name; null where a statistic is not defined. `/api/v1/statistics/` says more of each: "
        + "; ".join(f"`{row.public}` {row.described}" for row in STORED)
        + "."
    )

    def to_representation(self, replay: Replay) -> dict[str, float | None]:
        return {name: replay.statistic(column) for name, column in STATISTIC_COLUMNS.items()}


#: The columns of the names in ``statistics``.
STATISTIC_COLUMNS: Final = {name: row.name for row in STORED for name in (row.public, *row.aliases)}


class ReplaySerializer(ReplayHeadSerializer):
    """A replay in a list: its head and every stored statistic."""

    statistics = StatisticsField()


class ReplayDetailSerializer(ReplaySerializer):
    """A replay with all its data."""

    likes = serializers.SerializerMethodField(help_text="How many accounts like it.")  # type: ignore[assignment]  # counted here
    comments = serializers.SerializerMethodField(help_text="Without those that staff hid.")  # type: ignore[assignment]  # counted here
    sha256 = serializers.CharField(help_text="SHA-256 of the file.")
    size_bytes = serializers.IntegerField(help_text="Size of the file.")
    original_name = TextField(help_text="Name of the file when it was uploaded.")
    format_variant = TextField(help_text="Variant of the format.")
    name_encoding = TextField(
        help_text="The encoding in which the name inside the replay was read, by its name in Python; null where the file "
        "states it or the name is ASCII."
    )
    encoding_chosen = serializers.BooleanField(
        help_text="Whether the uploader, the name's owner or a moderator chose `name_encoding`; otherwise it is a guess."
    )
    file_country = TextField(help_text="The country that the file states, two letters; null if it states none.")
    time_precision_ms = serializers.IntegerField(
        allow_null=True, help_text="The smallest step of the recording's clock."
    )
    keep_file = serializers.BooleanField(help_text="Whether the file is kept although it was rejected.")
    analysed_at = serializers.DateTimeField(allow_null=True, help_text="When the statistics were computed.")
    statistics_version = serializers.IntegerField(
        allow_null=True, help_text="Version of the definitions that computed them."
    )
    provisional_until = serializers.DateTimeField(
        allow_null=True, help_text="When a provisional game becomes final; null while a moderator must decide."
    )
    judgement_reason = TextField(help_text="What staff wrote.")
    judgement_code = TextField(
        help_text="Why it is not accepted: “limit”, the code of a finding, or “staff” if they decided."
    )
    judgement_text = serializers.SerializerMethodField(help_text="The same as a sentence; null if it is accepted.")
    judged_at = serializers.DateTimeField(allow_null=True, help_text="When staff decided.")
    reject_code = TextField(help_text="Why the file was rejected, for programs; stable.")
    reject_text = serializers.SerializerMethodField(help_text="Why the file was rejected.")
    reject_detail = serializers.SerializerMethodField(help_text="What exactly is wrong with the file; may be null.")
    reject_params = serializers.DictField(help_text="The values of both sentences.")
    findings = FindingSerializer(many=True, help_text="What the analysis noticed.")
    equals = serializers.SerializerMethodField(help_text="Other files of the same play, up to ten.")
    seal_in_doubt = serializers.SerializerMethodField(
        help_text="A file that was here before has the same seal, so one of the two was edited."
    )
    provenance = serializers.SerializerMethodField(
        help_text="Of games that were played here: what anybody needs to draw the board again, and the clocks."
    )
    board = serializers.SerializerMethodField(help_text="The mines; null until the file is analysed.")

    def get_likes(self, replay: Replay) -> int:
        return likes_count(replay)

    def get_comments(self, replay: Replay) -> int:
        return comments_count(replay)

    def get_judgement_text(self, replay: Replay) -> str | None:
        return judgement_text(replay) or None

    def get_reject_text(self, replay: Replay) -> str | None:
        return reject_text(replay) or None

    def get_reject_detail(self, replay: Replay) -> str | None:
        return reject_detail(replay) or None

    @extend_schema_field(EqualFileSerializer(many=True))
    def get_equals(self, replay: Replay) -> list[dict[str, object]]:
        return [dict(EqualFileSerializer(file).data) for file in other_files(replay)]

    def get_seal_in_doubt(self, replay: Replay) -> bool:
        return seal_in_doubt(replay)

    @extend_schema_field(ProvenanceSerializer(allow_null=True))
    def get_provenance(self, replay: Replay) -> dict[str, object] | None:
        game = game_of_replay(replay)
        return None if game is None else ProvenanceSerializer(game).data

    @extend_schema_field(BoardSerializer(allow_null=True))
    def get_board(self, replay: Replay) -> dict[str, object] | None:
        if replay.board is None:
            return None
        mines = replay.board_object().mines
        drawn = ["".join("*" if cell else "." for cell in row) for row in mines.tolist()]
        return {"rows": replay.rows, "columns": replay.columns, "mines": drawn}


class ReplayChangesSerializer(JsonBody[Values]):
    """Changes of a replay; what is left out stays as it is."""

    keep_file = serializers.BooleanField(
        required=False, help_text="Keep the file of a rejected replay, or no longer; for its uploader and staff."
    )
    ownership = serializers.ChoiceField(
        [(answer.value, answer.label) for answer in ANSWERS], required=False,
        help_text="Whether the game is yours; for the owner of the name inside it.",
    )  # fmt: skip


class RandomZiniSerializer(serializers.Serializer[Values]):
    """Random ZiNi and its rates; all null if the board is too large, the rates null in lost games."""

    rzini = serializers.IntegerField(allow_null=True, help_text=BY_NAME["rzini"].doc)
    rzinis = serializers.FloatField(allow_null=True, help_text=BY_NAME["rzinis"].doc)
    rznt = serializers.FloatField(allow_null=True, help_text=BY_NAME["rznt"].doc)
    rzne = serializers.FloatField(allow_null=True, help_text=BY_NAME["rzne"].doc)


class ReplayPageSerializer(PageSerializer):
    """A page of the list; a cursor is null where the list ends."""

    rows = ReplaySerializer(many=True)
