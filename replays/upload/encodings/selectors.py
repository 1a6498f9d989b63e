"""Encodings in which a replay's name can be read."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.utils.translation import gettext_lazy as _

from analysis.formats.code_pages import CODE_PAGES
from analysis.formats.text import REPLACEMENT, clean
from replays.models import Replay
from replays.models.recordings import recording_of

LABELS: Final = {
    "utf-8": _("Unicode (UTF-8)"),
    "cp1252": _("Western European (Windows-1252)"),
    "cp1250": _("Central European (Windows-1250)"),
    "cp1251": _("Cyrillic (Windows-1251)"),
    "cp1253": _("Greek (Windows-1253)"),
    "cp1254": _("Turkish (Windows-1254)"),
    "cp1255": _("Hebrew (Windows-1255)"),
    "cp1256": _("Arabic (Windows-1256)"),
    "cp1257": _("Baltic (Windows-1257)"),
    "cp1258": _("Vietnamese (Windows-1258)"),
    "cp874": _("Thai (Windows-874)"),
    "gb18030": _("Simplified Chinese (GB18030)"),
    "cp950": _("Traditional Chinese (Big5)"),
    "cp932": _("Japanese (Shift-JIS)"),
    "cp949": _("Korean (Windows-949)"),
    "latin-1": _("unknown"),
}


class Reading(NamedTuple):
    encoding: str
    name: str

    @property
    def label(self) -> str:
        return encoding_label(self.encoding)


def encoding_label(encoding: str) -> str:
    return str(LABELS.get(encoding, encoding))


def readings_of(replay: Replay) -> list[Reading]:
    """Return the name in every encoding that its bytes fit, each name once; raises what reading the file raises."""
    raw = recording_of(replay).player_bytes
    found: dict[str, Reading] = {}
    for encoding in (replay.name_encoding, *CODE_PAGES):
        try:
            name = clean(raw.decode(encoding))
        except UnicodeDecodeError:
            continue
        if name and REPLACEMENT not in name:
            found.setdefault(name, Reading(encoding, name))
    return list(found.values())
