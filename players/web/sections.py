"""The sections of the site, as the header and the bottom bar of phones show them."""

from __future__ import annotations

from typing import Final

#: The beginnings of the names of addresses; the first that fits counts.
_SECTIONS: Final = (
    ("player", "players"),
    ("needless", "players"),
    ("play", "play"),
    ("tool", "tools"),
    ("leaderboards", "boards"),
    ("board", "boards"),
    ("improvements", "boards"),
    ("record", "boards"),
    ("replay", "replays"),
    ("compare", "replays"),
    ("statistics", "statistics"),
    ("upload", "upload"),
    ("more", "more"),
)


def site_section(address_name: str) -> str:
    """Return the section to which the address of this name belongs; "" for none."""
    return next((section for beginning, section in _SECTIONS if address_name.startswith(beginning)), "")
