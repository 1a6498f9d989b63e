"""The sentence of each code with which a file is refused or rejected.

Codes and parameters are stored; sentences are made in the active language when they are shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from analysis.statistics import BY_NAME
from analysis.time_convention import on_clock_from_one, value_text
from replays.models import GameLink, Replay

#: English sentence by code.  The first group has the codes and parameters of ``analysis.errors``.
SENTENCES: dict[str, str] = {
    # --- content (analysis.errors) ---
    "unknown_format": _("We can't read this file: it isn't a replay in any format we know."),
    "truncated": _("The file is cut off."),
    "bad_field": _("The file is damaged: one of its values is not possible."),
    "limit_exceeded": _("%(name)s is %(value)s; the limit is %(limit)s."),
    # --- processing ---
    "duplicate_game": _("This game is already here as replay #%(replay)s, in another file."),
    "duplicate_file": _("This file is already here as replay #%(replay)s."),
    "file_missing": _("The stored file is missing. Upload it again to have it analysed."),
    "file_damaged": _("The stored file is damaged. Upload it again to have it analysed."),
    "worker_lost": _("The analysis was started %(attempts)s times and never came to an end."),
    "too_slow": _("Its analysis took longer than the %(limit)s seconds that a file of this size may take."),
    "internal_error": _("The analysis failed because of a fault of this site. It has been logged."),
    # --- upload ---
    "empty": _("The file is empty."),
    "too_large": _("The file is larger than %(limit)s bytes."),
    "too_many_files": _("Too many files: at most %(limit)s may be sent at once."),
    "body_too_large": _("The request is larger than %(limit)s bytes."),
    "quota_files": _("An account may send %(files)s files in a day, and these are used up."),
    "quota_bytes": _("An account may store %(megabytes)s MB in a day, and the rest is too small for this file."),
    "quota_address": _("From one address %(address_megabytes)s MB may be stored in an hour, and these are used up."),
    "quota_site": _("The site stores %(site_megabytes)s MB in an hour, and these are used up. Try again later."),
    "storage_full": _("The site has no room for uploads at the moment."),
    "not_recognised": _("No format of replays recognises this file."),
    "no_file": _("No file was sent. Send one or more as “file” or “files”."),
    "bad_request": _("The request cannot be read."),
    "bad_moment": _("Give a moment: either “event” or “time_ms”, a whole number."),
    "other_archive": _("Of archives only zip is opened."),
    "archive": _("A zip archive is not a replay."),
    "unreadable": _("The file cannot be read: %(reason)s."),
    "link_not_followed": _("This link leads out of the folder or nowhere."),
    # --- archives ---
    "broken_archive": _("The zip archive is damaged or not a zip archive."),
    "archive_empty": _("The zip archive holds no files."),
    "archive_too_many": _("The zip archive holds more than %(limit)s files."),
    "archive_too_large": _("The zip archive unpacks to more than %(limit)s bytes; this and later files were left out."),
    "nested_archive": _("Archives inside archives are not opened."),
    "encrypted": _("The file in the archive is encrypted."),
    "link": _("The archive holds a link here, not a file."),
    "special_file": _("The archive holds a device or another special file here."),
    "compression_method": _("The file is packed in a way that is not read here; only stored and deflated files are."),
    "compression_ratio": _("The file unpacks to more than %(limit)s times its packed size."),
    "set": _("A set of replays is not a replay."),
    "broken_set": _("The set of replays (EVFS) is damaged."),
    "set_too_many": _("The set (EVFS) holds more replays than fit: %(limit)s files at most may come at once."),
    "damaged_member": _("The file in the archive is damaged."),
}

#: What exactly is wrong with a file, for who knows its format; English sentence by code.
DETAILS: dict[str, str] = {
    "truncated": _("%(what)s needs %(wanted)s bytes at offset %(offset)s."),
    "bad_field": _("%(name)s at %(offset)s: %(value)s."),
}

#: The sentence of a value that breaks a limit (``JUDGE_LIMITS``), by the sign of the limit.
LIMIT_SENTENCES: dict[str, str] = {
    "<": _("%(statistic)s is %(value)s; less than %(bound)s is held to be impossible on this level."),
    ">": _("%(statistic)s is %(value)s; more than %(bound)s is held to be impossible on this level."),
}


#: The sentences of provisional games, by code (``replays.trust.provisional.marking``).
PROVISIONAL_SENTENCES: dict[str, str] = {
    "world_class": _(
        "%(statistic)s is %(value)s. Few players in the world beat %(bound)s, so a moderator will check it first."
    ),
    "top": _("The game enters the first %(places)s places of the board of %(statistic)s."),
    "leap": _("The game beats the player's best %(statistic)s, which was %(old)s, by more than %(percent)s %%."),
}
#: What a file shares with another one, by the kind of the link (``replays.trust.equals``).
LINK_SENTENCES: dict[str, str] = {
    GameLink.Kind.SAME_GAME: _("Same game as replay #%(replay)s."),
    GameLink.Kind.SAME_CLICKS: _("Same clicks as replay #%(replay)s."),
    GameLink.Kind.SEAL_REUSED: _("Same seal as replay #%(replay)s."),
    GameLink.Kind.SAME_BOARD: _("Same board as replay #%(replay)s."),
    GameLink.Kind.SIMILAR_CLICKS: _("Nearly the same clicks as replay #%(replay)s."),
}
#: What that means for the file, by its judgement.
LINKED_SENTENCES: dict[str, str] = {
    "disputed": _("Different accounts uploaded the two files. Neither counts until a moderator decides."),
    "linked": _("Only one of the two files can count, and it isn't this one."),
}
OPEN_SENTENCE: str = _("The file alone proves nothing, since anybody can change such a file.")


class LimitParams(TypedDict):
    statistic: str
    sign: str
    bound: float
    value: float


def limit_sentence(params: LimitParams, *, from_one: bool = False) -> str:
    """Say why a limit (``replays.trust.judging.rules``) makes a game suspicious; active language, reader's clock."""
    row = BY_NAME.get(params["statistic"])  # None: no longer in the registry
    label = params["statistic"] if row is None else gettext(row.label)
    value = str(params["value"]) if row is None else value_text(row, params["value"], from_one=from_one)
    bound = on_clock_from_one(row, params["bound"]) if row is not None and from_one else params["bound"]
    unit = f" {gettext(row.shown_unit)}" if row is not None and row.shown_unit else ""
    shown = {"statistic": label, "value": f"{value}{unit}", "bound": f"{bound:g}{unit}"}
    template = LIMIT_SENTENCES[params["sign"]]
    return gettext(template) % shown


