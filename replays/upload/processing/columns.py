from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from analysis.click_machine import Result
from analysis.countries import country_code
from analysis.evidence import EvidenceClass, withdrawn_when_received
from analysis.names import hidden_characters, is_default_name, shown_name
from analysis.recording import Finding
from analysis.statistics import ANALYSED, LUCK, VERSION
from players.db.text import storable_name, storable_params, storable_text
from players.people.selectors import look_alikes
from replays.models import Replay
from replays.trust.evidence.dates import counted_from
from replays.trust.judging.findings import finding_row
from replays.upload.processing.compute import Analysed

#: Columns that :func:`fill` sets.
FILLED: tuple[str, ...] = (
    "game_hash", "format", "format_variant", "software", "identifier", "name_encoding", "file_country", "level", "rows",
    "columns", "mines", "board", "mode", "style", "result", "win", "time_precision_ms", "played_at", "played_at_has_zone",
    "achieved_at", "evidence", "findings", "statistics_version", *(row.name for row in ANALYSED),
)  # fmt: skip

LUCK_COLUMNS: tuple[str, ...] = (
    "luck_version", "luck_claimed_at", "luck_attempts", "luck_code", *(row.name for row in LUCK),
)  # fmt: skip

_FIRST_YEAR = 1990  # Minesweeper came with Windows in 1990; earlier dates are of clocks that were not set
#: A time without a zone is in the player's zone, which is at most 14 hours ahead of UTC.
_ZONE_SLACK = timedelta(hours=14)
_CLOCK_SLACK = timedelta(minutes=10)
_MAX_FINDINGS = 50
_VARIANT_CHARS = 32


def fill(replay: Replay, analysed: Analysed) -> None:
    """Set all columns that depend on the file alone; not ``player``, judgement and ``ranked``."""
    analysis = analysed.analysis
    recording, board = analysis.recording, analysis.recording.board
    replay.game_hash = analysis.game_hash
    replay.format = recording.format
    replay.format_variant = storable_text(recording.format_variant, _VARIANT_CHARS)
    replay.software = storable_text(recording.software)
    replay.identifier = "" if is_default_name(recording.player) else storable_name(recording.player)
    replay.name_encoding = recording.player_encoding
    replay.file_country = country_code(recording.country)
    replay.level = board.level
    replay.rows, replay.columns, replay.mines = board.rows, board.columns, board.mine_count
    replay.board = board.packed()
    replay.mode = recording.mode
    replay.style = analysis.style
    replay.result = analysis.game.result
    replay.win = analysis.game.result is Result.WON
    replay.time_precision_ms = recording.time_precision_ms
    replay.statistics_version = VERSION
    for row in ANALYSED:
        setattr(replay, row.name, analysis.values[row.name])
    replay.played_at, doubt = played_at(recording.played_at, replay.uploaded_at)
    replay.played_at_has_zone = replay.played_at is None or has_zone(recording.played_at)
    replay.evidence = evidence_class(replay, analysed)
    replay.achieved_at = counted_from(
        played_at=replay.played_at, uploaded_at=replay.uploaded_at, evidence=replay.evidence,
        date_trusted=replay.date_trusted,
    )  # fmt: skip
    # What a file proves says nothing about a game whose every click this site saw.
    own = () if replay.evidence == Replay.Evidence.HERE else _evidence_findings(replay, analysed)
    findings = [*own, *analysis.findings, *([doubt] if doubt else [])]
    replay.findings = [finding_row(finding) for finding in findings[:_MAX_FINDINGS]]


def evidence_class(replay: Replay, analysed: Analysed) -> str:
    """Return HERE if our own code handed the game in, OPEN if its program was withdrawn, else what its file proves."""
    if replay.evidence == Replay.Evidence.HERE:
        return Replay.Evidence.HERE.value
    withdrawn = _withdrawn(replay, analysed) is not None
    return Replay.Evidence.OPEN.value if withdrawn else analysed.evidence.evidence_class.value


def _evidence_findings(replay: Replay, analysed: Analysed) -> tuple[Finding, ...]:
    """The findings of the file, with that of a program that was withdrawn before the file came."""
    withdrawn, found = _withdrawn(replay, analysed), analysed.evidence.findings
    if withdrawn is None or withdrawn.code in {finding.code for finding in found}:
        return found
    return (withdrawn, *found)


def _withdrawn(replay: Replay, analysed: Analysed) -> Finding | None:
    """The finding of a file whose program was withdrawn when it was uploaded, if nobody vouches for its date."""
    recording = analysed.analysis.recording
    if replay.date_trusted and recording.played_at is not None:
        return None
    if analysed.evidence.evidence_class is EvidenceClass.OPEN:  # nothing to lose
        return None
    return withdrawn_when_received(recording, replay.uploaded_at.date())


def add_name_findings(replays: Sequence[Replay]) -> None:
    """Put findings on the names before those of the files.

    They keep games off the boards until staff have seen them, but for the mark of a name that looks like one that nobody
    knows either: whoever squats it makes no newcomer suspicious.
    """
    others = look_alikes({replay.identifier for replay in replays if replay.identifier})
    for replay in replays:
        found = []
        if hidden_characters(replay.identifier):
            found.append(Finding("name_hidden_characters", {"name": shown_name(replay.identifier)}))
        if other := others.get(replay.identifier):
            params: dict[str, str | int] = {"player": other.player.pk, "name": other.player.shown_name}
            found.append(Finding("name_look_alike" if other.is_known else "name_resembles", params))
        replay.findings = [*map(finding_row, found), *replay.findings]


def reset_luck(replay: Replay) -> None:
    replay.luck_version = replay.luck_claimed_at = None
    replay.luck_attempts, replay.luck_code = 0, ""
    for row in LUCK:
        setattr(replay, row.name, None)


def has_zone(stated: datetime | None) -> bool:
    return stated is not None and stated.tzinfo is not None


def played_at(stated: datetime | None, uploaded_at: datetime) -> tuple[datetime | None, Finding | None]:
    """When the game was played, in UTC, and the finding if the stated date is impossible (then None).

    A time without a zone (AVF) is stored as if it were UTC (``Replay.stated_at``).  It is compared with the upload and not with now, so that analysing the
    row again gives the same result.
    """
    if stated is None:
        return None, None
    slack = _CLOCK_SLACK if stated.tzinfo else _ZONE_SLACK
    try:
        when = stated.astimezone(UTC) if stated.tzinfo else stated.replace(tzinfo=UTC)
    except OverflowError:
        return None, Finding("date_impossible")
    if when.year < _FIRST_YEAR:
        return None, Finding("date_too_early", {"year": when.year})
    if when > uploaded_at + slack:
        return None, Finding("date_in_future", {"day": f"{when:%Y-%m-%d}"})
    return when, None


def json_params(params: Mapping[str, object], message: str) -> dict[str, object]:
    """Return the parameters of an error as JSON that the database can store, with its English sentence as ``message``."""
    return storable_params({**params, "message": message})
