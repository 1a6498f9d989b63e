from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Choices
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect, QueryDict
from django.shortcuts import render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from analysis.formats import FORMATS
from analysis.recording import Level
from analysis.statistics import BY_ANY_NAME, OF_CORPSES, RANKED, Better, Statistic
from players.db.keyset import Page
from players.leaderboards.boards import GAME_LEVELS
from players.leaderboards.pages.board_texts import level_text, mode_text, style_text
from players.models import User
from players.people.countries import country_name
from players.people.selectors import check_not_merged
from players.web.errors import handle_bad_addresses
from players.web.parameters import CURSOR, BadParameter, form_of, known_query, one_text_each
from players.web.users import signed_in_user
from replays.browse.lists.filters import (
    LIST_PARAMETERS,
    LOST_ONLY,
    OF_ONE_RESULT,
    SORT_ROWS,
    WITH_MINIMUM,
    replay_filters,
    replay_list,
)
from replays.models import Replay

#: Ranges that the form shows; the others are under "more".
_FIRST_RANGES = ("time", "bv", "bvs")
_MORE_RANGES = tuple(row.public for row in RANKED if row.public not in _FIRST_RANGES)
#: Statistics that the table always shows; if it is sorted by another one, that is added.
_COLUMNS = ("time", "bv", "bvs")
_FILTER_TEXTS = {
    "level": gettext_lazy("Level"),
    "style": gettext_lazy("Style"),
    "result": gettext_lazy("Result"),
    "mode": gettext_lazy("Mode"),
    "format": gettext_lazy("Format"),
    "evidence": gettext_lazy("Evidence"),
    "judgement": gettext_lazy("Judgement"),
    "status": gettext_lazy("Status"),
    "player": gettext_lazy("Player"),
    "ownership": gettext_lazy("Ownership"),
    "uploader": gettext_lazy("Uploader"),
    "software": gettext_lazy("Program"),
    "played": gettext_lazy("Played"),
    "uploaded": gettext_lazy("Uploaded"),
    "achieved": gettext_lazy("Date"),
    "ranked": gettext_lazy("Ranked"),
    "corpse": gettext_lazy("Ranked among lost games"),
    "ids": gettext_lazy("Replays"),
    "sha256": "SHA-256",
    "country": gettext_lazy("Country"),
    "sub": gettext_lazy("Sub-N"),
    "defined": gettext_lazy("Has a value for"),
}
_ENDS = {"gte": "≥", "lte": "≤"}
_SIGNS = _ENDS | {"lt": "<"}
_RANGES = {f"{name}__{end}" for name in (*_FIRST_RANGES, *_MORE_RANGES) for end in _ENDS}
#: Parameters whose single values are chosen, and seen, without a chip.
_CHOSEN = ("level", "style", "result", "format", "sort")
#: How many replays a chip names, and the digits of a hash.
_NAMED, _HASH_CHARS = 3, 12
#: Words of values, by parameter.
_WORDS = {"level": level_text, "style": style_text, "mode": mode_text}
_LABELS: dict[str, type[Choices]] = {
    "evidence": Replay.Evidence,
    "judgement": Replay.Judgement,
    "result": Replay.Result,
    "status": Replay.Status,
    "ownership": Replay.Ownership,
}


@dataclass(frozen=True, slots=True)
class Range:
    row: Statistic
    least: str
    most: str
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    text: str
    address: str
    is_shown: bool


@dataclass(frozen=True, slots=True)
class Menu:
    """Values of one parameter as links; ``hint`` says why there are no more."""

    text: str
    choices: list[Choice]
    is_set: bool
    is_long: bool = False
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Chip:
    name: str
    text: str
    address: str


ListForm = form_of(*LIST_PARAMETERS, CURSOR)


