"""Linking files of the same play, and deciding about all that are linked with them.

What a file's judgement is for the sake of others depends on its links alone: it is ``linked`` if another one stands before
it, else ``disputed`` if it is not known which of two stands.  A game that a rule withholds for itself keeps that judgement,
and a decision of staff is never overruled.  Everything here runs in the transaction of whoever calls it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from players.db.retry import retry_on_conflict
from players.models import Identity
from replays.models import GameLink, Objection, Replay
from replays.trust.equals.stands import LONG, Side, Stands, which_stands
from replays.trust.evidence.similar import Pair
from replays.trust.evidence.traces import equals_of_stored
from replays.trust.judging.appeals import appeals_grant
from replays.trust.judging.rules import (
    ACCEPTED,
    JUDGED,
    Rules,
    Verdict,
    lets_rank,
    rules_apply,
    set_judgement,
    verdict_of,
)
from replays.trust.provisional.marking import update_ranked_and_marks

#: A game with more links than these is not put in dispute by further ones.
MOST_LINKS: Final = 200
_DECIDED: Final = Q(judgement_code=Replay.DECIDED)


class _Link(NamedTuple):
    """A link as one of its games sees it: which other one, and who of both stands."""

    other_id: int
    kind: str
    stands: bool
    other_stands: bool


# --- entry points -----------------------------------------------------------------------------------------------------


@retry_on_conflict
def link_games(pairs: Iterable[Pair]) -> None:
    """Link pairs of stored games, and decide about all of them.

    Pairs that are linked already, or of which one does not exist any more, are passed over.
    """
    with transaction.atomic():
        decide(add_links(pairs))


def ask_again(ids: Collection[int]) -> None:
    """Decide again about games of which something changed, and about all that are linked with them.  Mostly one query."""
    ask_left(linked_with(ids))


def linked_with(ids: Collection[int]) -> set[int]:
    """The games that are linked with ``ids``, not many more than :data:`MOST_LINKS`, and those of ``ids`` with a link."""
    found = links_of(ids).order_by("id").values_list("first", "second")[: MOST_LINKS + len(ids)] if ids else ()
    return {pk for pair in found for pk in pair}


def ask_left(ids: Collection[int]) -> None:
    """Decide again about games that had a link with others of which something changed, or that are deleted.

    They are compared with all stored games first: of many equal ones not all were linked.
    """
    if ids:
        decide({*ids, *add_links(equals_of_stored(ids))})


def ask_about_name(player_id: int, name: str) -> None:
    """Decide again about the linked games of a player under ``name``, whose owner has changed."""
    under = {side: {f"{side}__player": player_id, f"{side}__identifier": name} for side in ("first", "second")}
    rows = [GameLink.objects.filter(**games).values_list(side, flat=True) for side, games in under.items()]
    ask_again({pk for found in rows for pk in found[:MOST_LINKS]})


# --- links ------------------------------------------------------------------------------------------------------------


def add_links(pairs: Iterable[Pair]) -> set[int]:
    """Store new links; returns all games of ``pairs`` that exist."""
    wanted = {(min(one, two), max(one, two)): kind for one, two, kind in pairs if one != two}
    if not wanted:
        return set()
    ids = {pk for pair in wanted for pk in pair}
    games = Replay.objects.only("uploader", "uploaded_at", "ranked", "corpse", "judgement", "ownership").in_bulk(ids)
    counts = dict(links_of(ids).order_by().values_list("first").annotate(Count("id")))
    now = timezone.now()
    GameLink.objects.bulk_create(
        [
            GameLink(
                first_id=one, second_id=two, kind=kind, made_at=now,
                first_stands=_first_stands(games[one], games[two]) or counts.get(one, 0) >= MOST_LINKS,
            )
            for (one, two), kind in wanted.items()
            if one in games and two in games
        ],
        ignore_conflicts=True,
    )  # fmt: skip
    return set(games)


def _first_stands(first: Replay, second: Replay) -> bool:
    """Return whether one sender sent both, or the first had its place, final, for long when the second came."""
    if _sender(first) is not None and _sender(first) == _sender(second):
        return True
    final = (first.ranked or first.corpse) and first.judgement == Replay.Judgement.ACCEPTED
    return final and second.uploaded_at - first.uploaded_at > LONG


def _sender(replay: Replay) -> int | str | None:
    """The account, or VOUCHED for what the operator of the site imported; None if the account is deleted."""
    return replay.uploader_id or (replay.ownership if replay.ownership == Replay.Ownership.VOUCHED else None)


def links_of(ids: Collection[int]) -> QuerySet[GameLink]:
    return GameLink.objects.filter(Q(first__in=ids) | Q(second__in=ids))


# --- deciding ---------------------------------------------------------------------------------------------------------


def decide(ids: Collection[int]) -> None:
    """Judge ``ids`` by their links, and update the boards."""
    if not ids:
        return
    locked = Replay.objects.select_for_update(of=("self",), no_key=True).select_related("player").defer("board")
    rows = list(locked.filter(pk__in=ids, status=Replay.Status.DONE).order_by("pk"))
    links = links_among([row.pk for row in rows])
    rules, changed = Rules.of_site(), []
    for row in rows:
        before = (row.judgement, row.judgement_code, row.judgement_params)
        _judge(row, links.get(row.pk, ()), rules)
        if before != (row.judgement, row.judgement_code, row.judgement_params):
            changed.append(row)
    Replay.objects.bulk_update(changed, JUDGED)
    update_ranked_and_marks(rows)
    objected = Objection.objects.filter(replay__in=[row.pk for row in changed], closed_at=None)
    Replay.objects.filter(pk__in=objected.values("replay")).update(provisional_until=None)
    appeals_grant([row.pk for row in changed if row.judgement in Replay.RANKED_JUDGEMENTS])


def _judge(row: Replay, links: Iterable[_Link], rules: Rules) -> None:
    if row.judgement_code == Replay.DECIDED:
        return
    verdict = verdict_of(row, rules)
    against = min((link for link in links if not link.stands), key=_weight, default=None)
    if lets_rank(verdict) and against is not None:
        judgement = Replay.Judgement.LINKED if against.other_stands else Replay.Judgement.DISPUTED
        set_judgement(row, Verdict(judgement.value, against.kind, {"replay": against.other_id}))
    elif verdict is not ACCEPTED or row.judgement not in Replay.RANKED_JUDGEMENTS:
        set_judgement(row, verdict)


def _weight(link: _Link) -> tuple[bool, int, int]:
    """Sort links that win before those in dispute, then by how telling the kind is, then the older first."""
    return not link.other_stands, GameLink.Kind.values.index(link.kind), link.other_id


def links_among(ids: Collection[int]) -> dict[int, list[_Link]]:
    """The links of ``ids`` by game, those alone of kinds that withhold, each with who of both stands."""
    kinds = {GameLink.Kind.SAME_GAME.value, *Rules.of_site().findings}
    withholding = GameLink.objects.filter(kind__in=kinds & set(GameLink.Kind.values))
    # Of a flood of copies those that came first can put a game in dispute; of the others ``first_stands`` is true.
    as_first = withholding.filter(first__in=ids).order_by("id")[: MOST_LINKS * len(ids)]
    links = {link.pk: link for link in (*withholding.filter(second__in=ids), *as_first)}
    found: dict[int, list[_Link]] = defaultdict(list)
    for pk, answer in answers_of(links.values()).items():
        link = links[pk]
        one, two = answer in (Stands.FIRST, Stands.BOTH), answer in (Stands.SECOND, Stands.BOTH)
        found[link.first_id].append(_Link(link.second_id, link.kind, one, two))
        found[link.second_id].append(_Link(link.first_id, link.kind, two, one))
    return found


def answers_of(links: Collection[GameLink]) -> dict[int, Stands]:
    """Return who stands, by link; none where one of both is being analysed again.  No query without links."""
    sides = _sides({pk for link in links for pk in (link.first_id, link.second_id)}) if links else {}
    return {
        link.pk: which_stands(sides[link.first_id], sides[link.second_id], first_stands=link.first_stands)
        for link in links
        if link.first_id in sides and link.second_id in sides
    }


def played_before(ids: Collection[int]) -> set[int]:
    """Those of ``ids`` whose play came in another file before, unless they stand before that; no query without ids."""
    if not ids:
        return set()
    return {
        pk
        for pk, links in links_among(ids).items()
        if any(
            link.other_id < pk and link.kind != GameLink.Kind.SAME_BOARD and (link.other_stands or not link.stands)
            for link in links
        )
    }


def _sides(ids: Collection[int]) -> dict[int, Side]:
    """Return what is known of the analysed ones of ``ids``; three queries."""
    rows = list(Replay.objects.select_related("player").defer("board").filter(pk__in=ids, status=Replay.Status.DONE))
    identities = Identity.objects.filter(name__in={row.identifier for row in rows}, state=Identity.State.CLAIMED)
    claimed = {identity.name: identity for identity in identities}
    lost = losers({row.uploader_id for row in rows if row.uploader_id is not None})
    rules = Rules.of_site()
    return {row.pk: _side(row, claimed, lost, rules) for row in rows}


def _side(row: Replay, claimed: Mapping[str, Identity], lost: Collection[int], rules: Rules) -> Side:
    decided, judgement = row.judgement_code == Replay.DECIDED, row.judgement
    doubted = row.ownership in Replay.NOT_OWNED or verdict_of(row, rules).judgement == Replay.Judgement.SUSPICIOUS
    refused = decided and judgement not in (Replay.Judgement.ACCEPTED, Replay.Judgement.LINKED)
    identity = _identity(row, claimed)
    return Side(
        could_rank=rules_apply(row),
        doubted=doubted or (decided and judgement == Replay.Judgement.LINKED),
        accepted=decided and judgement == Replay.Judgement.ACCEPTED,
        refused_at=row.judged_at or row.uploaded_at if refused else None,
        evidence=row.evidence,
        vouched=row.played_at if row.date_trusted else None,
        owner_id=None if identity is None else identity.claimant_id,
        claimed_at=None if identity is None else identity.claimed_at,
        uploader_id=row.uploader_id,
        uploader_lost=row.uploader_id in lost,
        arrived_at=row.uploaded_at,
        won=bool(row.win),
    )


def _identity(row: Replay, claimed: Mapping[str, Identity]) -> Identity | None:
    """The claimed name of ``row`` whose owner uploaded it or said yes to it."""
    identity = claimed.get(row.identifier)
    if identity is None or identity.player_id != row.player_id or row.ownership in Replay.NOT_OWNED:
        return None
    answered = row.ownership in (Replay.Ownership.CONFIRMED, Replay.Ownership.VOUCHED)
    return identity if answered or row.uploader_id == identity.claimant_id else None


def losers(users: Collection[int]) -> set[int]:
    """Those of these accounts against whose upload staff decided a pair."""
    rows = Replay.objects.filter(
        _DECIDED, uploader__in=users, status=Replay.Status.DONE, judgement=Replay.Judgement.LINKED
    )
    return set(rows.order_by().values_list("uploader", flat=True).distinct())
