"""A limit on the time that counting may take."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from analysis.errors import LimitExceeded


@dataclass(frozen=True, slots=True)
class Deadline:
    """Begins when the object is made.  Call :meth:`check` between short pieces of work."""

    seconds: float
    since: float = field(default_factory=time.monotonic)

    def check(self) -> None:
        """Raises ``LimitExceeded`` after ``seconds``."""
        passed = time.monotonic() - self.since
        if passed > self.seconds:
            raise LimitExceeded("seconds of counting", limit=round(self.seconds), value=round(passed))
