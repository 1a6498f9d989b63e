from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: The addresses of the data licences that DATA_LICENCE may name.
LICENCES: Final[Mapping[str, str]] = {
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/",
    "CC-BY-SA-4.0": "https://creativecommons.org/licenses/by-sa/4.0/",
}
