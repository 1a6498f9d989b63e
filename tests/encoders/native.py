"""Writes a recording as a native file of its own format and version, with a header that agrees with its events.

What a clone would write, as far as it is known; the seal depends on the content and means nothing.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import numpy as np

from analysis.analyse import Analysis, analyse
from analysis.click_machine import Result
from analysis.formats import rawvf
from analysis.recording import Claims, EventArray, Kind, Recording, events_from
from tests.encoders import avf, evf, mvf, rmv

_DOWN = {Kind.LEFT_PRESS: "l", Kind.RIGHT_PRESS: "r", Kind.MIDDLE_PRESS: "m"}
_UP = {Kind.LEFT_RELEASE: "l", Kind.RIGHT_RELEASE: "r", Kind.MIDDLE_RELEASE: "m"}
_TIMER_MS = 15.625  # of Clone 0.97
_RMV_LEVELS = {"beginner": 0, "intermediate": 1, "expert": 2}


def write(recording: Recording, *, seal: bytes | None = None) -> bytes:
    """The file; ``seal`` replaces the one that would be written."""
    analysis = analyse(recording)
    match recording.format:
        case "avf":
            return _avf(analysis, seal)
        case "evf":
            return _evf(analysis, seal)
        case "mvf":
            return _mvf(analysis, seal)
        case "rmv":
            return _rmv(analysis, seal)
    return rawvf.write(recording)


def _avf(analysis: Analysis, seal: bytes | None) -> bytes:
    claims = Claims(time_ms=analysis.game.time_ms, bv=analysis.facts.bv, level=analysis.recording.board.level)
    country = analysis.recording.country if analysis.recording.country in avf.COUNTRY_BYTES else ""
    recording = replace(analysis.recording, claims=claims, country=country)
    replaced = {} if seal is None else {"final_checksum": b"cs=" + seal + b"\r"}
    minor = recording.format_variant.split(".")[1]
    program = f"Minesweeper Arbiter {recording.format_variant}.".encode() + avf.COPYRIGHT
    return avf.encode(recording, version=bytes([int(minor)]), program=program, **replaced)


def _evf(analysis: Analysis, seal: bytes | None) -> bytes:
    recording, game = analysis.recording, analysis.game
    began, ended = recording.played_at, recording.ended_at
    if began is None or ended is None:
        raise ValueError("EVF has the moments of the beginning and of the end")
    flags = (game.result is Result.WON) * (evf.WON | evf.OFFICIAL) | (game.toggles == 0) * evf.NF
    flags |= (game.result is not Result.UNFINISHED) * evf.FAIR
    whole = evf.Game(
        recording.board,
        recording.events.tolist(),
        summary=flags,
        cell_px=recording.cell_px,
        bv=analysis.facts.bv,
        time_ms=game.time_ms,
        began=began,
        end_after_us=evf.microseconds(ended) - evf.microseconds(began),
    )
    whole.texts |= {"player": recording.player_bytes, "software": recording.software.encode()}
    for text, field in (("race", "Race"), ("unique_id", "UniqueId")):
        if field in recording.extra:
            whole.texts[text] = recording.extra[field].encode()
    version = int(recording.format_variant[1:])
    if seal is None:
        return evf.encode(whole, version)
    return evf.encode(whole, version, **{"checksum": b"\0\x20" + seal} if version == 4 else {"end": b"\0" + seal})


def _mvf(analysis: Analysis, seal: bytes | None) -> bytes:
    recording, game = analysis.recording, analysis.game
    release = _mvf_release(recording)
    played_at = recording.played_at or mvf.PLAYED_AT
    whole = mvf.Game(
        recording.board,
        mvf_states(recording.events),
        name=recording.player_bytes,
        time_ms=game.time_ms,
        question_marks=recording.question_marks,
        totals=(analysis.facts.bv, game.bvdone, game.lcl, game.dcl, right_presses(recording.events, game.end_index)),
        date_bytes=_mvf_date(played_at),
    )
    if release == "old96":
        parts = mvf.old_parts(whole, release)
        return mvf.encode(whole, release, tail=parts["tail"] if seal is None else parts["tail"][:100] + seal)
    versions = {} if release == "0.97" else {"version": recording.format_variant.encode()}
    replaced = {} if seal is None else {"checksum": seal}
    if versions:
        years = mvf.VERSIONS[release][0]
        replaced["head"] = mvf.header(years, versions["version"])
    return mvf.encode(whole, release, **replaced)


def _mvf_release(recording: Recording) -> str:
    if recording.format_variant.startswith(("2006", "2007")):
        return recording.format_variant[:4]
    return "0.97" if recording.format_variant.startswith("0.97") else "old96"


def _mvf_date(when: datetime) -> bytes:
    return bytes([when.month, when.day, when.year >> 8, when.year & 255, when.hour, when.minute, when.second])


def _rmv(analysis: Analysis, seal: bytes | None) -> bytes:
    recording, game = analysis.recording, analysis.game
    version = 1 if recording.cell_px == 16 and not recording.format_variant.startswith("5") else 2
    events = recording.events
    preflags = events[events["kind"] == Kind.PREFLAG]
    events = events[events["kind"] != Kind.PREFLAG]
    if len(events) and events["kind"][0] == Kind.LEFT_PRESS:
        events = events[1:]  # the press that opens the first cell is not stored
    level = _RMV_LEVELS.get(recording.board.level, 3)
    nf = int(game.toggles == 0)
    bv = analysis.facts.bv
    marks = int(recording.question_marks)
    nickname, token = recording.code_texts or ("", "")
    by_version = {1: [int(_is_utf8(recording.player_bytes))], 2: [bv & 255, bv >> 8, recording.cell_px]}
    properties = [marks, nf, 0, level, *by_version[version]]
    whole = rmv.Game(
        recording.board,
        events.tolist(),
        end=({Result.WON: rmv.WON, Result.LOST: rmv.LOST}.get(game.result, rmv.OTHER), int(events["time_ms"][-1])),
        players=(recording.player_bytes, nickname.encode(), b"", token.encode()),
        preflags=[
            (int(flag["y_px"]) // recording.cell_px, int(flag["x_px"]) // recording.cell_px) for flag in preflags
        ],
        properties=bytes(properties),
        program=f"{recording.software} Copyright (C) 2008-2024 Christoph Nikolaus Marx.".encode(),
        made_at=recording.played_at or rmv.PLAYED_AT,
        bv=bv,
    )
    return rmv.encode(whole, version, **{} if seal is None else {"checksum": seal})


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


# --- what formats make of events --------------------------------------------------------------------------------------


def mvf_states(events: EventArray) -> list[mvf.State]:
    """The events as MVF has them: where the cursor is, and what is held down."""
    held: list[str] = []
    states: list[mvf.State] = []
    for time_ms, x_px, y_px, kind in events.tolist():
        if kind in _DOWN and _DOWN[kind] not in held:
            held.append(_DOWN[kind])
        elif kind in _UP and _UP[kind] in held:
            held.remove(_UP[kind])
        states.append((time_ms, x_px, y_px, "".join(held)))
    return states


def right_presses(events: EventArray, end: int) -> int:
    """Right presses while the left button is up, which Clone 0.97 counts."""
    left, count = 0, 0
    for kind in events["kind"][: end + 1].tolist():
        left += (kind == Kind.LEFT_PRESS) - (kind == Kind.LEFT_RELEASE)
        count += kind == Kind.RIGHT_PRESS and left <= 0
    return count


def on_clock(recording: Recording) -> Recording:
    """``recording`` with the times that the clock of its program can give, from 0 on."""
    events = recording.events.copy()
    times_ms = events["time_ms"] - events["time_ms"][0]
    if recording.software.startswith("Minesweeper Clone 0.97"):
        times_ms = (times_ms // _TIMER_MS * _TIMER_MS).astype(np.int64)
    events["time_ms"] = times_ms // recording.time_precision_ms * recording.time_precision_ms
    return replace(recording, events=events)


def without_idle_states(recording: Recording) -> Recording:
    """``recording`` without moves to where the cursor is, which MVF does not have."""
    kept: list[tuple[int, int, int, int]] = []
    for event in recording.events.tolist():
        if not (kept and event[3] == Kind.MOVE and event[1:3] == kept[-1][1:3]):
            kept.append(event)
    return replace(recording, events=events_from(kept))
