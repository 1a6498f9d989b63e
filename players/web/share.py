"""Open Graph tags, for sites that show a link to a page: its title, its description and a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from django.http import HttpRequest
from django.templatetags.static import static

from players.web.links import absolute_address, address_of

#: Pixels of the cards of replays (``replays.watch.pictures``), and of the picture of pages that have no game to show, which
#: ``python -m tests.pages.share_picture`` draws.
CARD_SIZE: Final = (1200, 630)


@dataclass(frozen=True, slots=True)
class Picture:
    """``address``: with the host of the site.  ``alt``: what it shows.  ``size``: None if it has another for each game."""

    address: str
    alt: str
    size: tuple[int, int] | None = CARD_SIZE


@dataclass(frozen=True, slots=True)
class Share:
    """Facts about a link to the page that a view knows better than ``base.html``.

    ``path``: the address of the page with the parameters that change what it is about and no others.  Without a
    ``description`` or ``picture`` it has those of the site.
    """

    path: str
    description: str = ""
    picture: Picture | None = None
    title: str = ""
    kind: str = "website"


def card_of(replay_id: int | None, *alt: str) -> Picture | None:
    """The card of a game that counts on boards: those have one, as ``replays.watch.pictures`` decides.  None without a game."""
    if replay_id is None:
        return None
    return Picture(absolute_address(address_of("replay-card", replay_id)), " · ".join(filter(None, alt)))


def tags_of(share: Share | None, request: HttpRequest | None) -> dict[str, object]:
    """The context of ``parts/share.html`` without title and description.

    A page with parameters of which no view told which ones matter has no ``address``: sites then take that of the link.
    """
    told = share or Share(quote(request.path) if request and not request.GET else "")
    return {
        "kind": told.kind,
        "address": absolute_address(told.path) if told.path else "",
        "picture": told.picture or Picture(absolute_address(static("app/share.png")), "Sweepbook"),
    }