@require_safe
@handle_bad_addresses
def replays(request: HttpRequest) -> HttpResponse:
    """Show the list; without rows, and 400, if a filter is wrong."""
    if moved := _with_public_names(request):
        return HttpResponsePermanentRedirect(moved)
    viewer = signed_in_user(request)
    errors: dict[str, str] = {}
    page: Page[Replay] = Page([], None, None)
    sort = ""
    try:
        values = ListForm(request.GET).values()
        filters = replay_filters(values, viewer)
        page, sort = replay_list(filters, cursor=values["cursor"], lines=True), filters.sort
    except BadParameter as error:
        errors = error.errors
    else:
        if not page.rows and len(values["player"]) == 1:
            check_not_merged(values["player"][0])
    texts, _repeated = one_text_each(request.GET, LIST_PARAMETERS)
    given = {
        parameter.name: text for parameter in LIST_PARAMETERS if (text := str(texts.get(parameter.name) or "").strip())
    }
    context = _context(request, given, sort, page, viewer) | _ranges(given, errors) | {
        "errors": errors,
        "range_errors": not _RANGES.isdisjoint(errors),
        "other_errors": [f"{_label(name)}: {text}" for name, text in errors.items() if name not in _RANGES],
    }  # fmt: skip
    return render(request, "replays/browse/lists/replays.html", context, status=400 if errors else 200)


def _with_public_names(request: HttpRequest) -> str:
    """Return the address with the own names of its parameters; "" if it has no others."""
    own_names = {other: one.name for one in LIST_PARAMETERS for other in one.other_names}
    if not own_names.keys() & request.GET.keys():
        return ""
    query = QueryDict(mutable=True)
    for name, texts in request.GET.lists():
        for text in texts:
            query.appendlist(own_names.get(name, name), text)
    return f"{request.path}?{query.urlencode()}"


def _ranges(given: Mapping[str, str], errors: Mapping[str, str]) -> dict[str, object]:
    more = [_range(name, given, errors) for name in _MORE_RANGES]
    return {
        "ranges": [_range(name, given, errors) for name in _FIRST_RANGES],
        "more_ranges": more,
        "more_given": any(entry.least or entry.most for entry in more),
    }


def _context(
    request: HttpRequest, given: Mapping[str, str], sort: str, page: Page[Replay], viewer: User | None
) -> dict[str, object]:
    sorted_by = sort.removeprefix("-")
    row = BY_ANY_NAME.get(sorted_by)
    return {
        "page": page,
        "given": given,
        "viewer": viewer,
        "chips": _chips(request, given, page),
        "levels": [*GAME_LEVELS, Level.CUSTOM.value],
        "menus": _menus(request, given, sort),
        "extra": row if sorted_by not in _COLUMNS else None,
        "min_completion": settings.MINIMUM_COMPLETION if row in WITH_MINIMUM else None,
        "lost_only": row in LOST_ONLY,
        "won_only": row in OF_ONE_RESULT and not {"result", "corpse"} & given.keys(),
        # Filters without a field in the form of ranges, which has hidden ones for them.
        "others": [(name, text) for name, text in given.items() if name not in _RANGES],
    }


def _menus(request: HttpRequest, given: Mapping[str, str], sort: str) -> list[Menu]:
    results = [(value, str(label)) for value, label in Replay.Result.choices]
    formats = [(module.NAME, module.NAME.upper()) for module in FORMATS]
    result, has_level = given.get("result", ""), _is_single(given.get("level", ""))
    left_out = (LOST_ONLY if result not in ("", Replay.Result.LOST) else ()) + (OF_ONE_RESULT if "," in result else ())
    sorts = [choice for row in SORT_ROWS if has_level and row not in left_out for choice in _sorts(row)]
    of_lost = BY_ANY_NAME.get(sort.removeprefix("-")) in LOST_ONLY
    plain = _plain_sorts()
    shown_sort = dict([*plain, *sorts]).get(sort, plain[0][1])
    return [
        _menu(request, "result", given.get("result", ""), _("Any result"), results, drops=("sort",) if of_lost else ()),
        _menu(request, "format", given.get("format", ""), _("Any format"), formats),
        Menu(
            _("Sorted by %(number)s") % {"number": shown_sort} if sorts else shown_sort,
            _links(request, "sort", given.get("sort", ""), [*plain, *sorts]),
            is_set=bool(given.get("sort")),
            is_long=bool(sorts),
            hint="" if sorts else _("Choose a level to sort by a statistic."),
        ),
    ]


