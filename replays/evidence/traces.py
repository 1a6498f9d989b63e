"""Comparing a game with all stored ones: the same clicks, the same board, the same seal.

The rules are those of ``analysis.evidence.same_play``.  Of two equal plays one *stands before* the other: that with the
stronger evidence, else that which was stored first; one that a finding of its own withholds never stands before one
without.  Only the other one gets the finding, whoever uploaded it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from django.conf import settings
from django.db.models import Min, Q

from analysis.evidence import SAME_BOARD, SAME_CLICKS, TELLING_CLICKS, Evidence, Fingerprint, History, same_play
from analysis.recording import Level
from players.db import bulk
from players.db.locks import lock_keys
from replays.models import PlayTrace, Replay

SEAL_REUSED: Final = "seal_reused"
#: Findings of this module, by code; ``finding_sentence`` translates them.
SENTENCES: Final[dict[str, str]] = {
    SAME_CLICKS: "The opening clicks are those of replay #{}, whatever their times.",
    SAME_BOARD: "The board is that of replay #{}, played in another way.",
    SEAL_REUSED: "The seal is that of replay #{}: one of the two files was edited.",
}
#: The stronger evidence has the higher number.
STRENGTH: Final = {Replay.Evidence.OPEN: 0, Replay.Evidence.SEALED: 1, Replay.Evidence.HERE: 2}
#: Candidates that are read for one chunk of games, the oldest first: a bound against floods of equal games.
_MAX_CANDIDATES: Final = 5_000

_FINGERPRINT: Final = Fingerprint.__slots__
_HISTORY: Final = History.__slots__
_COLUMNS: Final = (*_FINGERPRINT, "seal_hash", *_HISTORY)

#: A finding as it is stored.
StoredFinding = dict[str, str | int]


class _Game(NamedTuple):
    """A stored game, or one that is about to be stored."""

    replay_id: int
    level: str
    win: bool | None
    evidence: str
    ranked: bool
    doubted: bool  # a finding of its own withholds it
    seal_hash: bytes | None
    fingerprint: Fingerprint | None


def store_traces(games: Iterable[tuple[Replay, Evidence]]) -> None:
    """Write what is compared later; call it in the transaction that writes the games."""
    bulk.upsert(PlayTrace, ("replay_id",), _COLUMNS, [_row(replay.pk, evidence) for replay, evidence in games])


def _row(replay_id: int, evidence: Evidence) -> tuple[object, ...]:
    fingerprint, history = evidence.fingerprint, evidence.history
    return (
        replay_id,
        *((None if fingerprint is None else getattr(fingerprint, name)) for name in _FINGERPRINT),
        evidence.seal_hash,
        *(getattr(history, name) for name in _HISTORY),
    )


def add_findings_of_equals(games: Sequence[tuple[Replay, Evidence]]) -> None:
    """Put a finding before the others of each of ``games`` that equals a game which stands before it.

    ``games``: analysed, with their columns set; they are compared with one another as well.  Call it in the transaction
    that writes them: games with equal clicks or seals wait for each other, so that of two that are analysed at the same
    time one sees the other.
    """
    new = [_game(replay, evidence) for replay, evidence in games]
    lock_keys(key for game in new for key in _locked_keys(game))
    stored = _candidates(new)
    everybody = _by_key([*stored, *new])
    for (replay, _evidence), game in zip(games, new, strict=True):
        replay.findings = [*_findings(game, everybody), *replay.findings]


def _game(replay: Replay, evidence: Evidence) -> _Game:
    return _Game(
        replay.pk, replay.level, replay.win, replay.evidence, replay.ranked, _is_doubted(replay), evidence.seal_hash,
        evidence.fingerprint,
    )  # fmt: skip


def _is_doubted(replay: Replay) -> bool:
    codes = {finding["code"] for finding in replay.findings}
    return replay.judgement_code != Replay.DECIDED and not codes.isdisjoint(settings.JUDGE_FINDINGS)


def _locked_keys(game: _Game) -> Iterable[bytes]:
    if game.seal_hash is not None:
        yield game.seal_hash
    if game.fingerprint is not None:
        yield game.fingerprint.clicks_start or game.fingerprint.clicks


def _lookups(game: _Game) -> Iterable[tuple[str, bytes]]:
    """The columns and values by which equal games are found."""
    if game.seal_hash is not None:
        yield "seal_hash", game.seal_hash
    if (fingerprint := game.fingerprint) is not None:
        yield "clicks_on_board", fingerprint.clicks_on_board
        yield "board", fingerprint.board
        if fingerprint.clicks_start is not None:
            yield "clicks_start", fingerprint.clicks_start
        if fingerprint.opening_clicks >= TELLING_CLICKS:
            yield "clicks", fingerprint.clicks


def _candidates(games: Iterable[_Game]) -> list[_Game]:
    """Stored games that share a key with one of ``games``: of many with the same marks the oldest."""
    lookups: dict[str, set[bytes]] = defaultdict(set)
    for game in games:
        for column, value in _lookups(game):
            lookups[column].add(value)
    own = [game.replay_id for game in games]
    ids: set[int] = set()
    for column, values in lookups.items():
        rows = PlayTrace.objects.filter(**{f"{column}__in": values}).exclude(replay__in=own)
        # One of each kind: what the comparison asks for besides the key.
        kinds = rows.values(
            column, "offsets", "rhythm", "replay__evidence", "replay__ranked", "replay__win", "replay__judgement",
        )  # fmt: skip
        oldest = kinds.annotate(oldest=Min("replay_id")).order_by("oldest").values_list("oldest", flat=True)
        ids.update(oldest[:_MAX_CANDIDATES])
    columns = [f"replay__{name}" for name in ("level", "win", "evidence", "ranked", "judgement", "judgement_code")]
    found = PlayTrace.objects.filter(replay__in=ids, replay__status=Replay.Status.DONE)
    return [
        _Game(
            pk,
            level,
            win,
            evidence,
            ranked,
            judgement == Replay.Judgement.SUSPICIOUS and code != Replay.DECIDED,
            _bytes(seal_hash),
            _fingerprint(fingerprint),
        )
        for pk, level, win, evidence, ranked, judgement, code, seal_hash, *fingerprint in found.values_list(
            "replay_id", *columns, "seal_hash", *_FINGERPRINT
        )
    ]


def _bytes(value: bytes | memoryview | None) -> bytes | None:
    return None if value is None else bytes(value)


def _fingerprint(values: Sequence[object]) -> Fingerprint | None:
    if values[0] is None:
        return None
    plain = [bytes(value) if isinstance(value, memoryview) else value for value in values]
    return Fingerprint(**dict(zip(_FINGERPRINT, plain, strict=True)))  # type: ignore[arg-type]


def _by_key(games: Iterable[_Game]) -> dict[tuple[str, bytes], list[_Game]]:
    found: dict[tuple[str, bytes], list[_Game]] = defaultdict(list)
    for game in games:
        for lookup in _lookups(game):
            found[lookup].append(game)
    return found


def _findings(game: _Game, everybody: Mapping[tuple[str, bytes], Collection[_Game]]) -> Iterable[StoredFinding]:
    """At most one finding of each code, linking the strongest or oldest game that stands before ``game``."""
    first: dict[str, _Game] = {}
    others = {other.replay_id: other for lookup in _lookups(game) for other in everybody.get(lookup, ())}
    for other in sorted(others.values(), key=_precedence):
        if other.replay_id != game.replay_id and _stands_before(other, game):
            for code in _equalities(game, other):
                first.setdefault(code, other)
    if SAME_CLICKS in first:
        first.pop(SAME_BOARD, None)
    for code, other in first.items():
        yield {"code": code, "text": SENTENCES[code].format(other.replay_id), "replay": other.replay_id}


def _equalities(game: _Game, other: _Game) -> Iterable[str]:
    if game.seal_hash is not None and game.seal_hash == other.seal_hash:
        yield SEAL_REUSED
    both_here = game.evidence == other.evidence == Replay.Evidence.HERE  # dealt the same board by this site
    if game.fingerprint is None or other.fingerprint is None or both_here or game.level != other.level:
        return
    same = same_play(Level(game.level), game.fingerprint, other.fingerprint, both_won=bool(game.win and other.win))
    if same is not None:
        yield same


def _stands_before(other: _Game, game: _Game) -> bool:
    if other.doubted and not game.doubted:
        return False  # a forgery that was uploaded first must not keep the original off the boards
    theirs, ours = STRENGTH[Replay.Evidence(other.evidence)], STRENGTH[Replay.Evidence(game.evidence)]
    if theirs != ours:
        # A weaker file that is ranked was accepted by staff; a stronger one of the same play must not rank beside it.
        return theirs > ours or (other.ranked and other.replay_id < game.replay_id)
    return other.replay_id < game.replay_id


def _precedence(game: _Game) -> tuple[int, int]:
    return -STRENGTH[Replay.Evidence(game.evidence)], game.replay_id


def equal_games(replay: Replay, limit: int) -> list[tuple[str, Replay]]:
    """Up to ``limit`` other analysed games that equal ``replay``, oldest first.

    Each with its code: ``SEAL_REUSED`` if the seal is equal, else ``SAME_CLICKS``.
    """
    trace = PlayTrace.objects.filter(replay=replay).first()
    if trace is None:
        return []
    same = Q()
    for column in ("clicks_start", "clicks_on_board", "seal_hash"):
        if (value := getattr(trace, column)) is not None:
            same |= Q(**{f"trace__{column}": value})
    if not same:
        return []
    rows = Replay.objects.filter(same, status=Replay.Status.DONE).exclude(pk=replay.pk)
    found = rows.select_related("player", "trace").order_by("pk")[:limit]
    sealed = _bytes(trace.seal_hash)
    return [
        (SEAL_REUSED if sealed is not None and _bytes(row.trace.seal_hash) == sealed else SAME_CLICKS, row)
        for row in found
    ]
