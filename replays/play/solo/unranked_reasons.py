from __future__ import annotations

from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

#: English sentence by code (``LiveGame.reason``, and ``reason`` of the message OVER).
SENTENCES: Final[dict[str, str]] = {
    # --- what was known before the game ---
    "guest": _("Games of visitors without an account do not rank."),
    "custom": _("Boards of one's own have no leaderboards."),
    "rules": _("Only games in which nothing but the first click is safe are on the leaderboards."),
    "touch": _("Games played by touch do not rank."),
    "left_chords": _("Games in which the left button alone opens the neighbours do not rank."),
    # --- how it went ---
    "taken_over": _("The process of the site that held the game ended; another one went on with it."),
    "clock": _("The clocks of the browser and of the site do not agree on the time of the game."),
    "given_up": _("The game was given up."),
    "disconnected": _("The connection was lost and did not come back in time."),
    "no_board": _("No board was found that needs no guess. Begin again, with another first cell or fewer mines."),
    "not_stored": _("We could not save this game."),
    # --- messages that no honest page sends ---
    "future": _("An event was sent before it happened."),
    "sequence": _("Messages of the game are missing."),
    "copy_differs": _("A message of the game was sent in two versions."),
    "format": _("A message of the game cannot be read."),
    "time": _("The time of an event is not possible."),
    "time_goes_back": _("An event is earlier than the one before it."),
    "point": _("The place of an event is not possible."),
    "kind": _("An event is of a kind that is not recorded."),
    "too_many_buttons": _("More buttons were pressed in a second than hands can press."),
    "too_many_moves": _("More moves were sent in a second than a mouse makes."),
    "too_many_events": _("The game has more events than a replay may hold."),
}
#: Refusals of requests on the socket: codes of the message ERROR.
ERRORS: Final[dict[str, str]] = {
    "no_game": _("There is no game that could go on."),
    "not_now": _("This message does not fit the state of the game."),
    "getting_ready": _("The site is starting up. Try again soon."),
    "too_many_games": _("Too many games were begun in a short time. Wait a moment."),
    "busy": _("The site is looking for too many boards that need no guess. Try again in a moment."),
}


def reason_text(code: str) -> str:
    """Return the sentence in the active language; "" for a game that ranks."""
    return gettext(SENTENCES[code]) if code in SENTENCES else code


def texts() -> dict[str, str]:
    """All sentences in the active language by code, for the page."""
    return {code: gettext(sentence) for code, sentence in {**SENTENCES, **ERRORS}.items()}
