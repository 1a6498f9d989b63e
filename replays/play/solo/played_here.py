"""The implementation of ``replays.upload.processing.played_here.GamesPlayedHere``; the methods are documented there."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from analysis.click_machine import Result
from analysis.recording import Finding
from players.models import Player
from players.people.selectors import others_of_like_name
from players.people.services import players_of_users
from replays.models import Replay
from replays.play.models import LiveGame
from replays.upload.processing.compute import Analysed
from replays.upload.processing.played_here import PlayedHere

logger = logging.getLogger(__name__)

#: Findings by the reason why a live game cannot rank; the other reasons show in its mode or level.
REASONS: Final = {
    "clock": Finding("live_clock", "The clocks of browser and site do not agree on the time of the game."),
    "taken_over": Finding("live_interrupted", "The process of the site that held the game ended while it was played."),
    "guest": Finding("live_guest", "The game was played without an account."),
}
_DIFFERS: Final = "The player saw %s = %s; the replayed game gives %s."


class LiveGamesPlayed:
    def of_files(self, games: Collection[tuple[Replay, Analysed]]) -> Mapping[int, PlayedHere]:
        # ``sha256`` is not among the columns that the caller has read.
        files = dict(Replay.objects.filter(pk__in=[replay.pk for replay, _ in games]).values_list("sha256", "pk"))
        analysed = {replay.pk: result for replay, result in games}
        rows = list(LiveGame.objects.filter(file_sha256__in=files).exclude(file_sha256="").select_related("user"))
        players = players_of_users([row.user for row in rows if row.user is not None])
        others = others_of_like_name(players.values())
        found = {}
        for row in rows:
            pk, player = files[row.file_sha256], players.get(row.user_id or 0)
            findings = [*_name_findings(player, others), *_findings(row, analysed[pk])]
            found[pk] = PlayedHere(player, tuple(findings))
        return found

    def known_hashes(self, game_hashes: Collection[str]) -> set[str]:
        rows = LiveGame.objects.filter(game_hash__in=game_hashes).exclude(game_hash="")
        return set(rows.values_list("game_hash", flat=True))


def _name_findings(player: Player | None, others: Mapping[int, Player]) -> Iterator[Finding]:
    """An account may have any player's name, but must not stand on boards as if it were that player."""
    if player is not None and (other := others.get(player.pk)) is not None:
        yield Finding("name_look_alike", f"The name looks like that of player #{other.pk}, {other.shown_name}.")


def _findings(row: LiveGame, analysed: Analysed) -> Iterator[Finding]:
    if row.reason in REASONS:
        yield REASONS[row.reason]
    yield from differences(row, analysed)
    yield from (Finding(finding["code"], finding["text"]) for finding in row.findings)


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
            yield Finding("live_differs", _DIFFERS % (name, value, actual[name]))
            return


def _result(result: Result) -> str:
    return str(LiveGame.Result.WON if result is Result.WON else LiveGame.Result.LOST if result is Result.LOST else "")
