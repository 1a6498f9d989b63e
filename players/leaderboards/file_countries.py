"""The countries of players who chose none: those of most of their files."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q

from players.leaderboards.ranked_games import ranked_games
from players.models import Player
from players.people.services import set_file_countries


def follow_files(player_ids: Collection[int | None]) -> None:
    """Give players without an account, whose country nobody chose, that of most of their files.

    Call it in the transaction that changed their games.
    """
    unclaimed = Player.objects.filter(user=None, is_bot=False, merged_into=None, pk__in={pk for pk in player_ids if pk})
    players = unclaimed.filter(Q(country="") | Q(country_from_files=True)).order_by("pk")
    countries = ranked_games().file_countries([player.pk for player in players])
    set_file_countries(
        {player.pk: countries[player.pk] for player in players if player.country != countries[player.pk]}
    )
