"""The interface through which live play says which replays are of games that were played here.

``replays.play`` implements it, since processing must not import it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from analysis.live.live_game import SOFTWARE
from analysis.recording import Finding
from players.models import Player
from replays.models import Replay
from replays.upload.processing.compute import Analysed


@dataclass(frozen=True, slots=True)
class PlayedHere:
    """A game that was played here: the player of its account (None if that was deleted), and what judges should know."""

    player: Player | None
    findings: tuple[Finding, ...]


class GamesPlayedHere(Protocol):
    def of_files(self, games: Collection[tuple[Replay, Analysed]]) -> Mapping[int, PlayedHere]:
        """Return those of ``games`` that are live games, by id of the replay; our own code handed in their files."""
        ...

    def known_hashes(self, game_hashes: Collection[str]) -> set[str]:
        """Return those of ``game_hashes`` that a live game has."""
        ...


_registered: list[GamesPlayedHere] = []


def register(games: GamesPlayedHere) -> None:
    """Use ``games``; live play calls it when Django starts."""
    _registered[:] = [games]


def played_here(games: Collection[tuple[Replay, Analysed]]) -> Mapping[int, PlayedHere]:
    """The live games among analysed replays, whose columns are set; by id of the replay.

    Their names in the file are taken away, since such a game belongs to an account and to nobody by name.  Findings are
    put before the others: those of the live game, and ``live_unknown`` where a file only says that it is one.
    """
    live = _registered[0]
    own = [game for game in games if game[0].evidence == Replay.Evidence.HERE]
    found = live.of_files(own) if own else {}
    for replay, _analysed in own:
        if replay.pk in found:
            replay.identifier = ""
            _put_first(replay, found[replay.pk].findings)
    _doubt_unknown([game for game in games if game[0].pk not in found], live)
    return found


def _doubt_unknown(games: Collection[tuple[Replay, Analysed]], live: GamesPlayedHere) -> None:
    """A finding for those that name this site as their program and were not played here."""
    claiming = [replay for replay, _analysed in games if replay.software.strip().casefold() == SOFTWARE.casefold()]
    if not claiming:
        return
    known = live.known_hashes({replay.game_hash for replay in claiming if replay.game_hash})
    for replay in claiming:
        if replay.game_hash not in known:
            _put_first(replay, (Finding("live_unknown", "The file says that it was played here; no such game was."),))


def _put_first(replay: Replay, findings: Collection[Finding]) -> None:
    replay.findings = [*({"code": one.code, "text": one.text} for one in findings), *replay.findings]
