"""The sentence of each code with which a file is refused or rejected.

Codes and parameters are stored; sentences are made in the active language when they are shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from analysis.statistics import BY_NAME
from players.web.clock import shown_text, shown_value
from replays.models import Replay

#: English sentence by code.  The first group has the codes and parameters of ``analysis.errors``.
SENTENCES: dict[str, str] = {
    # --- content (analysis.errors) ---
    "unknown_format": _("We can't read this file: it isn't a replay in any format we know."),
    "truncated": _("The file is incomplete."),
    "bad_field": _("The file is damaged: it contains an impossible value."),
    "limit_exceeded": _("%(name)s is %(value)s; the limit is %(limit)s."),
    # --- processing ---
    "duplicate_file": _("Your game is here already, as replay #%(replay)s. We'll remember that you sent it too."),
    "file_missing": _("Our copy of the file is missing. Upload it again to have it analysed."),
    "file_damaged": _("Our copy of the file is damaged. Upload it again to have it analysed."),
    "worker_lost": _("The analysis was started %(attempts)s times and never finished."),
    "too_slow": _("The analysis took longer than the %(limit)s seconds allowed for a file of this size."),
    "internal_error": _("The analysis failed because of a problem on our side. We've logged it."),
    # --- upload ---
    "empty": _("The file is empty."),
    "too_large": _("The file is larger than %(limit)s bytes."),
    "too_many_files": _("Too many files: you can send at most %(limit)s at once."),
    "body_too_large": _("The request is larger than %(limit)s bytes."),
    "quota_files": _("You've reached today's file limit (%(files)s)."),
    "quota_bytes": _("You can upload %(megabytes)s MB a day. This file is larger than what's left today."),
    "quota_address": _("Your network has reached the limit of %(address_megabytes)s MB an hour."),
    "quota_site": _("The site has reached its limit of %(site_megabytes)s MB an hour. Try again later."),
    "storage_full": _("The site is out of storage right now. Try again later."),
    "store_away": _("We can't reach the replay files right now. Try again in a minute."),
    "not_recognised": _("This isn't a replay in any format we know."),
    "system_files": _("We skipped files made by your operating system: %(count)s (%(names)s)."),
    "no_file": _("No file was sent. Send one or more as “file” or “files”."),
    "bad_request": _("We can't read this request."),
    "bad_moment": _("Pass either “event” or “time_ms”, as a whole number."),
    "other_archive": _("The only archives we open are zip files."),
    "archive": _("This is a zip archive, not a replay."),
    "unreadable": _("We can't read the file: %(reason)s."),
    "link_not_followed": _("This link is broken or leads outside the folder."),
    # --- archives ---
    "broken_archive": _("This file isn't a zip archive, or it is damaged."),
    "archive_empty": _("The zip archive is empty."),
    "archive_too_many": _("The zip archive has more than %(limit)s files."),
    "archive_too_large": _(
        "The zip archive unpacks to more than %(limit)s bytes; we skipped this file and every file after it."
    ),
    "nested_archive": _("We don't open archives inside archives."),
    "encrypted": _("This file in the archive is encrypted."),
    "link": _("This entry in the archive is a link, not a file."),
    "special_file": _("This entry in the archive is a device or another special file."),
    "compression_method": _("We can't read this kind of zip compression. Use Deflate or no compression."),
    "compression_ratio": _("The file unpacks to more than %(limit)s times its packed size."),
    "set": _("This is a set of replays, not one replay."),
    "broken_set": _("The set of replays (EVFS) is damaged."),
    "set_too_many": _("The set (EVFS) has too many replays: at most %(limit)s files are allowed at once."),
    "damaged_member": _("This file in the archive is damaged."),
}

#: What exactly is wrong with a file, for who knows its format; English sentence by code.
DETAILS: dict[str, str] = {
    "truncated": _("The file ends too early: %(what)s needs %(wanted)s bytes at offset %(offset)s."),
    "bad_field": _("Bad value for %(name)s at offset %(offset)s: %(value)s."),
}

#: The sentence of a value that breaks a limit (``JUDGE_LIMITS``), by the sign of the limit.
LIMIT_SENTENCES: dict[str, str] = {
    "<": _("%(statistic)s is %(value)s, below the %(bound)s we consider possible on this level."),
    ">": _("%(statistic)s is %(value)s, above the %(bound)s we consider possible on this level."),
}


#: The sentences of provisional games, by code (``replays.trust.provisional.marking``).
PROVISIONAL_SENTENCES: dict[str, str] = {
    "world_class": _(
        "%(statistic)s is %(value)s. Few players in the world have beaten %(bound)s, so a moderator will check this game."
    ),
    "top": _("This game is among the top %(places)s on the %(statistic)s leaderboard."),
    "leap": _("This game beats the player's best %(statistic)s (%(old)s) by more than %(percent)s%%."),
}
#: Why a file does not count for the sake of another one, by code (``replays.trust.places``).
PLACE_SENTENCES: dict[str, str] = {
    "same_game": _("Same game as replay #%(replay)s. One of its files counts, and it's that one."),
    "waits": _("Same game as replay #%(replay)s, which came first and holds the place until a moderator decides."),
    "contested": _("Somebody else sent this game as replay #%(replay)s. Neither counts until a moderator decides."),
}
OPEN_SENTENCE: str = _("The file alone proves nothing, because anyone can edit a file like this.")


class LimitParams(TypedDict):
    statistic: str
    sign: str
    bound: float
    value: float


def limit_sentence(params: LimitParams) -> str:
    """Say why a limit (``replays.trust.judging.rules``) makes a game suspicious; active language, reader's clock."""
    row = BY_NAME[params["statistic"]]
    value = shown_text(row, params["value"])
    bound = shown_value(row, params["bound"])
    unit = f" {gettext(row.shown_unit)}" if row.shown_unit else ""
    shown = {"statistic": gettext(row.label), "value": f"{value}{unit}", "bound": f"{bound:g}{unit}"}
    template = LIMIT_SENTENCES[params["sign"]]
    return gettext(template) % shown


def provisional_sentence(code: str, params: Mapping[str, object]) -> str:
    """Return text in the active language, on the reader's clock."""
    row = BY_NAME[str(params["statistic"])]
    shown: dict[str, object] = {**params, "statistic": gettext(row.label)}
    for name in shown.keys() & {"old", "value", "bound"}:
        shown[name] = shown_text(row, float(str(params[name])))
    return gettext(PROVISIONAL_SENTENCES[code]) % shown


def sentence(code: str, params: Mapping[str, object] | None = None) -> str:
    """Return the sentence of ``code`` in the active language; if there is none, the error's own ``params["message"]``."""
    params = params or {}
    if code in SENTENCES:
        return gettext(SENTENCES[code]) % params
    return gettext(str(params["message"]))


def reject_detail(replay: Replay) -> str:
    """Specify what is wrong with a rejected replay's file, in the active language; "" if :func:`reject_text` does."""
    params: Mapping[str, object] = replay.reject_params
    return gettext(DETAILS[replay.reject_code]) % params if replay.reject_code in DETAILS else ""


def reject_text(replay: Replay) -> str:
    """Say why the replay was rejected, in the active language; "" if it was not."""
    return sentence(replay.reject_code, replay.reject_params) if replay.reject_code else ""
