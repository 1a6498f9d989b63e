from __future__ import annotations

from collections.abc import Mapping, Sequence

from rest_framework import serializers

from analysis.recording import Level
from analysis.statistics import BY_NAME, Statistic
from analysis.time_convention import value_text
from players.leaderboards.boards import STYLES, BoardKey
from players.leaderboards.pages.serializers import ALL_LEVELS, LEVELS, STYLE_NAMES
from players.leaderboards.ranked_games import Corpse
from players.leaderboards.ranks import percentile
from players.leaderboards.sub_n.selectors import SubStep
from players.models import Identity, Player
from players.people.serializers import PlayerFields
from players.profile.charts.games import Totals
from players.profile.page.board_counts import BoardCounts
from players.profile.page.records.ranks_of_bests import RanksThen, cached_board_sizes
from players.profile.page.selectors import PlayerBests
from players.web.api import ReplayRefSerializer, StatedTimeField, Values, ValueSerializer
from players.web.links import address_of, player_address
from players.web.statistic_names import StatisticField


class IdentitySerializer(serializers.Serializer[Identity]):
    """A name inside replays."""

    name = serializers.CharField(help_text="The name inside replays.")
    shown_name = serializers.CharField(help_text="For showing: hidden characters are written as ⟨U+202E⟩.")
    state = serializers.ChoiceField(
        choices=Identity.State.choices, help_text="Whether an account has claimed the name."
    )


class PlayerBestSerializer(ValueSerializer):
    """The best of a player on one board, with its rank."""

    level = serializers.CharField(help_text=ALL_LEVELS)
    statistic = StatisticField()
    style = serializers.CharField(help_text=STYLE_NAMES)  # type: ignore[assignment]  # DRF turns declarations into fields
    rank = serializers.IntegerField()
    percentile = serializers.FloatField(help_text="100 * rank / players: 5.0 is the top 5%; some minutes old.")
    rank_then = serializers.IntegerField(
        allow_null=True, help_text="The rank that it brought when it was set; null if that is not known."
    )
    achieved_at = serializers.DateTimeField()


class CorpseSerializer(ValueSerializer):
    """The best lost game of a player on one board of lost games."""

    level = serializers.CharField(help_text=LEVELS)
    statistic = StatisticField()
    time = serializers.FloatField(help_text="In s, counted from 0.")
    completion = serializers.FloatField(help_text="The share of the 3BV that was solved, 0 to 1.")
    achieved_at = serializers.DateTimeField()
    provisional = serializers.BooleanField(help_text="A place that is not final yet.")


class SubStepSerializer(serializers.Serializer[SubStep]):
    """One N of the sub ladder."""

    n = serializers.IntegerField(help_text="The N of sub-N: seconds, counted from 1.")
    games = serializers.IntegerField(help_text="Games below N seconds.")
    games_in_second = serializers.IntegerField(
        help_text="Games in the last second below N; pages skip steps with none."
    )
    first_at = serializers.DateTimeField(help_text="When the first such game was played.")
    replay = ReplayRefSerializer(source="replay_id", help_text="The first of them.")


class TotalsSerializer(serializers.Serializer[Totals]):
    """All games of a player, lost ones too."""

    games = serializers.IntegerField(help_text="Number of games.")
    won = serializers.IntegerField(help_text="Number of games won.")
    undated = serializers.IntegerField(help_text="Games whose files have no date; they count from their upload.")
    first_at = StatedTimeField(allow_null=True, help_text="When the first one was played, by its file.")
    last_at = StatedTimeField(allow_null=True, help_text="When the latest one was played, by its file.")


