"""Query parameters, with one parser each for pages and API.

A :class:`Parameter` parses its text and has its OpenAPI description.  A page reads its parameters by :func:`form_of`, a
view of the API has them as its ``query`` (``players.web.api.PublicView``); both call the same parser.

The rule is the same everywhere.  An empty parameter is a missing one; blanks around a value do not count; choices may be
written in either case.  What cannot be read, lies outside of its range, is none of the choices or is given twice is
refused: the API answers 400 with the code ``bad_parameter`` and a message for each parameter, a page says why.  The API
also refuses parameters that it does not know, and blanks in place of a choice; pages ignore both.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar

from django.http import Http404, QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from players.models import MAX_ID

T_co = TypeVar("T_co", covariant=True)
#: Parsed parameters by name; each value has the type of its :class:`Parameter`.
Parsed: TypeAlias = dict[str, Any]

DEFAULT_PAGE_SIZE: Final = 50
MAX_PAGE_SIZE: Final = 200
#: The longest query in links: a board with all its columns and filters has 900.
MAX_QUERY_CHARS: Final = 2_000
#: Of the query of a page: the names that its forms know.
_KNOWN: Final = "known_names"
_INTEGER: Final = re.compile(r"-?[0-9]{1,19}", re.ASCII)
_NUMBER: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", re.ASCII)
#: The pattern of an id in the schema.
_ID: Final = "[1-9][0-9]{0,17}"


class BadParameter(ValueError):
    """Query parameters that cannot be parsed (400).  ``errors``: messages by name of the parameter."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(" ".join(errors.values()))
        self.errors = dict(errors)


class NeedsAccount(BadParameter):
    """Query parameters that mean something only for visitors who are signed in (401 in the API)."""


@dataclass(frozen=True)
class Parameter(Generic[T_co]):
    """``parse`` turns its text (stripped, not empty) into a value, or raises ``ValueError`` with a message in the active
    language.  ``default``: the value if the text is missing or empty, unless it is ``required``.  ``schema``: the OpenAPI
    type.  ``other_names``: names by which it is understood too; the schema does not list them.
    """

    name: str
    parse: Callable[[str], T_co]
    default: T_co
    schema: Mapping[str, object]
    description: str
    required: bool = False
    other_names: tuple[str, ...] = ()

    def read(self, query: Mapping[str, object]) -> T_co:
        """The value in ``query``; raises :class:`BadParameter`."""
        text = str(query.get(self.name) or "").strip()
        try:
            if self.required and not text:
                raise ValueError(_("This parameter is required."))
            return self.parse(text) if text else self.default
        except ValueError as error:
            raise BadParameter({self.name: str(error)}) from error


def one_text_each(
    query: Mapping[str, object], parameters: Iterable[Parameter[object]]
) -> tuple[dict[str, object], dict[str, str]]:
    """Return ``query`` with one text for each parameter under its own name, and messages for those given twice."""
    own_names = {other: parameter.name for parameter in parameters for other in parameter.other_names}
    texts: dict[str, object] = {}
    counts: Counter[str] = Counter()
    for name in query:
        given = query.getlist(name) if isinstance(query, MultiValueDict) else [query[name]]
        own_name = own_names.get(name, name)
        texts[own_name] = given[-1] if given else ""
        counts[own_name] += len(given)
    return texts, {name: _("Pass this parameter only once.") for name, count in counts.items() if count > 1}


