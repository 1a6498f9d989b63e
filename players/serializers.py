"""Players, boards and records as JSON.  Values are exact; ``text`` is what a page would show."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext
from rest_framework import serializers

from analysis.statistics import BY_NAME, Statistic
from players.boards import COMBINED, COMBINED_LEVELS, LEVEL_LABELS, STYLES, BoardKey
from players.keyset import Page
from players.models import Identity, Player, RecordEvent
from players.selectors import (
    BoardPage,
    BoardRow,
    BvBest,
    HistoryRow,
    OpenBoard,
    PlayerBests,
    PlayerRow,
    SubStep,
    percentile,
)
from players.time_convention import value_text

# Texts, not enumerations: the schema would need a name for each of the sets that other lists use in part.
_LEVELS = ", ".join(level.value for level in LEVEL_LABELS)
_ALL_LEVELS = f"{_LEVELS}, {COMBINED}"
_STYLES = ", ".join(STYLES)


class BoardProblemSerializer(serializers.Serializer[Any]):
    """Why a request was turned down: a stable word, and a sentence."""

    code = serializers.CharField()
    message = serializers.CharField()


class PlayerRefSerializer(serializers.Serializer[Player]):
    """A player in another object."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    country = serializers.CharField(help_text="Two letters, or empty.")
    is_bot = serializers.BooleanField()
    url = serializers.SerializerMethodField()

    def get_url(self, player: Player) -> str:
        return reverse("api-player", args=[player.pk])


class ValueSerializer(serializers.Serializer[Any]):
    """A result that one replay achieved."""

    value = serializers.FloatField(help_text="Exact.")
    text = serializers.CharField(help_text="Rounded half up, as pages show it; times count from 0.")
    replay = serializers.IntegerField(allow_null=True, help_text="Number of the replay; null for sums.")


# --- boards -----------------------------------------------------------------------------------------------------------


class BoardIndexRowSerializer(serializers.Serializer[Any]):
    """One level and statistic that is ranked, in every style."""

    level = serializers.CharField(help_text=_ALL_LEVELS)
    statistic = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # DRF turns declarations into fields
    group = serializers.CharField()
    unit = serializers.CharField()
    better = serializers.ChoiceField(choices=[("low", "low"), ("high", "high")])
    styles = serializers.ListField(child=serializers.CharField(help_text=_STYLES))
    url = serializers.CharField()


class BoardIndexSerializer(serializers.Serializer[Any]):
    """Every board on offer."""

    rows = BoardIndexRowSerializer(many=True)


class BoardRowSerializer(serializers.Serializer[Any]):
    """A place on a board.  Equal values share a rank."""

    rank = serializers.IntegerField()
    player = PlayerRefSerializer()
    value = serializers.FloatField()
    text = serializers.CharField()
    replay = serializers.IntegerField(allow_null=True, help_text="Null on combined boards: see the parts.")
    achieved_at = serializers.DateTimeField()
    parts = serializers.DictField(child=ValueSerializer(), required=False, help_text="By level; combined boards only.")


class BoardPageSerializer(serializers.Serializer[Any]):
    """A page of a board; a cursor is null where the board ends."""

    level = serializers.CharField(help_text=_ALL_LEVELS)
    statistic = serializers.CharField(help_text="Of sub-N boards: sub and N.")
    style = serializers.CharField(help_text=_STYLES)  # type: ignore[assignment]  # DRF turns declarations into fields
    rows = BoardRowSerializer(many=True)
    own_row = BoardRowSerializer(allow_null=True, help_text="The place of the account that asks.")
    next_cursor = serializers.CharField(allow_null=True)
    previous_cursor = serializers.CharField(allow_null=True)


class PlacedRowSerializer(BoardRowSerializer):
    """A place on a board, and what share of the board ends there."""

    percentile = serializers.FloatField(help_text="100 * rank / players: 5.0 is the top 5 %.")


class JumpSerializer(serializers.Serializer[Any]):
    """The place that was asked for.  Beyond the last place a rank is one more than there are players."""

    player = PlayerRefSerializer(allow_null=True)
    value = serializers.FloatField(allow_null=True)
    rank = serializers.IntegerField(allow_null=True, help_text="Null for a player who has no place here.")
    percentile = serializers.FloatField(allow_null=True)


