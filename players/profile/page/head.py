from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.leaderboards.boards import STYLES
from players.models import ALL_STYLES, MAX_ID, Identity, Player
from players.people.countries import country_name
from players.people.selectors import player_with_names
from players.profile.charts import games as player_games
from players.profile.charts.games import Totals
from players.profile.charts.kinds.catalogue import KINDS
from players.profile.page.player_share import share_of_player
from players.profile.page.selectors import PlayerBests, count_not_owned

#: The pages of a player: the name of the address and the title.
_TABS: Final[Mapping[str, Promise]] = {
    "player": gettext_lazy("Overview"),
    "player-records": gettext_lazy("Records"),
    "player-charts": gettext_lazy("Charts"),
    "player-games": gettext_lazy("Games"),
}


@dataclass(frozen=True, slots=True)
class Tab:
    title: Promise
    address: str
    count: int | None
    is_current: bool


@dataclass(frozen=True, slots=True)
class Head:
    """The part that all pages of a player begin with: who it is, and the other pages."""

    player: Player
    names: list[Identity]
    totals: Totals
    not_owned: int

    def context(self, page: str, style: str = ALL_STYLES, bests: PlayerBests | None = None) -> dict[str, object]:
        """The context of ``_head.html`` on the page of the address ``page``; the style is kept on the way to the others.

        ``bests``: where they were read, for links to the page on other sites.
        """
        query = "" if style == ALL_STYLES else f"?style={style}"
        path = f"{reverse(page, args=[self.player.pk])}{query}"
        counts = {"player-charts": len(KINDS), "player-games": self.totals.games}
        return {
            "player": self.player,
            "country": country_name(self.player.country) if self.player.country else "",
            "names": [identity for identity in self.names if identity.name != self.player.name],
            "claimed": any(identity.state == Identity.State.CLAIMED for identity in self.names),
            "totals": self.totals,
            "not_owned": self.not_owned,
            "style": style,
            "styles": STYLES,
            "share": share_of_player(path, self.player, self.totals, bests or {}, style),
            "title": _("Player %(name)s") % {"name": self.player.shown_name},
            "tabs": [
                Tab(title, f"{reverse(name, args=[self.player.pk])}{query}", counts.get(name), name == page)
                for name, title in _TABS.items()
            ],
        }


def head_of(pk: int) -> Head:
    """Three statements; raises ``Player.DoesNotExist``."""
    pk = min(pk, MAX_ID)
    player, names = player_with_names(pk)
    return Head(player, names, player_games.totals_of(pk), count_not_owned(pk))
