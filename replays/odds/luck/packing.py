"""Reviews and luck as bytes that are kept, without pickle: who could write them could not run code."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Final

import msgpack
import numpy as np

from analysis.deduction import Rule
from analysis.luck import Click, Luck, Sort
from analysis.review import Annotation, Kind, Review, Scores
from analysis.review.annotations import Reason

_OBJECT: Final = 1  # msgpack extension type: the name of the class, and its value or fields
_CLASSES: Final[dict[str, type]] = {
    one.__name__: one for one in (Annotation, Click, Kind, Luck, Reason, Review, Rule, Scores, Sort)
}


def packed(value: Luck | Review) -> bytes:
    data: bytes = msgpack.packb(value, default=_plain, strict_types=True)
    return data


def unpacked(data: bytes) -> Any:
    return msgpack.unpackb(data, ext_hook=_object, use_list=False, strict_map_key=False)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, np.generic):
        return value.item()
    kind = type(value)
    if _CLASSES.get(kind.__name__) is not kind:
        raise TypeError(f"{kind} is not kept")
    content = value.value if isinstance(value, Enum) else [getattr(value, field.name) for field in fields(value)]
    return msgpack.ExtType(_OBJECT, msgpack.packb([kind.__name__, content], default=_plain, strict_types=True))


def _object(code: int, data: bytes) -> Any:
    name, content = msgpack.unpackb(data, ext_hook=_object, use_list=False, strict_map_key=False)
    kind = _CLASSES[name]
    return kind(*content) if is_dataclass(kind) else kind(content)
