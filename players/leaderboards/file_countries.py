"""The countries of players who chose none: those of most of their files."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.db.models import Count, Q

from players.models import Player
from players.people.services import set_file_countries
from replays.models import Replay
from replays.models.replay import HAS_COUNTRY

#: Judgements and classes of games that tell something of their player.
_UNDOUBTED: Final = (*Replay.RANKED_JUDGEMENTS, Replay.Judgement.UNVERIFIED)
_PROVING: Final = (Replay.Evidence.SEALED, Replay.Evidence.HERE)


def follow_files(player_ids: Collection[int | None]) -> None:
    """Give players without an account, whose country nobody chose, that of most of their files.

    Call it in the transaction that changed their games.
    """
    unclaimed = Player.objects.filter(user=None, is_bot=False, merged_into=None, pk__in={pk for pk in player_ids if pk})
    players = unclaimed.filter(Q(country="") | Q(country_from_files=True)).order_by("pk")
    countries = _file_countries([player.pk for player in players])
    set_file_countries(
        {player.pk: countries[player.pk] for player in players if player.country != countries[player.pk]}
    )


def _file_countries(player_ids: Collection[int]) -> dict[int, str]:
    """Return the country that more of each player's files state than any other, two letters; "" where there is none.

    Files that state none, and games that are in doubt, do not count.  One statement, which reads the index
    ``replay_countries``.
    """
    games = Replay.objects.filter(
        HAS_COUNTRY, player_id__in=player_ids, judgement__in=_UNDOUBTED, evidence__in=_PROVING
    )
    counts = games.order_by().values_list("player_id", "file_country").annotate(files=Count("id"))
    most: dict[int, tuple[int, str]] = {}
    for player_id, country, files in counts:
        before, _country = most.get(player_id, (0, ""))
        if files >= before:
            most[player_id] = files, country if files > before else ""
    return {player_id: most.get(player_id, (0, ""))[1] for player_id in player_ids}