class BoardCountsSerializer(serializers.Serializer[BoardCounts]):
    """Single games on this site of one level and one set of rules, those that became no replay too."""

    level = serializers.ChoiceField(choices=[level.value for level in Level])
    rules = serializers.CharField(help_text="xp, win7 or no-guess.")
    begun = serializers.IntegerField(help_text="Boards on which a cell was opened; running games are not counted yet.")
    left = serializers.IntegerField(help_text="Those that ended without being won or lost.")
    lost = serializers.IntegerField(help_text="Number of games lost.")
    won = serializers.IntegerField(help_text="Number of games won.")


class PlayerDetailSerializer(PlayerFields):
    """Everything about a player."""

    url = serializers.CharField(help_text="The player in the API.")
    html_url = serializers.CharField(help_text="The page of the player.")
    country_from_files = serializers.BooleanField(
        help_text="Nobody chose the country: most of the player's files state it."
    )
    claimed = serializers.BooleanField(help_text="Belongs to an account.")
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField(help_text="When the player's name, country, kind or `claimed` last changed.")
    totals = TotalsSerializer(help_text="Counts of all games, lost ones too.")
    boards_played = BoardCountsSerializer(many=True, help_text="Games that the player's account played on this site.")
    not_owned_games = serializers.IntegerField(
        help_text="Games that others uploaded under the player's names and that do not count: they wait for the owner, "
        "or the owner disowned them."
    )
    identities = IdentitySerializer(many=True, help_text="Names in replays that belong to the player.")
    bests = PlayerBestSerializer(many=True, help_text="Personal bests, one a board.")
    best_corpses = CorpseSerializer(many=True, help_text="Lost games of the requested style.")
    sub_ladders = serializers.DictField(
        child=SubStepSerializer(many=True), help_text="By level, of the requested style."
    )


def player_values(
    player: Player,
    names: Sequence[Identity],
    bests: PlayerBests,
    ladders: dict[str, list[SubStep]],
    not_owned: int,
    totals: Totals,
    ranks_then: RanksThen,
    boards_played: Sequence[BoardCounts],
    corpses: Mapping[tuple[str, str], Corpse],
) -> Values:
    return {
        "id": player.pk,
        "name": player.name,
        "shown_name": player.shown_name,
        "country": player.country,
        "country_from_files": player.country_from_files,
        "is_bot": player.is_bot,
        "url": address_of("api-player", player.pk),
        "html_url": player_address(player.pk),
        "claimed": player.user_id is not None,
        "created_at": player.created_at,
        "updated_at": player.updated_at,
        "totals": totals,
        "boards_played": boards_played,
        "not_owned_games": not_owned,
        "identities": names,
        "bests": _best_rows(bests, ranks_then),
        "best_corpses": [_corpse_values(BY_NAME[name], corpse) for (_level, name), corpse in corpses.items()],
        "sub_ladders": ladders,
    }


def _corpse_values(row: Statistic, corpse: Corpse) -> Values:
    value = getattr(corpse, row.name)
    return {
        "level": corpse.level,
        "statistic": row.name,
        "value": value,
        "text": value_text(row, value, precision_ms=corpse.precision_ms),
        "replay": corpse.replay_id,
        "time": corpse.time,
        "completion": corpse.completion,
        "achieved_at": corpse.achieved_at,
        "provisional": corpse.is_provisional,
    }


def _best_rows(bests: PlayerBests, ranks_then: RanksThen) -> list[Values]:
    sizes = {key: size for style in STYLES for key, size in cached_board_sizes(style).items()} if bests else {}
    return [
        {
            "level": level,
            "statistic": statistic,
            "style": style,
            "rank": best.rank,
            "percentile": percentile(best.rank, max(best.rank, sizes.get(BoardKey(level, statistic, style), 0))),
            "rank_then": ranks_then.get((level, statistic, style)),
            "value": best.value,
            "text": value_text(BY_NAME[statistic], best.value, precision_ms=best.precision_ms),
            "replay": best.replay_id,
            "achieved_at": best.achieved_at,
        }
        for level, by_statistic in bests.items()
        for statistic, by_style in by_statistic.items()
        for style, best in by_style.items()
    ]