class OpenBoardSerializer(BoardPageSerializer):
    """A page of a board that knows its size."""

    rows = PlacedRowSerializer(many=True)
    own_row = PlacedRowSerializer(allow_null=True, help_text="The place of the account that asks.")
    players = serializers.IntegerField(help_text="How many players the whole board has.")
    jump = JumpSerializer(allow_null=True, help_text="Null unless player or value was given.")


def board_index_row(key: BoardKey) -> dict[str, Any]:
    """``key`` as BoardIndexRowSerializer tells it, for all styles."""
    combined = key.level == COMBINED
    arguments = [key.statistic] if combined else [key.level, key.statistic]
    row = key.row
    return {
        "level": key.level,
        "statistic": key.statistic,
        "label": gettext(row.label),
        "group": gettext(row.group),
        "unit": gettext(row.unit) if row.unit else "",
        "better": row.better.value,
        "styles": STYLES,
        "url": reverse("api-board-combined" if combined else "api-board", args=arguments),
    }


def board_page(page: BoardPage) -> dict[str, Any]:
    """``page`` as BoardPageSerializer tells it."""
    statistic = BY_NAME.get(page.key.statistic)  # None on boards that count games
    return {
        "level": page.key.level,
        "statistic": page.key.statistic,
        "style": page.key.style,
        "rows": [_board_row(row, statistic) for row in page.rows],
        "own_row": None if page.own_row is None else _board_row(page.own_row, statistic),
        "next_cursor": page.next_cursor,
        "previous_cursor": page.previous_cursor,
    }


def open_board(opened: OpenBoard) -> dict[str, Any]:
    """``opened`` as OpenBoardSerializer tells it."""
    told, jump = board_page(opened.page), opened.jump
    for row in (*told["rows"], *([told["own_row"]] if told["own_row"] else [])):
        row["percentile"] = percentile(row["rank"], opened.players)
    told["players"] = opened.players
    told["jump"] = jump and {
        "player": jump.player,
        "value": jump.value,
        "rank": jump.rank,
        "percentile": None if jump.rank is None else percentile(jump.rank, opened.players),
    }
    return told


def _board_row(row: BoardRow, statistic: Statistic | None) -> dict[str, Any]:
    told = {
        "rank": row.rank,
        "player": row.player,
        "value": row.value,
        "text": str(row.games) if statistic is None else _text(row, statistic),
        "replay": row.replay_id,
        "achieved_at": row.achieved_at,
    }
    if row.parts and statistic is not None:
        told["parts"] = {
            level: {"value": value, "text": value_text(statistic, value, precision_ms=precision), "replay": replay}
            for level, (value, replay, precision) in row.parts.items()
        }
    return told


def _text(row: BoardRow, statistic: Statistic) -> str:
    games = len(COMBINED_LEVELS) if row.parts else 1
    return value_text(statistic, row.value, precision_ms=row.precision_ms, games=games)


class StepSerializer(serializers.Serializer[Any]):
    """A result that beat all before it."""

    player = PlayerRefSerializer()
    value = serializers.FloatField(help_text="Exact.")
    text = serializers.CharField(help_text="Rounded half up, as pages show it; times count from 0.")
    old_value = serializers.FloatField(allow_null=True, help_text="What it beat; null for the first.")
    gain = serializers.FloatField(allow_null=True, help_text="By how much it was better; null for the first.")
    replay = serializers.IntegerField(help_text="Number of the replay.")
    achieved_at = serializers.DateTimeField()


class HistoryPageSerializer(serializers.Serializer[Any]):
    """A page of the history of a board, newest first."""

    level = serializers.CharField(help_text=_LEVELS)
    statistic = serializers.CharField()
    style = serializers.CharField(help_text=_STYLES)  # type: ignore[assignment]  # DRF turns declarations into fields
    rows = StepSerializer(many=True)
    next_cursor = serializers.CharField(allow_null=True)
    previous_cursor = serializers.CharField(allow_null=True)


