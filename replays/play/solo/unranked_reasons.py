from __future__ import annotations

from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

#: English sentence by code (``LiveGame.reason``, and ``reason`` of the message OVER).
SENTENCES: Final[dict[str, str]] = {
    # --- what was known before the game ---
    "guest": _("Not ranked: played as a guest."),
    "custom": _("Not ranked: custom board."),
    "rules": _("Not ranked: only “First click safe” games count."),
    "touch": _("Not ranked: played with touch controls."),
    "left_chords": _("Not ranked: left-click chording is on."),
    # --- how it went ---
    "clock": _("Not ranked: your browser's clock and ours disagree about the game time."),
    "given_up": _("This game was given up."),
    "disconnected": _("The connection was lost and wasn't restored in time."),
    "interrupted": _("The server restarted during this game, so it wasn't finished."),
    "no_board": _("We couldn't find a no-guess board. Start again with a different first click or fewer mines."),
    # --- messages that no honest page sends ---
    "future": _("An event arrived before it could have happened."),
    "sequence": _("Some of this game's data never reached us."),
    "copy_differs": _("We received conflicting data for part of this game."),
    "format": _("We can't read some of this game's data."),
    "time": _("An event has an impossible time."),
    "time_goes_back": _("An event is earlier than the one before it."),
    "point": _("An event has an impossible position."),
    "kind": _("The game sent an event of a type we don't know."),
    "too_many_buttons": _("More clicks in one second than a person can make."),
    "too_many_moves": _("More mouse moves in one second than a mouse can make."),
    "too_many_events": _("This game has more events than a replay can hold."),
}
#: Refusals of requests on the socket: codes of the message ERROR.
ERRORS: Final[dict[str, str]] = {
    "no_game": _("There's no game to continue."),
    "elsewhere": _("Reconnecting to your game…"),
    "not_now": _("This action isn't possible at this point in the game."),
    "restarting": _("We're updating the site. Reconnecting…"),
    "getting_ready": _("The site is getting ready. Try again in a moment."),
    "too_many_games": _("You've started too many games at once. Wait a moment."),
}


def reason_text(code: str) -> str:
    """Return the sentence in the active language; "" for a game that ranks."""
    return gettext(SENTENCES[code]) if code in SENTENCES else code


def texts() -> dict[str, str]:
    """All sentences in the active language by code, for the page."""
    return {code: gettext(sentence) for code, sentence in {**SENTENCES, **ERRORS}.items()}