def _plain_sorts() -> list[tuple[str, str]]:
    return [
        ("", _("Newest upload")), ("oldest", _("Oldest upload")), ("-achieved", _("Latest date")),
        ("achieved", _("Earliest date")),
    ]  # fmt: skip


def _is_single(text: str) -> bool:
    return bool(text) and "," not in text


def _menu(
    request: HttpRequest,
    name: str,
    given: str,
    any_text: str,
    choices: list[tuple[str, str]],
    drops: tuple[str, ...] = (),
) -> Menu:
    links = _links(request, name, given, [("", any_text), *choices], drops)
    return Menu(dict(choices).get(given, any_text), links, is_set=bool(given))


def _links(
    request: HttpRequest, name: str, given: str, choices: list[tuple[str, str]], drops: tuple[str, ...] = ()
) -> list[Choice]:
    """Links to this list with each value of ``name``, without the parameters ``drops``, which do not go with them."""
    parameters = known_query(request.GET)
    for removed in (name, "cursor", *drops):
        parameters.pop(removed, None)
    rest = parameters.urlencode()
    start = f"{rest}&" if rest else ""
    return [
        Choice(text, f"?{start}{urlencode({name: value})}" if value else f"?{rest}", value == given)
        for value, text in choices
    ]


def _sorts(row: Statistic) -> list[tuple[str, str]]:
    """Return the values of ``sort`` that the form offers for ``row``, with their texts: best first, else both ways.

    What compares lost games is sorted both ways.
    """
    label = _(row.label)
    if row.better is Better.NONE or row in OF_CORPSES:
        return [(row.public, f"{label} ↑"), (f"-{row.public}", f"{label} ↓")]
    return [(f"-{row.public}" if row.better is Better.HIGH else row.public, label)]


def _range(name: str, given: Mapping[str, str], errors: Mapping[str, str]) -> Range:
    least, most = (f"{name}__{end}" for end in _ENDS)
    wrong = tuple(f"{_label(end)}: {errors[end]}" for end in (least, most) if end in errors)
    return Range(BY_ANY_NAME[name], given.get(least, ""), given.get(most, ""), wrong)


def _label(name: str) -> str:
    base, _separator, end = name.partition("__")
    text = _(BY_ANY_NAME[base].label) if base in BY_ANY_NAME else str(_FILTER_TEXTS.get(base, base))
    return f"{text} {_SIGNS[end]}" if end in _SIGNS else text


def _chips(request: HttpRequest, given: Mapping[str, str], page: Page[Replay]) -> list[Chip]:
    chips = []
    for name, text in given.items():
        if name in _CHOSEN and "," not in text:
            continue
        parameters = known_query(request.GET)
        for removed in (name, "cursor"):
            parameters.pop(removed, None)
        chips.append(Chip(name, f"{_label(name)} {_shown(name, text, page)}", f"?{parameters.urlencode()}"))
    return chips


def _shown(name: str, text: str, page: Page[Replay]) -> str:
    if "," in text and name in (*_WORDS, *_LABELS, "format"):
        return ", ".join(_shown(name, part.strip(), page) for part in text.split(","))
    if name in ("ids", "sha256"):
        parts = text.split(",")
        return ", ".join(part.strip()[:_HASH_CHARS] for part in parts[:_NAMED]) + (" …" if len(parts) > _NAMED else "")
    if name in _WORDS:
        return _WORDS[name](text)
    if name in _LABELS and text in _LABELS[name].values:
        return str(_LABELS[name](text).label)
    if name in ("ranked", "corpse"):
        return _("yes") if text.lower() == "true" else _("no")
    if name == "status":
        return _("any")
    if name == "ownership":
        return _("not counted as the player's")
    if name == "player" and _is_single(text) and page.rows and page.rows[0].player is not None:
        return page.rows[0].player.shown_name
    if name == "uploader" and text == "me":
        return _("me")
    if name == "country":
        return country_name(text.upper())
    if name == "defined" and text in BY_ANY_NAME:
        return _(BY_ANY_NAME[text].label)
    return text
