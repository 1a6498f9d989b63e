"""What a live board holds."""

from __future__ import annotations

from dataclasses import dataclass

from players.frames import Frame


@dataclass(frozen=True, slots=True)
class LevelBoard:
    """The best values of one statistic on one level in one style, within ``frame``."""

    level: str
    statistic: str
    style: str
    frame: Frame

    @property
    def name(self) -> str:
        """Which rows it has, as a text: two boards of one name are the same."""
        return f"{self.level}:{self.statistic}:{self.style}:{_frame_name(self.frame)}"


@dataclass(frozen=True, slots=True)
class SubBoard:
    """How many sub-``n`` games everybody has on one level in one style, within ``frame``."""

    level: str
    n: int
    style: str
    frame: Frame

    @property
    def name(self) -> str:
        """Which rows it has, as a text: two boards of one name are the same."""
        return f"{self.level}:sub{self.n}:{self.style}:{_frame_name(self.frame)}"


def _frame_name(frame: Frame) -> str:
    """By moments and not by words: "active" means another period after two weeks."""
    moments = ("" if moment is None else f"{moment:%Y%m%d%H%M%S}" for moment in (frame.since, frame.until))
    return ":".join((*moments, frame.country, str(frame.min_bv), str(frame.best_of)))
