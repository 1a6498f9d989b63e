"""Comparing a game with all stored ones: the same clicks, the same board, the same seal.

The rules are those of ``analysis.evidence.same_play``.  Pairs that are found are links (``replays.trust.equals``), which decide
which of two files stands; nothing here does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from django.db.models import Min

from analysis.evidence import TELLING_CLICKS, Evidence, Fingerprint, History, same_play
from analysis.recording import Level
from players.db import bulk
from players.db.locks import lock_keys
from replays.models import PlayTrace, Replay
from replays.trust.evidence.similar import (
    SKETCHED,
    Kind,
    Pair,
    Sketched,
    similar_pairs,
    sketch_values,
    sketched_games,
    stored_sketches,
)

#: Candidates that are read for one chunk of games, the oldest first: a bound against floods of equal games.
_MAX_CANDIDATES: Final = 5_000
#: So many of the games that equal a new one are linked with it: those on boards first, then those that staff have, then the
#: oldest.
MOST_NEW_LINKS: Final = 10

_FINGERPRINT: Final = Fingerprint.__slots__
_HISTORY: Final = History.__slots__
_COLUMNS: Final = (*_FINGERPRINT, "seal_hash", *_HISTORY, *SKETCHED)


class _Game(NamedTuple):
    replay_id: int
    level: str
    win: bool | None
    here: bool
    ranked: bool
    judgement: str
    game_hash: str | None
    seal_hash: bytes | None
    fingerprint: Fingerprint | None


def store_traces(games: Iterable[tuple[Replay, Evidence]]) -> None:
    """Write what is compared later; call it in the transaction that writes the games."""
    games = list(games)
    sketched = sketched_games(games)
    rows = [(*_row(replay.pk, evidence), *sketch_values(sketched.get(replay.pk))) for replay, evidence in games]
    bulk.upsert(PlayTrace, ("replay_id",), _COLUMNS, rows)


def _row(replay_id: int, evidence: Evidence) -> tuple[object, ...]:
    fingerprint, history = evidence.fingerprint, evidence.history
    return (
        replay_id,
        *((None if fingerprint is None else getattr(fingerprint, name)) for name in _FINGERPRINT),
        evidence.seal_hash,
        *(getattr(history, name) for name in _HISTORY),
    )


def equal_games(games: Sequence[tuple[Replay, Evidence]]) -> list[Pair]:
    """The pairs of each of ``games`` and a stored game that equals it, or another one of them.

    ``games``: analysed, with their columns set.  Call it in the transaction that writes them and their traces: games with
    equal clicks or seals wait for each other, so that of two that are analysed at the same time one sees the other.
    """
    return _pairs([_game(replay, evidence) for replay, evidence in games], sketched_games(games))


def equals_of_stored(ids: Collection[int]) -> list[Pair]:
    return _pairs(_stored(ids), stored_sketches(ids))


def _pairs(new: Sequence[_Game], sketches: Mapping[int, Sketched]) -> list[Pair]:
    lock_keys(key for game in new for key in _locked_keys(game))
    everybody = _by_key([*_stored(_candidates(new)), *new])
    found = {pair[:2]: pair for pair in similar_pairs(sketches)}
    found |= {pair[:2]: pair for game in new for pair in _pairs_of(game, everybody)}  # equal says more than similar
    return sorted(found.values())


def _game(replay: Replay, evidence: Evidence) -> _Game:
    return _Game(
        replay.pk, replay.level, replay.win, replay.evidence == Replay.Evidence.HERE, replay.ranked, replay.judgement,
        replay.game_hash, evidence.seal_hash, evidence.fingerprint,
    )  # fmt: skip


def _locked_keys(game: _Game) -> Iterable[bytes]:
    if game.seal_hash is not None:
        yield game.seal_hash
    if game.fingerprint is not None:
        yield game.fingerprint.clicks_start or game.fingerprint.clicks
    elif game.game_hash is not None:
        yield bytes.fromhex(game.game_hash)


def _lookups(game: _Game) -> Iterable[tuple[str, bytes | str]]:
    if game.game_hash is not None and game.fingerprint is None:  # else equal games have equal clicks
        yield "replay__game_hash", game.game_hash
    if game.seal_hash is not None:
        yield "seal_hash", game.seal_hash
    if (fingerprint := game.fingerprint) is not None:
        yield "clicks_on_board", fingerprint.clicks_on_board
        yield "board", fingerprint.board
        if fingerprint.clicks_start is not None:
            yield "clicks_start", fingerprint.clicks_start
        if fingerprint.opening_clicks >= TELLING_CLICKS:
            yield "clicks", fingerprint.clicks


def _candidates(games: Iterable[_Game]) -> set[int]:
    """Stored games that share a key with one of ``games``: of many with the same marks the oldest."""
    lookups: dict[str, set[bytes | str]] = defaultdict(set)
    for game in games:
        for column, value in _lookups(game):
            lookups[column].add(value)
    own = [game.replay_id for game in games]
    ids: set[int] = set()
    for column, values in lookups.items():
        rows = PlayTrace.objects.filter(**{f"{column}__in": values}).exclude(replay__in=own)
        # One of each kind: what the comparison and the decision ask for besides the key.
        kinds = rows.values(
            column, "offsets", "rhythm", "replay__evidence", "replay__ranked", "replay__win", "replay__judgement",
            "replay__uploader",
        )  # fmt: skip
        oldest = kinds.annotate(oldest=Min("replay_id")).order_by("oldest").values_list("oldest", flat=True)
        ids.update(oldest[:_MAX_CANDIDATES])
    return ids


def _stored(ids: Collection[int]) -> list[_Game]:
    columns = [f"replay__{name}" for name in ("level", "win", "evidence", "ranked", "judgement", "game_hash")]
    found = PlayTrace.objects.filter(replay__in=ids, replay__status=Replay.Status.DONE)
    return [
        _Game(
            pk, level, win, evidence == Replay.Evidence.HERE, ranked, judgement, game_hash, _bytes(seal_hash),
            _fingerprint(fingerprint),
        )
        for pk, level, win, evidence, ranked, judgement, game_hash, seal_hash, *fingerprint in found.values_list(
            "replay_id", *columns, "seal_hash", *_FINGERPRINT
        )
    ]  # fmt: skip


def _bytes(value: bytes | memoryview | None) -> bytes | None:
    return None if value is None else bytes(value)


def _fingerprint(values: Sequence[object]) -> Fingerprint | None:
    if values[0] is None:
        return None
    plain = [bytes(value) if isinstance(value, memoryview) else value for value in values]
    return Fingerprint(**dict(zip(_FINGERPRINT, plain, strict=True)))  # type: ignore[arg-type]


def _by_key(games: Iterable[_Game]) -> dict[tuple[str, bytes | str], list[_Game]]:
    found: dict[tuple[str, bytes | str], list[_Game]] = defaultdict(list)
    for game in games:
        for lookup in _lookups(game):
            found[lookup].append(game)
    return found


def _pairs_of(game: _Game, everybody: Mapping[tuple[str, bytes | str], Collection[_Game]]) -> Iterator[Pair]:
    others = {other.replay_id: other for lookup in _lookups(game) for other in everybody.get(lookup, ())}
    others.pop(game.replay_id, None)
    count = 0
    for other in sorted(others.values(), key=_importance):
        kind = _kind(game, other)
        if kind is not None:
            yield min(game.replay_id, other.replay_id), max(game.replay_id, other.replay_id), kind
            count += 1
        if count == MOST_NEW_LINKS:
            return


def _importance(game: _Game) -> tuple[bool, bool, int]:
    return not game.ranked, game.judgement not in Replay.FOR_OTHERS, game.replay_id


def _kind(game: _Game, other: _Game) -> Kind | None:
    if game.game_hash is not None and game.game_hash == other.game_hash:
        return Kind.SAME_GAME
    same = _same_play(game, other)
    if same == Kind.SAME_CLICKS:
        return same
    sealed = game.seal_hash is not None and game.seal_hash == other.seal_hash
    return Kind.SEAL_REUSED if sealed else same


def _same_play(game: _Game, other: _Game) -> Kind | None:
    both_here = game.here and other.here  # dealt the same board by this site
    if game.fingerprint is None or other.fingerprint is None or both_here or game.level != other.level:
        return None
    both_won = bool(game.win and other.win)
    found = same_play(Level(game.level), game.fingerprint, other.fingerprint, both_won=both_won)
    return None if found is None else Kind(found)
