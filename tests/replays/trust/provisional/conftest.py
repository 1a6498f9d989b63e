from __future__ import annotations

import pytest

from replays.trust.provisional import marking


@pytest.fixture
def no_first_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marking, "_enters_the_top", lambda _entry, _last: False)
