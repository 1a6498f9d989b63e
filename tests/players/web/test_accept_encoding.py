from __future__ import annotations

import pytest

from players.web.accept_encoding import takes_gzip


@pytest.mark.parametrize(
    ("accepted", "taken"),
    [
        ("gzip", True), ("gzip, deflate, br", True), ("br;q=1.0, gzip;q=0.8, *;q=0.1", True), ("*", True), ("GZIP", True),
        ("gzip;Q=0.5", True), ("gzip, *;q=0", True),
        ("", False), ("br", False), ("gzip;q=0", False), ("gzip ; q=0.000", False), ("*;q=0", False), ("xgzip", False),
        ("gzip;Q=0", False), ("br, gzip ;\tQ=0.0", False), ("*, gzip;q=0", False),
    ],
)  # fmt: skip
def test_what_accepts_gzip(accepted: str, taken: bool) -> None:
    assert takes_gzip(accepted) is taken
