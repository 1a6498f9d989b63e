"""Comparing a game with all stored ones: the same clicks, the same board, the same seal.

The rules are those of ``analysis.evidence.same_play``.  The same or similar clicks are a play whose place somebody holds
(``replays.trust.places``); a board or a seal alone is a note for staff.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from django.db.models import F, Min
from django.db.models.functions import Coalesce

from analysis.evidence import SAME_BOARD, SAME_CLICKS, TELLING_CLICKS, Evidence, Fingerprint, History, same_play
from analysis.recording import Finding, Level
from players.db import bulk
from players.db.locks import lock_keys
from replays.models import PlayTrace, Replay
from replays.trust.evidence.similar import SKETCHED, holders, similar_holders, sketch_values, sketched_games

#: The finding on a file that has the seal of another play.
SEAL_REUSED: Final = "seal_reused"
#: Candidates that are read for one chunk of games, the oldest first: a bound against floods of equal games.
_MAX_CANDIDATES: Final = 5_000
_FINGERPRINT: Final = Fingerprint.__slots__
_HISTORY: Final = History.__slots__
_COLUMNS: Final = (*_FINGERPRINT, "seal_hash", *_HISTORY, *SKETCHED)


class _Game(NamedTuple):
    replay_id: int
    level: str
    win: bool | None
    here: bool
    game_hash: str | None
    seal_hash: bytes | None
    fingerprint: Fingerprint | None


_BY_ID: Final = attrgetter("replay_id")


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


class KnownPlays(NamedTuple):
    """``holders``: by new game, the replay that holds the place of its play, or another new one.  ``notes``: findings."""

    holders: dict[int, int]
    notes: dict[int, list[Finding]]


def known_plays(games: Sequence[tuple[Replay, Evidence]], could_count: Collection[int]) -> KnownPlays:
    """Compare new games with all stored ones, and with one another.

    ``games``: analysed, with their columns set; ``could_count``: those of them that have a place.  Call it in the
    transaction that writes them and their traces: games with equal clicks or seals wait for each other, so that of two that
    are analysed at the same time one sees the other.
    """
    new = sorted((_game(replay, evidence) for replay, evidence in games), key=_BY_ID)
    lock_keys(key for game in new for key in _locked_keys(game))
    counting = [game for game in new if game.replay_id in could_count]
    everybody = _by_key([*_stored(_candidates(counting)), *counting])
    similar = similar_holders(sketched_games((row, evidence) for row, evidence in games if row.pk in could_count))
    held: dict[int, int] = {}
    for game in counting:
        equal = (other.replay_id for other in _equals(game, everybody))
        others = (pk for pk in (*sorted(equal), *similar.get(game.replay_id, ())) if pk not in held)
        first = next((pk for pk in others if pk < game.replay_id or pk not in could_count), None)
        if first is not None:
            held[game.replay_id] = first
    return KnownPlays(held, _notes(new))


def same_clicks(replay_id: int, others: Collection[int]) -> list[int]:
    """Those of ``others``, stored games, that have the same clicks, and not only similar ones; oldest first."""
    games = {game.replay_id: game for game in _stored([replay_id, *others])}
    own = games.pop(replay_id, None)
    return [] if own is None else sorted(pk for pk, other in games.items() if _is_equal(own, other))


def _game(replay: Replay, evidence: Evidence) -> _Game:
    return _Game(
        replay.pk, replay.level, replay.win, replay.evidence == Replay.Evidence.HERE, replay.game_hash,
        evidence.seal_hash, evidence.fingerprint,
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
    if (fingerprint := game.fingerprint) is not None:
        yield "clicks_on_board", fingerprint.clicks_on_board
        if fingerprint.clicks_start is not None:
            yield "clicks_start", fingerprint.clicks_start
        if fingerprint.opening_clicks >= TELLING_CLICKS:
            yield "clicks", fingerprint.clicks


def _candidates(games: Iterable[_Game]) -> set[int]:
    """Stored games that share a key with one of ``games`` and hold their places: of each place the oldest file."""
    lookups: dict[str, set[bytes | str]] = defaultdict(set)
    for game in games:
        for column, value in _lookups(game):
            lookups[column].add(value)
    own = [game.replay_id for game in games]
    ids: set[int] = set()
    for column, values in lookups.items():
        rows = PlayTrace.objects.filter(holders(), **{f"{column}__in": values}).exclude(replay__in=own)
        places = rows.values(spot=Coalesce("replay__place_id", -F("replay_id"))).annotate(oldest=Min("replay_id"))
        ids.update(places.order_by("oldest").values_list("oldest", flat=True)[:_MAX_CANDIDATES])
    return ids


def _stored(ids: Collection[int]) -> list[_Game]:
    columns = [f"replay__{name}" for name in ("level", "win", "evidence", "game_hash")]
    found = PlayTrace.objects.filter(replay__in=ids, replay__status=Replay.Status.DONE)
    return [
        _Game(pk, level, win, evidence == Replay.Evidence.HERE, game_hash, _bytes(seal_hash), _fingerprint(fingerprint))
        for pk, level, win, evidence, game_hash, seal_hash, *fingerprint in found.values_list(
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


def _by_key(games: Iterable[_Game]) -> dict[tuple[str, bytes | str], list[_Game]]:
    found: dict[tuple[str, bytes | str], list[_Game]] = defaultdict(list)
    for game in games:
        for lookup in _lookups(game):
            found[lookup].append(game)
    return found


def _equals(game: _Game, everybody: dict[tuple[str, bytes | str], list[_Game]]) -> Iterator[_Game]:
    others = {other.replay_id: other for lookup in _lookups(game) for other in everybody.get(lookup, ())}
    others.pop(game.replay_id, None)
    return (other for other in others.values() if _is_equal(game, other))


def _is_equal(game: _Game, other: _Game) -> bool:
    same_game = game.game_hash is not None and game.game_hash == other.game_hash
    return same_game or _same_play(game, other) == SAME_CLICKS


def _same_play(game: _Game, other: _Game) -> str | None:
    both_here = game.here and other.here  # dealt the same board by this site
    if game.fingerprint is None or other.fingerprint is None or both_here or game.level != other.level:
        return None
    both_won = bool(game.win and other.win)
    return same_play(Level(game.level), game.fingerprint, other.fingerprint, both_won=both_won)


# --- notes for staff --------------------------------------------------------------------------------------------------


def _notes(games: Sequence[_Game]) -> dict[int, list[Finding]]:
    """Findings on games with the seal or the board of another play that was here before; these say nothing of that one."""
    boards = {game.fingerprint.board for game in games if game.fingerprint is not None}
    seals = {game.seal_hash for game in games if game.seal_hash is not None}
    own = [game.replay_id for game in games]  # whose stored traces may be old
    first = _stored([*_oldest("board", boards, own), *_oldest("seal_hash", seals, own)])
    found: dict[int, list[Finding]] = defaultdict(list)
    for game in games:
        for other in sorted((*first, *games), key=_BY_ID):
            if other.replay_id >= game.replay_id or _is_equal(game, other):
                continue
            if game.seal_hash is not None and game.seal_hash == other.seal_hash:
                found[game.replay_id].append(Finding(SEAL_REUSED, {"replay": other.replay_id}))
                break
            if _same_play(game, other) == SAME_BOARD:
                found[game.replay_id].append(Finding(SAME_BOARD, {"replay": other.replay_id}))
                break
    return found


def _oldest(column: str, values: Collection[bytes], own: Collection[int]) -> list[int]:
    others = PlayTrace.objects.filter(**{f"{column}__in": values}).exclude(replay__in=own)
    rows = others.values(column).annotate(oldest=Min("replay_id"))
    return list(rows.order_by("oldest").values_list("oldest", flat=True)[:_MAX_CANDIDATES])
