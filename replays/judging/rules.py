"""Which games are suspicious, and which are ranked, by the settings of the site.

A verdict is a code with parameters; its sentence is made when it is shown (``replays.reasons``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from django.conf import settings

from analysis.recording import Mode
from analysis.statistics import RANKED_LEVELS
from replays.models import Replay

#: The code of a verdict by a limit; a verdict by a finding has the code of the finding.
LIMIT: Final = "limit"
#: Columns that :func:`judge_by_rules` sets.
JUDGED: Final = ("judgement", "judgement_code", "judgement_params", "judgement_reason")
_RANKED_LEVELS: Final = frozenset(level.value for level in RANKED_LEVELS)

Value: TypeAlias = float | int | None
Limit: TypeAlias = tuple[str, str, str, float]  # level, statistic, "<" or ">", bound


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of the site: codes of findings, and limits beyond which values are held to be impossible."""

    findings: frozenset[str] = frozenset()
    limits: tuple[Limit, ...] = ()

    @classmethod
    def of_site(cls) -> Rules:
        """The rules of the settings ``JUDGE_FINDINGS`` and ``JUDGE_LIMITS``."""
        return cls(frozenset(settings.JUDGE_FINDINGS), tuple(settings.JUDGE_LIMITS))


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of a game by the rules; ``code`` is empty if it is accepted."""

    judgement: str = Replay.Judgement.ACCEPTED.value
    code: str = ""
    params: dict[str, object] = field(default_factory=dict)


ACCEPTED: Final = Verdict()


def could_rank(*, win: bool | None, mode: str, level: str) -> bool:
    """Whether the rules apply to such a game: a won standard game of a ranked level; no other could be ranked."""
    return bool(win) and mode == Mode.STANDARD and level in _RANKED_LEVELS


def judged(
    value_of: Callable[[str], Value], findings: Sequence[Mapping[str, str]], level: str, rules: Rules
) -> Verdict:
    """The verdict of ``rules`` on a game that could be ranked.

    ``value_of``: a statistic by its registry name; None, which breaks no limit, if it is not defined.  ``findings``:
    code and text of each, as stored.  The first rule that applies decides, findings before limits.
    """
    for finding in findings:
        if finding["code"] in rules.findings:
            return _suspicious(finding["code"], {"text": finding["text"]})
    for limited, statistic, sign, bound in rules.limits:
        value = value_of(statistic) if limited == level else None
        if value is not None and (value < bound if sign == "<" else value > bound):
            return _suspicious(LIMIT, {"statistic": statistic, "sign": sign, "bound": bound, "value": value})
    return ACCEPTED


def _suspicious(code: str, params: dict[str, object]) -> Verdict:
    return Verdict(Replay.Judgement.SUSPICIOUS.value, code, params)


def judge_by_rules(replay: Replay, rules: Rules) -> None:
    """Set the judgement of an analysed replay from its columns; decisions of staff are not changed."""
    if replay.judgement_code == Replay.DECIDED:
        return
    verdict = ACCEPTED
    if could_rank(win=replay.win, mode=replay.mode, level=replay.level):
        verdict = judged(replay.statistic, replay.findings, replay.level, rules)
    replay.judgement, replay.judgement_code = verdict.judgement, verdict.code
    replay.judgement_params, replay.judgement_reason = dict(verdict.params), ""


# --- ranked games -----------------------------------------------------------------------------------------------------


def counts_on_boards(replay: Replay) -> bool:
    """Whether ``replay`` is ranked, by its columns and its player (who should be loaded)."""
    return bool(
        replay.status == Replay.Status.DONE
        and replay.player is not None
        and replay.player.on_boards
        and could_count(
            win=replay.win,
            mode=replay.mode,
            level=replay.level,
            judgement=replay.judgement,
            bv=replay.statistic("bv"),
        )
    )


def could_count(*, win: bool | None, mode: str, level: str, judgement: str, bv: Value) -> bool:
    """Whether an analysed game is ranked if its player is on boards."""
    return (
        could_rank(win=win, mode=mode, level=level)
        and judgement == Replay.Judgement.ACCEPTED
        and (bv or 0) >= settings.MINIMUM_3BV.get(level, 0)
    )