def history_page(key: BoardKey, page: Page[HistoryRow]) -> dict[str, Any]:
    """``page`` as HistoryPageSerializer tells it."""
    return {
        "level": key.level,
        "statistic": key.statistic,
        "style": key.style,
        "rows": [
            {
                "player": row.player,
                "value": row.step.value,
                "text": value_text(key.row, row.step.value, precision_ms=row.step.precision_ms),
                "old_value": row.step.old_value,
                "gain": row.step.gain,
                "replay": row.step.replay_id,
                "achieved_at": row.step.achieved_at,
            }
            for row in page.rows
        ],
        "next_cursor": page.next_cursor,
        "previous_cursor": page.previous_cursor,
    }


# --- players ----------------------------------------------------------------------------------------------------------


class PlayerListRowSerializer(serializers.Serializer[PlayerRow]):
    """A player in the list, with the best time of each level."""

    player = PlayerRefSerializer()
    times = serializers.DictField(child=ValueSerializer(), help_text="Best times of all styles by level.")


class PlayerPageSerializer(serializers.Serializer[Any]):
    """A page of the list of players."""

    rows = PlayerListRowSerializer(many=True)
    next_cursor = serializers.CharField(allow_null=True)
    previous_cursor = serializers.CharField(allow_null=True)


class IdentitySerializer(serializers.Serializer[Identity]):
    """A name inside replays."""

    name = serializers.CharField()
    state = serializers.ChoiceField(choices=Identity.State.choices)


class PlayerBestSerializer(ValueSerializer):
    """The best of a player on one board, and the place that it takes."""

    level = serializers.CharField(help_text=_ALL_LEVELS)
    statistic = serializers.CharField()
    style = serializers.CharField(help_text=_STYLES)  # type: ignore[assignment]  # DRF turns declarations into fields
    rank = serializers.IntegerField()
    achieved_at = serializers.DateTimeField()


class SubStepSerializer(serializers.Serializer[SubStep]):
    """One step of the sub ladder."""

    n = serializers.IntegerField()
    games = serializers.IntegerField(help_text="Games below N seconds.")
    games_in_second = serializers.IntegerField(
        help_text="Games in the last second below N; pages skip steps with none."
    )
    first_at = serializers.DateTimeField()
    replay = serializers.IntegerField(source="replay_id", help_text="The first of them.")


class PlayerDetailSerializer(PlayerRefSerializer):
    """Everything about a player."""

    url = serializers.CharField()  # type: ignore[assignment]  # a text here, a method in the short form
    claimed = serializers.BooleanField(help_text="Belongs to an account.")
    created_at = serializers.DateTimeField()
    identities = IdentitySerializer(many=True)
    bests = PlayerBestSerializer(many=True)
    sub_ladders = serializers.DictField(
        child=SubStepSerializer(many=True), help_text="By level, of the style asked for."
    )


class BvBestSerializer(ValueSerializer):
    """The best of a player for one 3BV."""

    bv = serializers.IntegerField(help_text="The 3BV.")
    games = serializers.IntegerField(help_text="Ranked games of this 3BV.")
    achieved_at = serializers.DateTimeField()


class By3bvSerializer(serializers.Serializer[Any]):
    """A player's best value of one statistic for each 3BV."""

    player = PlayerRefSerializer()
    level = serializers.CharField(help_text=_LEVELS)
    statistic = serializers.CharField()
    style = serializers.CharField(help_text=_STYLES)  # type: ignore[assignment]  # DRF turns declarations into fields
    rows = BvBestSerializer(many=True)


def by_3bv(player: Player, key: BoardKey, bests: list[BvBest]) -> dict[str, Any]:
    """What By3bvSerializer tells."""
    rows = [
        {
            "bv": best.bv,
            "games": best.games,
            "value": best.value,
            "text": value_text(key.row, best.value, precision_ms=best.precision_ms),
            "replay": best.replay_id,
            "achieved_at": best.achieved_at,
        }
        for best in bests
    ]
    return {"player": player, "level": key.level, "statistic": key.statistic, "style": key.style, "rows": rows}


