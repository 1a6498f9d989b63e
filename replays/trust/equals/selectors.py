from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from players.db.keyset import Page, page_of
from players.models import User
from replays.models import Appeal, GameLink, Objection, Replay
from replays.trust.equals.linking import answers_of, links_of
from replays.trust.equals.stands import Stands
from replays.trust.judging.findings import finding_sentences
from replays.trust.reasons import link_sentence

#: So many links are shown on the page of a replay.
MOST_SHOWN: Final = 10
PAGE_SIZE: Final = 20


@dataclass(frozen=True, slots=True)
class LinkShown:
    """``state``: "first", "second", "both" (which of the two counts) or "neither", as :class:`Stands` of the pair."""

    other: Replay
    kind: str
    state: str

    @property
    def text(self) -> str:
        return link_sentence(self.kind, self.other.pk)


def links_shown(replay: Replay) -> list[LinkShown]:
    """Return links the oldest first; one query if there are none."""
    links = list(links_of([replay.pk]).order_by("id")[:MOST_SHOWN])
    answers = answers_of(links)
    others = {link.pk: link.second_id if link.first_id == replay.pk else link.first_id for link in links}
    rows = Replay.objects.defer("board", "findings").in_bulk(others.values()) if others else {}
    return [LinkShown(rows[others[link.pk]], link.kind, answers[link.pk]) for link in links if link.pk in answers]


def seal_in_doubt(replay: Replay, links: Iterable[LinkShown]) -> bool:
    """Return whether another file has the seal of ``replay``, so one of them was edited, unless ``replay`` stands."""
    return replay.evidence == Replay.Evidence.SEALED and any(
        link.kind == GameLink.Kind.SEAL_REUSED and _is_doubted(replay.pk, (replay.pk, link.other.pk), link.state)
        for link in links
    )


def seals_in_doubt(replays: Iterable[Replay]) -> set[int]:
    """Return those of ``replays``, as :func:`seal_in_doubt` says of one; no query if none is sealed."""
    sealed = {replay.pk for replay in replays if replay.evidence == Replay.Evidence.SEALED}
    if not sealed:
        return set()
    reused = links_of(sealed).filter(kind=GameLink.Kind.SEAL_REUSED).order_by("id")
    links = list(reused[: MOST_SHOWN * len(sealed)])
    pairs = {link.pk: (link.first_id, link.second_id) for link in links}
    answers = answers_of(links)
    return {
        pk
        for link, state in answers.items()
        for pk in pairs[link]
        if pk in sealed and _is_doubted(pk, pairs[link], state)
    }


def _is_doubted(pk: int, pair: tuple[int, int], state: str) -> bool:
    """Return whether a link of the two files of ``pair`` doesn't say that ``pk`` is the one that stands."""
    return state != (Stands.FIRST if pk == min(pair) else Stands.SECOND)


# --- staff ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PairSide:
    replay: Replay
    seal_in_doubt: bool
    appeals: list[Appeal]
    objections: list[Objection]

    @property
    def findings(self) -> list[str]:
        return finding_sentences(self.replay.findings)


@dataclass(frozen=True, slots=True)
class PairShown:
    """``stands``: what the rules say, "neither" if people must decide."""

    link: GameLink
    stands: str
    sides: list[PairSide]

    @property
    def text(self) -> str:
        return link_sentence(self.link.kind, self.link.first_id)


def _side(replay: Replay, doubted: Collection[int]) -> PairSide:
    appeals, objections = getattr(replay, "open_appeals", []), getattr(replay, "open_objections", [])
    return PairSide(replay, replay.pk in doubted, appeals, objections)


def pairs_page(cursor: str | None = None, size: int = PAGE_SIZE) -> Page[PairShown]:
    """The pairs that wait for staff, newest first: those in dispute, and those about which somebody appeals.

    A page may have fewer rows than others.  Raises ``players.db.keyset.BadCursor``.
    """
    disputed = Replay.Judgement.DISPUTED
    open_appeal = Appeal.objects.filter(state=Appeal.State.OPEN)
    appealed = Q(Exists(open_appeal.filter(replay=OuterRef("first")))) | Q(
        Exists(open_appeal.filter(replay=OuterRef("second")))
    )
    rows = GameLink.objects.filter(Q(first__judgement=disputed) | Q(second__judgement=disputed) | appealed)
    page = page_of(_with_both(rows), ("-id",), cursor, size)
    return Page(_shown(page.rows), page.next_cursor, page.previous_cursor)


def pair_shown(pk: int) -> PairShown:
    """Raise ``GameLink.DoesNotExist`` if there is no such pair."""
    pairs = _pairs([_with_both(GameLink.objects.all()).get(pk=pk)])
    if not pairs:  # one of both is being analysed again
        raise GameLink.DoesNotExist
    return pairs[0]


def _shown(links: Iterable[GameLink]) -> list[PairShown]:
    pairs = _pairs(list(links))
    return [pair for pair in pairs if pair.stands == Stands.NEITHER or any(side.appeals for side in pair.sides)]


def _pairs(links: Collection[GameLink]) -> list[PairShown]:
    """Return the pairs of ``links``, without those of which a file is being analysed again."""
    answers = answers_of(links)
    doubted = seals_in_doubt(replay for link in links for replay in (link.first, link.second))
    return [
        PairShown(link, answers[link.pk].value, [_side(link.first, doubted), _side(link.second, doubted)])
        for link in links
        if link.pk in answers
    ]


def _with_both(rows: QuerySet[GameLink]) -> QuerySet[GameLink]:
    found = rows.select_related(*(f"{side}__{name}" for side in ("first", "second") for name in ("player", "uploader")))
    appeals = Appeal.objects.filter(state=Appeal.State.OPEN).select_related("user")
    objections = Objection.objects.filter(closed_at=None).select_related("user").order_by("id")
    return found.defer("first__board", "second__board").prefetch_related(
        *(Prefetch(f"{side}__appeals", appeals, to_attr="open_appeals") for side in ("first", "second")),
        *(Prefetch(f"{side}__objections", objections, to_attr="open_objections") for side in ("first", "second")),
    )


# --- accounts ---------------------------------------------------------------------------------------------------------


def disputes_of(user: User, limit: int) -> list[tuple[GameLink, Replay]]:
    """The latest links because of which a game of ``user``, by upload or by name, does not count; with that game."""
    found: list[tuple[GameLink, Replay]] = []
    for side in ("first", "second"):
        mine = Q(**{f"{side}__uploader": user}) | Q(**{f"{side}__player__user": user})
        held = Q(**{f"{side}__judgement__in": Replay.FOR_OTHERS}) & ~Q(**{f"{side}__judgement_code": Replay.DECIDED})
        held &= Q(**{f"{side}__status": Replay.Status.DONE})
        rows = GameLink.objects.filter(mine, held).select_related(side).defer(f"{side}__board").order_by("-id")[:limit]
        found += [(link, getattr(link, side)) for link in rows]
    return sorted(found, key=lambda pair: -pair[0].pk)[:limit]
