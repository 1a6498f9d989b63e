"""Rules for which games are suspicious or unverified, and which are ranked, by the settings of the site.

A verdict is a code with parameters; its sentence is made when it is shown (``replays.trust.reasons``).  Which games are
provisional depends on the boards of the day and is decided once, when a game is saved (``replays.trust.provisional``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from django.conf import settings

from analysis.recording import Mode
from analysis.statistics import RANKED_LEVELS
from replays.models import Replay
from replays.trust.judging import default_rules
from replays.trust.judging.default_rules import Limit

#: The code of a verdict by a limit; a verdict by a finding has the code of the finding.
LIMIT: Final = "limit"
#: The code of a verdict on a file that proves nothing by itself.
OPEN: Final = "open"
#: The finding that names the reason why such a file proves nothing.
WITHDRAWN: Final = "version_withdrawn"
#: Findings on a version that is not on the list: later than all of its program, or any other.
VERSION_NEW: Final = "version_new"
VERSION_UNKNOWN: Final = "version_unknown"
#: The codes of provisional games (``replays.trust.provisional.marking``): as good as the best of the world; among the first of a
#: board; far ahead of the old best.
WORLD_CLASS: Final = "world_class"
TOP: Final = "top"
LEAP: Final = "leap"
#: An upload is provisional if it would be among the first places of a board, or if it beats what its player could do a month
#: before by more than this percentage, in one step or in many; on boards with enough players.
TOP_PLACES: Final = 10
LEAP_PERCENT: Final = 25
LEAST_PLAYERS: Final = 100
#: Columns that :func:`judge_by_rules` sets.
JUDGED: Final = ("judgement", "judgement_code", "judgement_params", "judgement_reason", "provisional_until")
#: Findings that withhold the rank of a game and cast no doubt on its player.
WITHOUT_DOUBT: Final = frozenset({"live_guest"})
#: Findings learnt from native files: what records a game for an open one may leave the way of the mouse out.
_OF_NATIVE_FILES: Final = frozenset({"no_path"})
_RANKED_LEVELS: Final = frozenset(level.value for level in RANKED_LEVELS)

Value: TypeAlias = float | int | None


@dataclass(frozen=True, slots=True)
class Rules:
    """``findings``: codes with which a game is suspicious; ``limits``: bounds beyond which values are held to be
    impossible; ``open_formats``: formats of which files that prove nothing (evidence "open") are ranked all the same;
    ``provisional_limits``: bounds beyond which values are world class.
    """

    findings: frozenset[str] = frozenset()
    limits: tuple[Limit, ...] = ()
    open_formats: frozenset[str] = frozenset()
    provisional_limits: tuple[Limit, ...] = ()

    @classmethod
    def of_site(cls) -> Rules:
        """Read the settings; one that is None has its default."""
        findings, limits, provisional = settings.JUDGE_FINDINGS, settings.JUDGE_LIMITS, settings.PROVISIONAL_LIMITS
        return cls(
            frozenset(default_rules.FINDINGS if findings is None else findings),
            default_rules.LIMITS if limits is None else tuple(limits),
            frozenset(settings.RANK_OPEN_FORMATS),
            default_rules.PROVISIONAL_LIMITS if provisional is None else tuple(provisional),
        )


@dataclass(frozen=True, slots=True)
class Judged:
    """Facts about an analysed game that the rules look at.

    ``value_of``: a statistic by its registry name; None, which breaks no limit, if it is not defined.  ``findings``:
    code and text of each, as stored.
    """

    value_of: Callable[[str], Value]
    findings: Sequence[Mapping[str, Any]]
    level: str
    evidence: str
    format: str
    win: bool | None = True
    mode: str = Mode.STANDARD
    result: str = Replay.Result.WON.value

    @property
    def is_corpse(self) -> bool:
        completion = self.value_of("completion")
        return could_be_corpse(result=self.result, mode=self.mode, level=self.level, completion=completion)


@dataclass(frozen=True, slots=True)
class Verdict:
    """``code`` is empty if the game is accepted."""

    judgement: str = Replay.Judgement.ACCEPTED.value
    code: str = ""
    params: dict[str, object] = field(default_factory=dict)


ACCEPTED: Final = Verdict()
#: The verdict on a game that could not be on a board: accepted as well, and a judgement of before ends.
NOT_JUDGED: Final = Verdict()


def lets_rank(verdict: Verdict) -> bool:
    """Return whether the rules let a game rank, at least provisionally."""
    return verdict is not NOT_JUDGED and verdict.judgement in Replay.RANKED_JUDGEMENTS


def could_rank(*, win: bool | None, mode: str, level: str) -> bool:
    """Return whether it is a won standard game of a ranked level."""
    return bool(win) and mode == Mode.STANDARD and level in _RANKED_LEVELS


def could_be_corpse(*, result: str, mode: str, level: str, completion: Value) -> bool:
    """Return whether it is a lost standard game of a ranked level that went far enough for boards of lost games."""
    return (
        result == Replay.Result.LOST
        and mode == Mode.STANDARD
        and level in _RANKED_LEVELS
        and (completion or 0) * 100 >= settings.MINIMUM_COMPLETION
    )


def rules_apply(replay: Replay) -> bool:
    """Return whether an analysed replay could be on boards of won or of lost games; no other is judged."""
    return could_rank(win=replay.win, mode=replay.mode, level=replay.level) or could_be_corpse(
        result=replay.result, mode=replay.mode, level=replay.level, completion=replay.statistic("completion")
    )


def judged_as(statistic: str, *, is_corpse: bool) -> str:
    """Return the statistic that bounds of ``statistic`` are compared with: of a lost game, its time is the estimated one."""
    return "estime" if is_corpse and statistic == "time" else statistic


def judged(game: Judged, rules: Rules) -> Verdict:
    """The verdict of ``rules`` on ``game``: the first rule that applies, findings before limits before evidence.

    They apply to no game that could not be on a board.
    """
    is_corpse = game.is_corpse
    if not is_corpse and not could_rank(win=game.win, mode=game.mode, level=game.level):
        return NOT_JUDGED
    for finding in game.findings:
        if finding["code"] in rules.findings:
            innocent = WITHOUT_DOUBT | _OF_NATIVE_FILES if game.evidence == Replay.Evidence.OPEN else WITHOUT_DOUBT
            judgement = Replay.Judgement.UNVERIFIED if finding["code"] in innocent else Replay.Judgement.SUSPICIOUS
            return Verdict(judgement.value, finding["code"], finding["params"])
    for level, limited, sign, bound in rules.limits:
        statistic = judged_as(limited, is_corpse=is_corpse)
        value = game.value_of(statistic) if level == game.level else None
        if value is not None and (value < bound if sign == "<" else value > bound):
            return _suspicious(LIMIT, {"statistic": statistic, "sign": sign, "bound": bound, "value": value})
    if game.evidence == Replay.Evidence.OPEN and game.format not in rules.open_formats:
        for code in (WITHDRAWN, VERSION_UNKNOWN):  # they say more than that anybody can change the file
            if (params := _params_of(code, game)) is not None:
                return Verdict(Replay.Judgement.UNVERIFIED.value, code, params)
        return Verdict(Replay.Judgement.UNVERIFIED.value, OPEN)
    if (params := _params_of(VERSION_NEW, game)) is not None:
        return Verdict(Replay.Judgement.PROVISIONAL.value, VERSION_NEW, params)
    return ACCEPTED


def _params_of(code: str, game: Judged) -> dict[str, object] | None:
    return next((finding["params"] for finding in game.findings if finding["code"] == code), None)


def _suspicious(code: str, params: dict[str, object]) -> Verdict:
    return Verdict(Replay.Judgement.SUSPICIOUS.value, code, params)


def keeps_judgement(judgement: str, code: str, verdict: Verdict) -> bool:
    """Return whether a game that the rules let rank keeps its judgement.

    That it is provisional is for people to end, who accept new versions as a whole; for the sake of equal games it is judged
    by its place (``replays.trust.places``).
    """
    if judgement in Replay.FOR_OTHERS:
        return lets_rank(verdict)
    return verdict is ACCEPTED and judgement == Replay.Judgement.PROVISIONAL and code != VERSION_NEW


def verdict_of(replay: Replay, rules: Rules) -> Verdict:
    game = Judged(
        replay.statistic, replay.findings, replay.level, replay.evidence, replay.format, replay.win, replay.mode,
        replay.result,
    )  # fmt: skip
    return judged(game, rules)


def judge_by_rules(replay: Replay, rules: Rules) -> None:
    """Set the judgement of an analysed replay from its columns; decisions of staff are not changed.

    A game that the rules accept stays provisional, or in dispute, if it was.
    """
    if replay.judgement_code == Replay.DECIDED:
        return
    verdict = verdict_of(replay, rules)
    if keeps_judgement(replay.judgement, replay.judgement_code, verdict):
        return
    set_judgement(replay, verdict)


def set_judgement(replay: Replay, verdict: Verdict) -> None:
    replay.judgement, replay.judgement_code = verdict.judgement, verdict.code
    replay.judgement_params, replay.judgement_reason = dict(verdict.params), ""
    replay.provisional_until = None


# --- ranked games -----------------------------------------------------------------------------------------------------


def counts_on_boards(replay: Replay) -> bool:
    """Return whether ``replay`` should be ranked, by its columns and its player (who should be loaded)."""
    return could_rank(win=replay.win, mode=replay.mode, level=replay.level) and _may_be_on_boards(replay)


def counts_as_corpse(replay: Replay) -> bool:
    """Return whether ``replay`` should be on boards of lost games; as :func:`counts_on_boards`."""
    completion = replay.statistic("completion")
    lost = could_be_corpse(result=replay.result, mode=replay.mode, level=replay.level, completion=completion)
    return lost and _may_be_on_boards(replay)


def _may_be_on_boards(replay: Replay) -> bool:
    return bool(
        replay.status == Replay.Status.DONE
        and replay.player is not None
        and replay.player.on_boards
        and replay.ownership not in Replay.NOT_OWNED
        and replay.judgement in Replay.RANKED_JUDGEMENTS
        and (replay.statistic("bv") or 0) >= settings.MINIMUM_3BV.get(replay.level, 0)
    )
