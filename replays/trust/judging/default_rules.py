"""The rules of judging of a site whose settings name none."""

from __future__ import annotations

from typing import Final, TypeAlias

Limit: TypeAlias = tuple[str, str, str, float]  # level, statistic, "<" or ">", bound

#: ``JUDGE_FINDINGS``: those that may accuse; the rule, and what each rests on: docs/threats.md.
FINDINGS: Final = (
    "time_differs", "bv_differs", "result_differs", "header_times_differ", "header_time_early", "stamp_level",
    "name_differs", "checksum_board", "checksum_name", "checksum_stamp", "moments_differ", "start_not_zero",
    "no_path", "trailing_bytes", "not_fair", "unlikely_board",
    "name_hidden_characters", "name_look_alike",
    "live_clock", "live_guest", "live_differs", "live_unknown",
)  # fmt: skip
#: Findings that ask for a moderator and accuse nobody: the game is provisional, and no time makes it final.
QUESTIONS: Final = frozenset({"button_jumps", "even_clicks", "quick_clicks", "straight_moves"})
#: ``JUDGE_LIMITS``.
LIMITS: Final[tuple[Limit, ...]] = (
    ("beginner", "time", "<", 0.2),
    ("beginner-9x9", "time", "<", 0.2),
    ("intermediate", "time", "<", 5.0),
    ("expert", "time", "<", 20.0),
    ("intermediate", "bvs", ">", 12.0),
    ("expert", "bvs", ">", 10.0),
)
#: ``PROVISIONAL_LIMITS``: about what the hundred best of the world reach; why these: docs/threats.md.
PROVISIONAL_LIMITS: Final[tuple[Limit, ...]] = (
    ("beginner", "time", "<", 1.0),
    ("beginner-9x9", "time", "<", 1.0),
    ("intermediate", "time", "<", 10.0),
    ("expert", "time", "<", 40.0),
    ("beginner", "bvs", ">", 8.0),
    ("beginner-9x9", "bvs", ">", 8.0),
    ("intermediate", "bvs", ">", 5.0),
    ("expert", "bvs", ">", 4.0),
    ("intermediate", "ioe", ">", 1.4),
    ("expert", "ioe", ">", 1.3),
)
