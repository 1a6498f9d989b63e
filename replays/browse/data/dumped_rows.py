"""Kinds of rows in a dump, and the serializers of the API that write them.

A row has the properties of the same object in the API, but for those that take a statement for each row or repeat what
others say: addresses follow from ids.  (To write addresses, Django loads every page of the site, 30 MB.)  Personal bests
and their history, of which a site has ten and twenty times as many as replays, follow from the replays that are ranked.
What the API does not serve to guests is in no query here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from django.db.models import Prefetch
from rest_framework import serializers

from analysis.statistics import STATISTICS
from players.leaderboards.records.selectors import site_records
from players.leaderboards.records.serializers import RecordSerializer
from players.models import Identity, Player
from players.people.serializers import PlayerRefSerializer
from players.profile.page.serializers import PlayerDetailSerializer
from players.statistics.serializers import StatisticSerializer
from players.web.api import ReplayRefSerializer, Values
from replays.browse.lists.serializers import ReplayDetailSerializer
from replays.models import Replay
from replays.models.reactions import with_reactions
from replays.trust.judging.permissions import visible_to

#: A row as JSON has it.
Record: TypeAlias = dict[str, Any]
_CHUNK: Final = 100


class DumpedPlayerRefSerializer(PlayerRefSerializer):
    """A player in another row."""

    url = html_url = None  # type: ignore[assignment]  # leaves them out


class DumpedReplayRefSerializer(ReplayRefSerializer):
    """A replay in another row."""

    url = html_url = None  # type: ignore[assignment]  # leaves them out

    def to_representation(self, pk: int) -> Values:
        return {"id": pk}


class DumpedReplaySerializer(ReplayDetailSerializer):
    """A replay that is done, with every stored statistic."""

    player = DumpedPlayerRefSerializer(allow_null=True)
    likes = serializers.IntegerField(source="likes_count", help_text="How many accounts like it.")  # type: ignore[assignment]  # counted with the rows
    comments = serializers.IntegerField(source="comments_count", help_text="Without those that staff hid.")  # type: ignore[assignment]  # as above
    url = html_url = links = equals = seal_in_doubt = provenance = None  # type: ignore[assignment]  # leaves them out
    reject_code = reject_text = reject_detail = reject_params = None  # type: ignore[assignment]  # as above


class DumpedPlayerSerializer(PlayerDetailSerializer):
    """A player, with the names inside replays."""

    claimed = serializers.SerializerMethodField(help_text="Belongs to an account.")  # type: ignore[assignment]  # of a row
    url = html_url = totals = boards_played = not_owned_games = None  # type: ignore[assignment]  # leaves them out
    bests = best_corpses = sub_ladders = None  # type: ignore[assignment]  # as above

    def get_claimed(self, player: Player) -> bool:
        return player.user_id is not None


class DumpedRecordSerializer(RecordSerializer):
    """A record of the site as it came in."""

    player = DumpedPlayerRefSerializer()
    replay = DumpedReplayRefSerializer(source="replay_id", help_text="Of a sum: the game that completed it.")


@dataclass(frozen=True, slots=True)
class Kind:
    """``rows``: all of them, so many at a time that memory does not grow."""

    name: str
    serializer: type[serializers.Serializer[Any]]
    rows: Callable[[], Iterable[object]]

    def records(self) -> Iterator[Record]:
        write = self.serializer().to_representation
        return (dict(write(row)) for row in self.rows())


def _players() -> Iterator[Player]:
    names = Prefetch("identities", Identity.objects.order_by("id"))
    rows = Player.objects.filter(merged_into=None).prefetch_related(names).order_by("id")
    return rows.iterator(chunk_size=_CHUNK)


def _replays() -> Iterator[Replay]:
    rows = Replay.objects.filter(visible_to(None)).select_related("player").order_by("id")
    return with_reactions(rows).iterator(chunk_size=_CHUNK)


REPLAYS: Final = Kind("replays", DumpedReplaySerializer, _replays)
KINDS: Final = (
    Kind("statistics", StatisticSerializer, lambda: STATISTICS),
    Kind("players", DumpedPlayerSerializer, _players),
    REPLAYS,
    Kind("records", DumpedRecordSerializer, lambda: site_records(_CHUNK)),
)
