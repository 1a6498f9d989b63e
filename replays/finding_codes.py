"""The codes of everything that an analysis may find, for settings that name some of them."""

from __future__ import annotations

from typing import Final

#: Codes of ``Finding`` in ``analysis`` and in ``replays.services.columns``; a test compares them with the sources.
FINDING_CODES: Final = frozenset({
    # --- the replayed game is not the one that the header speaks of ---
    "time_differs", "bv_differs", "bvdone_differs", "lcl_differs", "rcl_differs", "dcl_differs", "result_differs",
    "level_differs", "nf_differs", "header_times_differ", "header_time_early", "stamp_level", "name_differs",
    # --- the file is not as its program writes it ---
    "checksum_board", "checksum_name", "checksum_stamp", "point_half_outside", "file_size", "version_byte",
    "stamp_unreadable", "time_goes_back",
    # --- doubts that take nothing away from the game ---
    "unfinished", "mode_unknown", "text_not_utf8", "date", "stamp_date", "date_impossible", "date_too_early",
    "date_in_future",
})  # fmt: skip