def player_list_row(row: PlayerRow) -> dict[str, Any]:
    """``row`` as PlayerListRowSerializer tells it."""
    time = BY_NAME["time"]
    times = {
        level: {
            "value": best.value,
            "text": value_text(time, best.value, precision_ms=best.precision_ms),
            "replay": best.replay_id,
        }
        for level, best in row.times.items()
    }
    return {"player": row.player, "times": times}


def player_detail(player: Player, bests: PlayerBests, ladders: dict[str, list[SubStep]]) -> dict[str, Any]:
    """What PlayerDetailSerializer tells."""
    return {
        "id": player.pk,
        "name": player.name,
        "country": player.country,
        "is_bot": player.is_bot,
        "url": reverse("api-player", args=[player.pk]),
        "claimed": player.user_id is not None,
        "created_at": player.created_at,
        "identities": player.identities.all(),
        "bests": _best_rows(bests),
        "sub_ladders": ladders,
    }


def _best_rows(bests: PlayerBests) -> list[dict[str, Any]]:
    return [
        {
            "level": level,
            "statistic": statistic,
            "style": style,
            "rank": best.rank,
            "value": best.value,
            "text": value_text(BY_NAME[statistic], best.value, precision_ms=best.precision_ms),
            "replay": best.replay_id,
            "achieved_at": best.achieved_at,
        }
        for level, by_statistic in bests.items()
        for statistic, by_style in by_statistic.items()
        for style, best in by_style.items()
    ]


# --- records and the registry -----------------------------------------------------------------------------------------


class RecordSerializer(serializers.Serializer[RecordEvent]):
    """A personal best or site record as it came in."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=RecordEvent.Kind.choices)
    player = PlayerRefSerializer()
    statistic = serializers.CharField()
    level = serializers.CharField(help_text=_LEVELS)
    style = serializers.CharField(help_text=_STYLES)  # type: ignore[assignment]  # DRF turns declarations into fields
    old_value = serializers.FloatField(allow_null=True, help_text="Null for the first.")
    new_value = serializers.FloatField()
    text = serializers.SerializerMethodField()
    replay = serializers.IntegerField(source="replay_id")
    happened_at = serializers.DateTimeField()

    def get_text(self, event: Any) -> str:
        return value_text(BY_NAME[event.statistic], event.new_value, precision_ms=event.precision_ms)


class RecordPageSerializer(serializers.Serializer[Any]):
    """A page of the record history, newest first."""

    rows = RecordSerializer(many=True)
    next_cursor = serializers.CharField(allow_null=True)
    previous_cursor = serializers.CharField(allow_null=True)


class StatisticSerializer(serializers.Serializer[Statistic]):
    """One row of the registry."""

    name = serializers.CharField()
    label = serializers.SerializerMethodField()  # type: ignore[assignment]  # DRF turns declarations into fields
    group = serializers.SerializerMethodField()
    unit = serializers.CharField()
    kind = serializers.ChoiceField(choices=[("base", "base"), ("derived", "derived")])
    better = serializers.ChoiceField(choices=[("low", "low"), ("high", "high"), ("none", "none")])
    levels = serializers.ListField(child=serializers.CharField())
    formula = serializers.CharField(help_text="Python with the names of other statistics; empty for counted ones.")
    needs = serializers.ListField(child=serializers.CharField())
    undefined = serializers.SerializerMethodField(help_text="When the value is null.")
    doc = serializers.SerializerMethodField()
    source = serializers.CharField()  # type: ignore[assignment]  # DRF turns declarations into fields
    integer = serializers.BooleanField()
    decimals = serializers.IntegerField(help_text="Digits shown, rounded half up.")
    stored = serializers.BooleanField()
    ranked = serializers.BooleanField()

    def get_label(self, row: Statistic) -> str:
        return gettext(row.label)

    def get_group(self, row: Statistic) -> str:
        return gettext(row.group)

    def get_undefined(self, row: Statistic) -> str:
        return gettext(row.undefined) if row.undefined else ""

    def get_doc(self, row: Statistic) -> str:
        return gettext(row.doc)


class StatisticsSerializer(serializers.Serializer[Any]):
    """The registry, and the version of its definitions."""

    version = serializers.IntegerField()
    rows = StatisticSerializer(many=True)
