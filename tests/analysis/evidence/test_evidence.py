"""The evidence of whole files: honest ones have no finding, and each forged one the finding that belongs to it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import formats
from analysis.analyse import Analysis, analyse
from analysis.errors import ReplayError
from analysis.evidence import OPENING, STRONG, EvidenceClass, evidence_of
from analysis.formats import rawvf
from analysis.recording import Kind, Level, Recording
from tests.analysis.evidence.honest import FORMS, codes_in, evidence_in, recording, with_moments
from tests.bench.fuzz.seeds import own_seeds
from tests.effort import examples
from tests.encoders import avf, evf, native
from tests.strategies import damaged, recordings

# --- honest files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("level", [Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT])
def test_an_honest_native_file_is_sealed_and_has_no_finding(form: str, level: Level) -> None:
    data = native.write(recording(form, level))
    evidence = evidence_in(data)
    assert codes_in(data) == []
    assert evidence.evidence_class is EvidenceClass.SEALED
    assert evidence.seal_hash is not None
    assert evidence.fingerprint is not None
    assert len(evidence.seal_hash) == 16


def test_the_class_here_is_never_read_from_a_file() -> None:
    classes = {evidence_in(native.write(recording(form))).evidence_class for form in FORMS}
    assert classes == {EvidenceClass.SEALED}
    assert evidence_in(rawvf.write(replace(recording(), software="here"))).evidence_class is EvidenceClass.OPEN


def test_the_two_sets_of_codes_have_nothing_in_common() -> None:
    assert not STRONG & OPENING


# --- forged files -----------------------------------------------------------------------------------------------------


def scaled(game: Recording, factor: float, *, grid_ms: int | None = None) -> Recording:
    """``game`` with all times multiplied and rounded to ``grid_ms`` (by default the grid of its clock)."""
    grid_ms = game.time_precision_ms if grid_ms is None else grid_ms
    events = game.events.copy()
    events["time_ms"] = np.rint(events["time_ms"] * factor / grid_ms).astype(np.int32) * grid_ms
    return replace(game, events=events)


def shifted(game: Recording, by_ms: int) -> Recording:
    """``game`` with all times later."""
    events = game.events.copy()
    events["time_ms"] += by_ms
    return replace(game, events=events)


def without_moves(game: Recording, share: float) -> Recording:
    """``game`` without a random ``share`` of its moves."""
    chance = np.random.default_rng(1).random(len(game.events))
    return replace(game, events=game.events[(game.events["kind"] != Kind.MOVE) | (chance >= share)])


@pytest.mark.parametrize("factor", [0.7, 0.85, 0.95])
@pytest.mark.parametrize("form", ["avf", "evf 3", "evf 4"])
def test_scaled_times_under_the_old_moments_differ(form: str, factor: float) -> None:
    assert codes_in(native.write(scaled(recording(form, Level.EXPERT), factor))) == ["moments_differ"]


@pytest.mark.parametrize("factor", [0.7, 0.85, 0.95, 0.99])
@pytest.mark.parametrize("form", ["evf 4", "rmv 1", "rmv 2"])
def test_hundredths_that_were_scaled_leave_a_comb(form: str, factor: float) -> None:
    hundredths = scaled(recording(form, Level.EXPERT), 1, grid_ms=10)
    forged = with_moments(scaled(hundredths, factor))
    assert codes_in(native.write(forged)) == ["lattice"]
    assert codes_in(native.write(with_moments(hundredths))) == []  # a timer of 100 Hz is an honest one


def test_text_that_names_arbiter_has_its_hundredths() -> None:
    game = recording()
    assert "lattice" not in codes_in(rawvf.write(game))
    events = game.events.copy()
    events["time_ms"][5:] += 3
    assert "lattice" in codes_in(rawvf.write(replace(game, events=events, time_precision_ms=1)))


@pytest.mark.parametrize("form", [form for form in FORMS if form != "mvf 0.96"])
def test_a_game_that_begins_late(form: str) -> None:
    assert "start_not_zero" in codes_in(native.write(shifted(recording(form), 500)))


def test_an_opening_of_arbiter_that_does_not_stand_at_zero() -> None:
    """The time in the header counts from 0, so moving the opening shortens the game and contradicts it."""
    game = recording()
    later = shifted(game, 200)
    later.events.setflags(write=True)
    later.events["time_ms"][0] = 0
    assert "header_time_early" in codes_in(native.write(with_moments(later)))


def test_arbiter_writes_nothing_behind_the_deciding_release() -> None:
    game = recording()
    longer = replace(game, events=np.append(game.events, game.events[-1:]))
    assert codes_in(native.write(longer)) == ["events_after_end"]


@pytest.mark.parametrize("form", [form for form in FORMS if not form.startswith("mvf")])  # it has places with buttons
@pytest.mark.parametrize("share", [0.5, 0.8])
def test_deleted_moves_leave_buttons_away_from_the_cursor(form: str, share: float) -> None:
    assert "button_jumps" in codes_in(native.write(without_moves(recording(form), share)))


@pytest.mark.parametrize("form", FORMS)
def test_a_game_without_a_path(form: str) -> None:
    assert "no_path" in codes_in(native.write(without_moves(recording(form), 1)))


@pytest.mark.parametrize("form", [form for form in FORMS if form != "mvf 0.96"])
def test_bytes_behind_the_end(form: str) -> None:
    assert "trailing_bytes" in codes_in(native.write(recording(form)) + b"\0")


@pytest.mark.parametrize(
    ("form", "old", "new", "code"),
    [
        ("avf", b"RealTime: ", b"RealTime: 9", "header_times_differ"),
        ("rmv 1", b"#SCORE:", b"#SCORE:9", "header_times_differ"),
        ("rmv 1", b"#NAME:Ann", b"#NAME:Bob", "name_differs"),
        ("avf", b"\rAnn\r", b"\rBob\r", "name_differs"),
    ],
)
def test_a_header_that_says_two_things(form: str, old: bytes, new: bytes, code: str) -> None:
    whole = native.write(recording(form))
    cut = whole.index(old) + len(old)
    same_length = new + whole[cut + len(new) - len(old) :]
    assert code in codes_in(whole[: cut - len(old)] + same_length)


def test_the_right_clicks_of_clone_0_97_must_be_in_the_game() -> None:
    game = recording("mvf 0.97")
    analysis = analyse(game)
    stated = native.right_presses(game.events, analysis.game.end_index)
    whole = native.write(game)
    totals = (analysis.game.dcl, stated)
    old = b"".join(total.to_bytes(2, "big") for total in totals)
    new = old[:2] + (stated + 1).to_bytes(2, "big")
    assert whole.count(old) == 1
    assert codes_in(whole.replace(old, new)) == ["rcl_differs"]


# --- the class --------------------------------------------------------------------------------------------------------


def test_text_is_open_whatever_it_says() -> None:
    evidence = evidence_in(rawvf.write(recording()))
    assert evidence.evidence_class is EvidenceClass.OPEN
    assert evidence.seal_hash is None
    assert codes_in(rawvf.write(recording())) == ["text_format"]


def test_a_converted_file_is_open() -> None:
    game = recording("evf 4")
    data = native.write(replace(game, software="Viennasweeper"))
    assert (codes_in(data), evidence_in(data).evidence_class) == (["converted"], EvidenceClass.OPEN)
    whole = evf.Game(game.board, game.events.tolist(), summary=evf.WON | evf.CONVERTED, cell_px=16)
    assert "converted" in codes_in(evf.encode(whole, 4))


def test_freesweeper_is_open() -> None:
    game = recording()
    game = replace(game, claims=replace(game.claims, bv=analyse(game).facts.bv, time_ms=analyse(game).game.time_ms))
    data = b"".join(avf.parts(game, freesweeper=True).values())
    assert (codes_in(data), evidence_in(data).evidence_class) == (["freesweeper"], EvidenceClass.OPEN)


@pytest.mark.parametrize("version", [3, 4])
def test_a_file_without_a_seal_is_open(version: int) -> None:
    game = recording(f"evf {version}")
    no_seal = {"checksum": b"\0\0"} if version == 4 else {"end": b"\xff"}
    whole = evf.Game(
        game.board, game.events.tolist(), cell_px=16, has_checksum=False, bv=analyse(game).facts.bv,
        time_ms=analyse(game).game.time_ms,
    )  # fmt: skip
    evidence = evidence_in(evf.encode(whole, version, **no_seal))
    assert "seal_absent" in {finding.code for finding in evidence.findings}
    assert (evidence.evidence_class, evidence.seal_hash) == (EvidenceClass.OPEN, None)


@pytest.mark.parametrize("form", ["avf", "evf 3", "evf 4", "mvf 0.97", "mvf 2007", "rmv 1", "rmv 2"])
def test_one_byte_repeated_is_no_seal(form: str) -> None:
    size = len(formats.read(native.write(recording(form))).seal)
    evidence = evidence_in(native.write(recording(form), seal=b"\x07" * size))
    assert [finding.code for finding in evidence.findings] == ["seal_stub"]
    assert (evidence.evidence_class, evidence.seal_hash) == (EvidenceClass.OPEN, None)


def test_a_seal_of_another_length_is_open() -> None:
    whole = native.write(recording("evf 4"))
    data = whole[:-34] + b"\0\x10" + whole[-16:]
    assert (codes_in(data), evidence_in(data).evidence_class) == (["seal_length"], EvidenceClass.OPEN)


def test_a_seal_is_known_again_in_its_format_alone() -> None:
    seal = bytes(range(32))
    first, other = native.write(recording("evf 4"), seal=seal), native.write(recording("evf 4", seed=2), seal=seal)
    assert evidence_in(first).seal_hash == evidence_in(other).seal_hash
    assert evidence_in(first).seal_hash != evidence_in(native.write(recording("mvf 2007"), seal=seal)).seal_hash
    assert evidence_in(first).seal_hash != evidence_in(native.write(recording("evf 4"))).seal_hash


@pytest.mark.parametrize(
    ("form", "changes", "code"),
    [
        ("avf", {"software": "Minesweeper Arbiter 0.42", "format_variant": "0.42"}, "version_unknown"),
        ("avf", {"software": "Minesweeper Arbiter 0.43", "format_variant": "0.43"}, "version_withdrawn"),
        ("avf", {"played_at": datetime(2004, 1, 1)}, "before_version"),  # noqa: DTZ001
        ("evf 4", {"software": "元3.1.12"}, "version_unknown"),  # later than some, not than all
        ("evf 3", {"software": "元3.3.5"}, "version_unknown"),  # the latest ones write version 4
        ("evf 4", {"software": "元3.1.9"}, "version_unknown"),  # it writes version 3
        ("evf 4", {"software": "元3.2.1"}, "version_withdrawn"),
        ("mvf 2007", {"played_at": datetime(2020, 1, 1)}, "version_withdrawn"),  # noqa: DTZ001
        ("rmv 2", {"software": "Vienna Minesweeper - Release 1.0", "format_variant": "5"}, "version_unknown"),
    ],
)
def test_versions(form: str, changes: dict[str, object], code: str) -> None:
    game = with_moments(replace(recording(form), **changes))  # type: ignore[arg-type]
    data = native.write(game)
    assert code in codes_in(data)
    assert evidence_in(data).evidence_class is EvidenceClass.OPEN


@pytest.mark.parametrize(
    ("form", "software"),
    [
        ("avf", "Minesweeper Arbiter 0.52.4"), ("avf", "Minesweeper Arbiter 0.52.10"), ("evf 4", "元3.3.5"),
        ("evf 4", "元3.3.4.1"), ("evf 4", "元4.0.0-beta"), ("rmv 2", "Vienna Minesweeper - Scoreganizer Client Edition - Release 6"),
    ],
)  # fmt: skip
def test_a_version_later_than_all_of_its_program_is_new(form: str, software: str) -> None:
    analysis = analyse(replace(formats.read(native.write(recording(form))), software=software))
    evidence = evidence_of(analysis)
    assert [finding.code for finding in evidence.findings] == ["version_new"]
    assert evidence.evidence_class is EvidenceClass.SEALED


def test_a_program_that_has_ended_has_no_new_versions() -> None:
    clone = replace(formats.read(native.write(recording("mvf 2007"))), software="Minesweeper Clone 2008")
    assert [finding.code for finding in evidence_of(analyse(clone)).findings] == ["version_unknown"]


@pytest.mark.parametrize(
    "software", ["Vienna Minesweeper - Home Edition - Release 2.2", "Vienna Minesweeper - Release 5.1.0"]
)
def test_versions_of_vienna_that_are_on_the_list(software: str) -> None:
    analysis = analyse(replace(formats.read(native.write(recording("rmv 2"))), software=software))
    assert evidence_of(analysis).findings == ()


@pytest.mark.parametrize(("version", "day"), [("元3.3.2", 7), ("元3.3.3", 10), ("元3.3.4", 11)])
def test_versions_of_metasweeper_that_are_on_the_list(version: str, day: int) -> None:
    month = 8 if version == "元3.3.4" else 7
    game = replace(recording("evf 4"), software=version, played_at=datetime(2026, month, day, 12, tzinfo=UTC))
    assert codes_in(native.write(with_moments(game))) == []
    early = replace(game, played_at=datetime(2026, month, day - 3, 12, tzinfo=UTC))
    assert codes_in(native.write(with_moments(early))) == ["before_version"]


def test_missing_moments_cost_the_class() -> None:
    game = recording()
    assert "moments_missing" in codes_in(rawvf.write(replace(game, ended_at=None)))
    assert "moments_missing" in codes_in(rawvf.write(replace(game, played_at=None)))
    whole = avf.parts(replace(game, claims=replace(game.claims, bv=1, time_ms=1)))
    stamp = b"[1|no moments]"
    parts = {
        "stamp_length": bytes([len(stamp)]),
        "stamp": stamp,
        "stamp_checksum": avf.digits(avf.byte_checksum(stamp)),
    }
    assert {"stamp_unreadable", "moments_missing"} <= set(codes_in(b"".join({**whole, **parts}.values())))


def test_moments_of_which_only_one_has_a_zone_are_missing() -> None:
    game = recording()
    assert game.ended_at is not None
    aware = replace(game, ended_at=game.ended_at.astimezone())
    assert "moments_missing" in {finding.code for finding in evidence_of(analyse(aware)).findings}


# --- odd files --------------------------------------------------------------------------------------------------------


def survives(analysis: Analysis) -> None:
    evidence = evidence_of(analysis)
    assert evidence.evidence_class in (EvidenceClass.SEALED, EvidenceClass.OPEN)
    assert evidence.fingerprint is None or len(evidence.fingerprint.clicks) == 16


@given(recordings(legal=True))
@settings(max_examples=examples(100))
def test_any_game_has_evidence(odd: Recording) -> None:
    try:
        analysis = analyse(odd)
    except ReplayError:
        return
    survives(analysis)


@given(st.data())
@settings(max_examples=examples(150))
def test_damaged_files_have_evidence(data: st.DataObject) -> None:
    seed = data.draw(
        st.sampled_from([seed for seed in own_seeds() if len(seed.data) < 20_000 and seed.format != "evfs"])
    )
    try:
        analysis = analyse(formats.read(data.draw(damaged(seed.data))))
    except ReplayError:
        return
    survives(analysis)
