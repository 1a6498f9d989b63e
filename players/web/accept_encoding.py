from __future__ import annotations

import re


def takes_gzip(accepted: str) -> bool:
    """Return whether the value of an ``Accept-Encoding`` header allows gzip (RFC 9110, 12.5.3)."""
    weights: dict[str, str] = {}
    for part in accepted.lower().split(","):
        coding, _semicolon, weight = part.partition(";")
        weights[coding.strip()] = "".join(weight.split())
    weight = weights.get("gzip", weights.get("*", "q=0"))
    return not re.fullmatch(r"q=0(\.0*)?", weight)
