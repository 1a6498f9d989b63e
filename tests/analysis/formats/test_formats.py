"""The reader is chosen by content; other files give a helpful error."""

from __future__ import annotations

import re
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import formats
from analysis.errors import LimitExceeded, UnknownFormat
from analysis.formats import avf, evf, mvf, rawvf, rmv
from analysis.limits import MAX_REPLAY_BYTES
from analysis.recording import Recording
from tests.analysis.formats.comparing import survives
from tests.analysis.formats.test_evf import games as evf_games
from tests.analysis.formats.test_mvf import OLD, WITH_HEADER, games
from tests.analysis.formats.test_rmv import games as rmv_games
from tests.effort import examples
from tests.encoders.avf import encode
from tests.encoders.evf import encode as encode_evf
from tests.encoders.mvf import encode as encode_mvf
from tests.encoders.rmv import encode as encode_rmv
from tests.strategies import avf_recordings, damaged, recordings


def test_names_are_those_of_the_recordings() -> None:
    assert [module.NAME for module in formats.FORMATS] == ["avf", "evf", "mvf", "rmv", "rawvf"]


@given(avf_recordings(), recordings(), st.data())
@settings(max_examples=examples(40))
def test_every_file_is_recognised_by_its_own_reader_alone(
    in_avf: Recording, any_recording: Recording, data: st.DataObject
) -> None:
    release = data.draw(st.sampled_from((*WITH_HEADER, *OLD)))
    version = data.draw(st.integers(0, 4))
    files = {
        avf: encode(in_avf),
        evf: encode_evf(data.draw(evf_games(version)), version),
        mvf: encode_mvf(data.draw(games(release)), release),
        rmv: encode_rmv(data.draw(rmv_games(2)), 2),
        rawvf: rawvf.write(any_recording),
    }
    for own, other in permutations(files, 2):
        assert own.recognises(files[own])
        assert not other.recognises(files[own])
        assert formats.read(files[own]).format == own.NAME


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "The file is empty."),
        (b"PK\x03\x04....", "a ZIP archive"),
        (b"Rar!\x1a\x07", "a RAR archive"),
        (b"\x1f\x8b\x08", "a gzip archive"),
        (b"\x89PNG\r\n", "a picture"),
        (b"  <!DOCTYPE html>", "a web page"),
        (b"*umf\x00\x01", "old Vienna Minesweeper (UMF)"),
        (b"something else", "isn't a replay in any format"),
    ],
)
def test_what_is_no_replay_is_named(data: bytes, text: str) -> None:
    with pytest.raises(UnknownFormat, match=re.escape(text)):
        formats.read(data)


def test_a_file_of_the_largest_size_is_looked_at_and_one_byte_more_is_not() -> None:
    with pytest.raises(UnknownFormat):
        formats.read(bytes(MAX_REPLAY_BYTES))
    with pytest.raises(LimitExceeded, match="size of the file"):
        formats.read(bytes(MAX_REPLAY_BYTES + 1))


@given(recordings(), st.data())
@settings(max_examples=examples(100))
def test_damage_to_any_file_is_survived(recording: Recording, data: st.DataObject) -> None:
    survives(formats.read, data.draw(damaged(rawvf.write(recording))))


@given(st.binary(max_size=400))
@settings(max_examples=examples(200))
def test_noise_is_survived(noise: bytes) -> None:
    survives(formats.read, noise)