def read_values(
    parameters: Iterable[Parameter[object]], query: Mapping[str, object], *, strict: bool = False
) -> tuple[Parsed, dict[str, str]]:
    """Return the value of each parameter, its default where it cannot be parsed, and the messages by name of those.

    ``strict``: unknown parameters, and blanks in place of a choice, have a message too.
    """
    texts, repeated = one_text_each(query, parameters)
    values: Parsed = {parameter.name: parameter.default for parameter in parameters}
    errors = {name: message for name, message in repeated.items() if strict or name in values}
    if strict:
        errors |= {name: _("Unknown parameter.") for name in texts if name not in values}
    for parameter in parameters:
        if parameter.name in errors:
            continue
        try:
            if strict and "enum" in parameter.schema and str(texts.get(parameter.name, "")).isspace():
                parameter.parse("")  # which says that blanks are none of the choices
            values[parameter.name] = parameter.read(texts)
        except BadParameter as error:
            errors |= error.errors
        except ValueError as error:
            errors[parameter.name] = str(error)
    return values, errors


def _without_errors(values: Parsed, errors: Mapping[str, str]) -> Parsed:
    if errors:
        raise BadParameter(errors)
    return values


class PageForm:
    """The parameters of a page.  Unknown ones are ignored: other sites add tracking parameters to links."""

    parameters: ClassVar[tuple[Parameter[object], ...]] = ()

    def __init__(self, query: Mapping[str, object]) -> None:
        self.query = query
        if isinstance(query, QueryDict):
            names = {name for one in self.parameters for name in (one.name, *one.other_names)}
            setattr(query, _KNOWN, getattr(query, _KNOWN, set()) | names)

    def values(self) -> Parsed:
        """The value of each parameter; raises :class:`BadParameter`."""
        return _without_errors(*self.read())

    def read(self) -> tuple[Parsed, dict[str, str]]:
        """The value of each parameter, its default where it cannot be parsed, and the messages by name of those."""
        return read_values(self.parameters, self.query)


def known_query(query: QueryDict) -> QueryDict:
    """Return a copy of the query of a page for its links: what its forms know, or all if it has none; nothing of a query
    that is longer than any that the site makes, which a page would repeat in a hundred links.
    """
    known = query.copy()
    names = getattr(query, _KNOWN, None)
    for name in [name for name in query if names is not None and name not in names]:
        del known[name]
    return known if len(known.urlencode()) <= MAX_QUERY_CHARS else QueryDict(mutable=True)


def api_values(parameters: Iterable[Parameter[object]], query: Mapping[str, object]) -> Parsed:
    """The value of each parameter of a request to the API; raises :class:`BadParameter`.

    Unknown ones are refused: a misspelt filter must not return everything.
    """
    return _without_errors(*read_values(parameters, query, strict=True))


def form_of(*parameters: Parameter[object]) -> type[PageForm]:
    return type("Form", (PageForm,), {"parameters": parameters})


# --- kinds of parameters ----------------------------------------------------------------------------------------------


def integer(
    name: str, *, least: int, most: int, default: int | None = None, description: str = ""
) -> Parameter[int | None]:
    schema: dict[str, object] = {"type": "integer", "minimum": least, "maximum": most}
    if most == MAX_ID:
        schema["format"] = "int64"
    if default is not None:
        schema["default"] = default
    return Parameter(name, lambda text: parse_integer(text, name, least, most), default, schema, description)


def parse_integer(text: str, name: str, least: int, most: int) -> int:
    """``text`` as a whole number from ``least`` to ``most``; raises ``ValueError``."""
    if _INTEGER.fullmatch(text) is None or not least <= int(text) <= most:
        if most >= MAX_ID:
            raise ValueError(_("%(name)s must be a whole number.") % {"name": name})
        raise ValueError(
            _("%(name)s must be between %(least)d and %(most)d.") % {"name": name, "least": least, "most": most}
        )
    return int(text)


def parse_finite(text: str) -> float:
    """``text`` as a number; raises ``ValueError``."""
    number = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(number):
        raise ValueError(_("Enter a number."))
    return number


def parse_id(text: str, name: str = "id") -> int:
    """``text`` as the id of a row; raises ``ValueError``."""
    return parse_integer(text, name, 1, MAX_ID)