def provisional_sentence(code: str, params: Mapping[str, object], *, from_one: bool = False) -> str:
    """Return text in the active language, on the reader's clock."""
    row = BY_NAME[str(params["statistic"])]
    shown: dict[str, object] = {**params, "statistic": gettext(row.label)}
    for name in shown.keys() & {"old", "value", "bound"}:
        shown[name] = value_text(row, float(str(params[name])), from_one=from_one)
    return gettext(PROVISIONAL_SENTENCES[code]) % shown


def link_sentence(kind: str, other: object, judgement: str = "") -> str:
    """Return what a file shares with the replay ``other``, and what that means for it, in the active language."""
    text = gettext(LINK_SENTENCES[kind]) % {"replay": other}
    return f"{text} {gettext(LINKED_SENTENCES[judgement])}" if judgement else text


def sentence(code: str, params: Mapping[str, object] | None = None) -> str:
    """The sentence of ``code`` in the active language, with ``params`` filled in.

    If there is no sentence, or the parameters do not fit, the English ``params["message"]`` of the error is returned, or
    else the code.
    """
    params = params or {}
    known = SENTENCES.get(code)
    if known is not None:
        try:
            return gettext(known) % params
        except KeyError:  # stored by an older version with other parameters
            pass
    message = params.get("message")
    return gettext(str(message)) if message else code


def reject_detail(replay: Replay) -> str:
    """Specify what is wrong with a rejected replay's file, in the active language; "" if :func:`reject_text` does."""
    known = DETAILS.get(replay.reject_code)
    if known is None:
        return ""
    try:
        params: Mapping[str, object] = replay.reject_params
        return gettext(known) % params
    except KeyError:  # stored by an older version with other parameters
        return str(replay.reject_params.get("message", ""))


def reject_text(replay: Replay) -> str:
    """Say why the replay was rejected, in the active language; "" if it was not."""
    return sentence(replay.reject_code, replay.reject_params) if replay.reject_code else ""
