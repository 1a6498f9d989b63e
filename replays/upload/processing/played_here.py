"""Live games among the replays that are analysed."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from analysis.click_machine import Result
from analysis.live.live_game import SOFTWARE
from analysis.recording import Finding
from players.models import Player
from players.people.selectors import others_of_like_name
from players.people.services import players_of_users
from replays.models import Replay
from replays.play.models import LiveGame
from replays.trust.judging.findings import finding_row
from replays.upload.processing.compute import Analysed

logger = logging.getLogger(__name__)

#: Findings by the reason why a live game cannot rank; the other reasons show in its mode or level.
REASONS: Final = {
    "clock": Finding("live_clock"),
    "guest": Finding("live_guest"),
}


def mark_played_here(games: Collection[tuple[Replay, Analysed]]) -> dict[int, Player | None]:
    """Mark the live games among analysed replays, whose columns are set.

    Returns the players of their accounts (None: it was deleted) by id of the replay.  Their names in the file are taken
    away, since such a game belongs to an account and to nobody by name.  Findings are put before the others: those of the
    live game, and ``live_unknown`` where a file only says that it is one.
    """
    own = {replay.pk: (replay, result) for replay, result in games if replay.evidence == Replay.Evidence.HERE}
    players = _mark_own(own) if own else {}
    _doubt_unknown([replay for replay, _ in games if replay.pk not in players])
    return players


def _mark_own(games: Mapping[int, tuple[Replay, Analysed]]) -> dict[int, Player | None]:
    # ``sha256`` is not among the columns that the caller has read.
    files = dict(Replay.objects.filter(pk__in=games).values_list("sha256", "pk"))
    rows = list(LiveGame.objects.filter(file_sha256__in=files).exclude(file_sha256="").select_related("user"))
    accounts = players_of_users([row.user for row in rows if row.user is not None])
    others = others_of_like_name(accounts.values())
    players = {}
    for row in rows:
        replay, analysed = games[files[row.file_sha256]]
        player = players[replay.pk] = accounts.get(row.user_id or 0)
        replay.identifier = ""
        _put_first(replay, [*_name_findings(player, others), *_findings(row, analysed)])
    return players


def _doubt_unknown(replays: Collection[Replay]) -> None:
    """A finding for those that name this site as their program and were not played here."""
    claiming = [replay for replay in replays if replay.software.strip().casefold() == SOFTWARE.casefold()]
    if not claiming:
        return
    hashes = {replay.game_hash for replay in claiming if replay.game_hash}
    rows = LiveGame.objects.filter(game_hash__in=hashes).exclude(game_hash="")
    known = set(rows.values_list("game_hash", flat=True))
    for replay in claiming:
        if replay.game_hash not in known:
            _put_first(replay, [Finding("live_unknown")])


def _put_first(replay: Replay, findings: Collection[Finding]) -> None:
    replay.findings = [*map(finding_row, findings), *replay.findings]


def _name_findings(player: Player | None, others: Mapping[int, Player]) -> Iterator[Finding]:
    """An account may have any player's name, but must not stand on boards as if it were that player."""
    if player is not None and (other := others.get(player.pk)) is not None:
        yield Finding("name_look_alike", {"player": other.pk, "name": other.shown_name})


def _findings(row: LiveGame, analysed: Analysed) -> Iterator[Finding]:
    if row.reason in REASONS:
        yield REASONS[row.reason]
    yield from differences(row, analysed)
    yield from (Finding(finding["code"], finding["params"]) for finding in row.findings)


def differences(row: LiveGame, analysed: Analysed) -> Iterator[Finding]:
    """A finding, which is logged, if the analysis gives anything else than the player saw."""
    game, values = analysed.analysis.game, analysed.analysis.values
    actual: dict[str, object] = {name: getattr(game, name) for name in row.counts}
    actual |= {"time_ms": values["time_ms"], "bv": values["bv"], "result": _result(game.result)}
    seen: dict[str, object] = {**row.counts, "time_ms": row.time_ms, "bv": row.bv, "result": row.result}
    for name, value in seen.items():
        if actual[name] != value:
            logger.error(
                "The live game %s differs from its replay: %s is %s, not %s", row.pk, name, actual[name], value
            )
            yield Finding("live_differs", {"what": name, "seen": f"{value}", "actual": f"{actual[name]}"})
            return


def _result(result: Result) -> str:
    return str(LiveGame.Result.WON if result is Result.WON else LiveGame.Result.LOST if result is Result.LOST else "")