def posted_id(text: str) -> int:
    """Return a number that a form of ours sent; 404 if it is none, which nobody sees who uses the form."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MAX_ID))):
        raise Http404
    return min(int(text), MAX_ID)


def ids(name: str, *, most: int, description: str) -> Parameter[list[int]]:
    """Ids with commas between, ``most`` at most."""

    def parse(text: str) -> list[int]:
        parts = text.split(",")
        if len(parts) > most:
            raise ValueError(_("At most %(limit)s IDs.") % {"limit": most})
        return [parse_id(part.strip(), name) for part in parts]

    schema = {"type": "string", "pattern": f"^{_ID}(,{_ID}){{0,{most - 1}}}$"}
    return Parameter(name, parse, [], schema, f"{description}  {most} at most.")


def choice(
    name: str, choices: Collection[str], *, default: str | None = None, description: str = "",
    aliases: Mapping[str, str] | None = None,
) -> Parameter[str | None]:  # fmt: skip
    """One of ``choices``; ``aliases``: other words for some, which the schema does not list."""
    written = {**(aliases or {}), **{one.lower(): one for one in choices}}

    def parse(text: str) -> str:
        if text.lower() not in written:
            raise ValueError(_("Choose one of: %(choices)s.") % {"choices": ", ".join(choices)})
        return written[text.lower()]

    schema: dict[str, object] = {"type": "string", "enum": list(choices)}
    if default is not None:
        schema["default"] = default
    return Parameter(name, parse, default, schema, description)


def choices(
    name: str, values: Collection[str], *, default: tuple[str, ...] = (), description: str
) -> Parameter[tuple[str, ...]]:
    """Some of ``values`` with commas between, each once; ``default`` if it is missing."""
    one = choice(name, values)

    def parse(text: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(str(one.parse(part.strip())) for part in _parts(text, len(values))))

    schema: dict[str, object] = {"type": "string", "pattern": list_pattern(values, len(values))}
    if default:
        schema["default"] = ",".join(default)
    return Parameter(name, parse, default, schema, f"{description}  Several with commas between: {', '.join(values)}.")


def _parts(text: str, most: int) -> list[str]:
    parts = text.split(",")
    if len(parts) > most:
        raise ValueError(_("At most %(limit)s values.") % {"limit": most})
    return parts


def list_pattern(alternatives: Iterable[str], most: int) -> str:
    """The pattern of 1 to ``most`` words with commas between, for the schema; ``alternatives`` are patterns."""
    one = f"({'|'.join(alternatives)})"
    return f"^{one}(,{one}){{0,{most - 1}}}$"


def boolean(name: str, *, description: str = "") -> Parameter[bool]:
    """True or false; false if it is missing."""
    return Parameter(name, parse_boolean, False, {"type": "boolean", "default": False}, description)


def yes_or_no(name: str, *, description: str) -> Parameter[bool | None]:
    """True or false; None if it is missing, where both are wanted."""
    return Parameter(name, parse_boolean, None, {"type": "boolean"}, description)


def parse_boolean(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError(_("Choose one of: %(choices)s.") % {"choices": "true, false"})
    return text.lower() == "true"


def text(name: str, *, most_chars: int, description: str = "") -> Parameter[str]:
    """A text of at most ``most_chars`` characters; NUL, which PostgreSQL refuses, is removed."""

    def parse(given: str) -> str:
        if len(given) > most_chars:
            raise ValueError(_("A search can have at most %(limit)s characters.") % {"limit": most_chars})
        return given.replace("\x00", "")

    return Parameter(name, parse, "", {"type": "string", "maxLength": most_chars}, description)


# --- parameters of every list -----------------------------------------------------------------------------------------

CURSOR: Final = Parameter[str | None](
    "cursor", str, None, {"type": "string"}, "Where the page begins: a cursor of another page of the same list."
)
SIZE: Final = integer("size", least=1, most=MAX_PAGE_SIZE, default=DEFAULT_PAGE_SIZE, description="Rows of the page.")
PLAYER: Final = integer("player", least=1, most=MAX_ID, description="Number of a player.")
