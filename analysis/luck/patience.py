"""How long something may take."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from analysis.errors import LimitExceeded


@dataclass(frozen=True, slots=True)
class Patience:
    """Begins when it is made; :meth:`check` it between pieces of work that are short."""

    seconds: float
    since: float = field(default_factory=time.monotonic)

    def check(self) -> None:
        """Raises ``LimitExceeded`` when it is over."""
        passed = time.monotonic() - self.since
        if passed > self.seconds:
            raise LimitExceeded("seconds of counting", limit=round(self.seconds), value=round(passed))
