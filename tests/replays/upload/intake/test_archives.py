from __future__ import annotations

import io
import random
import stat
import struct
import zipfile
from collections.abc import Callable

import pytest

from analysis.limits import MAX_RATIO, MAX_REPLAY_BYTES, RATIO_FREE_BYTES
from replays.upload.intake.archives import Member, is_other_archive, is_zip, members, replays_of_set
from replays.upload.intake.names import is_system_file
from tests.bench.fuzz.seeds import tiny_game
from tests.encoders import evf
from tests.heavy import overlapping


def archive(*entries: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as opened:
        for name, data in entries:
            opened.writestr(name, data)
    return stream.getvalue()


def read(data: bytes, *, max_files: int = 100, max_bytes: int = 10**9) -> list[Member]:
    return list(members(io.BytesIO(data), "all.zip", max_files=max_files, max_bytes=max_bytes))


def codes(data: bytes, **limits: int) -> list[str]:
    return [member.refused for member in read(data, **limits)]


def unix_entry(name: str, kind: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = (kind | 0o644) << 16
    return info


def with_flag(data: bytes, flag: int) -> bytes:
    """Set a flag bit of the first member, in its own header and in the directory."""
    changed = bytearray(data)
    for head, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.index(head) + offset
        changed[at : at + 2] = struct.pack("<H", struct.unpack_from("<H", data, at)[0] | flag)
    return bytes(changed)


def with_declared_size(data: bytes, size: int) -> bytes:
    """Change the stated unpacked size of the first member, in both headers."""
    changed = bytearray(data)
    for head, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = data.index(head) + offset
        changed[at : at + 4] = struct.pack("<L", size)
    return bytes(changed)


def test_members_come_in_order_with_their_bytes() -> None:
    data = archive(("b/", b""), ("b/two.avf", b"2"), ("one.avf", b"1"), method=zipfile.ZIP_STORED)
    assert [(member.name, member.data, member.refused) for member in read(data)] == [
        ("b/two.avf", b"2", ""),
        ("one.avf", b"1", ""),
    ]


def test_archives_are_recognised_by_content() -> None:
    assert is_zip(archive(("a", b"1")))
    assert is_zip(archive())
    assert not is_zip(b"RawVF_Version: Rev6")
    assert is_other_archive(b"Rar!\x1a\x07\x01")
    assert is_other_archive(b"\x1f\x8b\x08rest")
    assert is_other_archive(b"\0" * 257 + b"ustar")
    assert not is_other_archive(b"RawVF_Version: Rev6")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (archive((unix_entry("link.avf", stat.S_IFLNK), b"/etc/passwd")), "link"),
        (archive((unix_entry("device", stat.S_IFCHR), b"")), "special_file"),
        (archive((unix_entry("pipe", stat.S_IFIFO), b"")), "special_file"),
        (with_flag(archive(("secret.avf", b"1")), 1), "encrypted"),
        (archive(("packed.avf", b"1"), method=zipfile.ZIP_BZIP2), "compression_method"),
        (archive(("packed.avf", b"1"), method=zipfile.ZIP_LZMA), "compression_method"),
        (archive(("inner.zip", archive(("a.avf", b"1")))), "nested_archive"),
        (archive(("inner.gz", b"\x1f\x8b\x08rest")), "nested_archive"),
        (archive(("bomb.avf", bytes(MAX_REPLAY_BYTES + 1))), "too_large"),
        (archive(("bomb.avf", bytes(4 * 1024 * 1024))), "compression_ratio"),
        (with_declared_size(archive(("big.avf", b"1" * 100)), 50), "damaged_member"),
        (
            archive(("a.avf", b"contents"), method=zipfile.ZIP_STORED).replace(b"contents", b"Contents", 1),
            "damaged_member",
        ),
        (archive(), "archive_empty"),
        (archive(("folder/", b"")), "archive_empty"),
        (archive(("a.avf", b"1"))[:-10], "broken_archive"),
        (b"PK\x03\x04 and nothing else", "broken_archive"),
        (b"PK\x05\x06", "broken_archive"),
    ],
)
def test_one_member_is_refused_with_its_reason(data: bytes, code: str) -> None:
    assert codes(data) == [code]


def test_a_false_size_does_not_avoid_the_limit() -> None:
    data = with_declared_size(archive(("bomb.avf", bytes(50 * 1024 * 1024))), 100)
    (member,) = read(data)
    assert member.refused
    assert member.unpacked_bytes <= MAX_REPLAY_BYTES + 1


def test_one_bad_member_does_not_affect_others() -> None:
    data = archive(("a.avf", b"1"), (unix_entry("link", stat.S_IFLNK), b"a.avf"), ("b.avf", b"2"))
    assert [(member.name, member.refused) for member in read(data)] == [("a.avf", ""), ("link", "link"), ("b.avf", "")]


def test_too_many_members() -> None:
    data = archive(*((f"{number}.avf", b"1") for number in range(6)))
    assert codes(data, max_files=5) == ["archive_too_many"]
    assert codes(data, max_files=6) == [""] * 6


def replay_set(replays: int) -> bytes:
    game = tiny_game()
    data = evf.encode(evf.Game(game.board, game.events.tolist(), cell_px=16), 4)
    return evf.encode_set([(b"%d" % number, data) for number in range(replays)])


def large_set() -> bytes:
    """A set of more bytes than any replay may have: a game, and seven files of a megabyte that pack as games do."""
    game = tiny_game()
    data = evf.encode(evf.Game(game.board, game.events.tolist(), cell_px=16), 4)
    noise = bytes(random.Random(1).randbytes(1 << 17)) * 8
    return evf.encode_set([(b"game", data), *((b"%d" % number, noise) for number in range(7))])


def test_a_set_in_an_archive_may_be_larger_than_a_replay() -> None:
    assert len(large_set()) > MAX_REPLAY_BYTES
    data = archive(("a.avf", b"1"), ("b.evfs", large_set()))
    assert codes(data) == [""] * 9
    assert codes(data, max_files=8) == ["", "set_too_many"]
    assert codes(data, max_bytes=MAX_REPLAY_BYTES) == ["", "archive_too_large"]
    assert codes(archive(("b.evfs", large_set() + bytes(1 << 24)))) == ["set_too_many"]
    assert codes(archive(("b.evfs", large_set()[: MAX_REPLAY_BYTES + 2]))) == [*[""] * 5, "broken_set"]


def test_looking_for_large_sets_counts_as_unpacking() -> None:
    """Else an archive would keep a process busy with members that are refused."""
    data = b"\0" + random.Random(1).randbytes(1 << 16) * 81
    found = codes(archive(*((f"{number}.evfs", data) for number in range(5))), max_bytes=3 * MAX_REPLAY_BYTES)
    assert found == ["too_large", "too_large", "archive_too_large"]


def test_a_large_set_whose_bytes_are_damaged() -> None:
    data = archive(("b.evfs", large_set()), method=zipfile.ZIP_STORED)
    damaged = bytearray(data)
    damaged[len(data) // 2] ^= 1
    assert codes(bytes(damaged))[-1] == "damaged_member"


def test_a_replay_of_a_set_keeps_the_limit_of_a_replay() -> None:
    found = list(
        replays_of_set(evf.encode_set([(b"a", bytes(MAX_REPLAY_BYTES + 1)), (b"b", b"1")]), "s.evfs", max_files=9)
    )
    assert [(member.name, member.refused) for member in found] == [("a (1).evf", "too_large"), ("b (2).evf", "")]


@pytest.mark.parametrize(
    ("path", "system"),
    [
        ("games/.DS_Store", True), (".ds_store", True), ("__MACOSX/games/._a.avf", True), ("__MACOSX/a.avf", True),
        ("._a.avf", True), ("x/Thumbs.db", True), ("x\\ehthumbs.db", True), ("Desktop.ini", True), ("@eaDir/a.avf", True),
        ("a.avf", False), ("my.DS_Store", False), ("x._a.avf", False), ("Thumbs.db/a.avf", False), ("_a.avf", False),
        ("desktop.ini.avf", False), ("", False),
    ],
)  # fmt: skip
def test_files_of_an_operating_system(path: str, system: bool) -> None:
    assert is_system_file(path) is system


def test_a_long_path_is_read_once() -> None:
    """A pattern that begins again at each folder would take minutes."""
    assert is_system_file("/@eaDir" * 40_000 + "/\nx")
    assert not is_system_file("/._" * 40_000 + "x/game.avf")


def test_one_line_for_all_files_of_an_operating_system() -> None:
    junk = ("__MACOSX/games/._a.avf", "games/.DS_Store", "games/Thumbs.db", "desktop.ini", "x/.DS_Store", "x/._b.avf")
    found = read(archive(("games/a.avf", b"1"), *((name, b"2") for name in junk), ("b.avf", b"3")))
    assert [(one.name, one.data) for one in found] == [("games/a.avf", b"1"), ("b.avf", b"3"), ("all.zip", b"")]
    assert found[-1].system_files == ["._a.avf", ".DS_Store", "Thumbs.db", "desktop.ini", ".DS_Store", "._b.avf"]
    assert [one.system_files for one in read(archive((".DS_Store", b"2")))] == [[".DS_Store"]]


def test_files_of_an_operating_system_take_no_room() -> None:
    """One stands beside each file, and some in folders."""
    games = [(f"games/{number:0150}.avf", b"1") for number in range(6)]
    junk = [(f"__MACOSX/games/._{number:0150}.avf", b"\0\5\x16\7") for number in range(6)]
    data = archive(*games, *junk, ("games/.DS_Store", b"1"))
    found = read(data, max_files=6)
    assert [one.refused for one in found] == [""] * 7
    assert len(found[-1].system_files) == 7
    assert codes(data, max_files=5) == ["archive_too_many"]


def test_a_replay_whose_name_is_of_an_operating_system_is_kept() -> None:
    game = tiny_game()
    replay = evf.encode(evf.Game(game.board, game.events.tolist(), cell_px=16), 4)
    names = ("._expert.evf", "__MACOSX/real.evf", "@eaDir/._b.evfs")
    data = archive(*zip(names, (replay, replay, replay_set(2)), strict=True), ("._a.evf", b"\0\5\x16\7" + replay))
    assert [one.name for one in read(data)] == [*names[:2], "0 (1).evf", "1 (2).evf", "all.zip"]
    data = archive(("a.evf", replay), *((name, replay) for name in names[:2]))
    assert (codes(data, max_files=3), codes(data, max_files=2)) == ([""] * 3, ["archive_too_many"])


def test_looking_into_files_of_an_operating_system_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """They count as unpacked, and there are not more of them than files."""
    junk = [(f"._{number}", bytes(1 << 20)) for number in range(8)]
    assert codes(archive(*junk, ("a.avf", b"1" * 99)), max_bytes=3 * RATIO_FREE_BYTES)[0] == "archive_too_large"
    opened: list[str] = []
    open_member = zipfile.ZipFile.open

    def note(self: zipfile.ZipFile, info: zipfile.ZipInfo) -> object:
        opened.append(info.filename)
        return open_member(self, info)

    data = archive(*junk)
    monkeypatch.setattr(zipfile.ZipFile, "open", note)
    (member,) = read(data, max_files=3)
    assert (len(member.system_files), len(opened)) == (8, 3)


@pytest.mark.parametrize(("limit", "found"), [(3, [""] * 3), (2, ["set_too_many"])])
def test_a_set_has_as_many_replays_as_allowed(limit: int, found: list[str]) -> None:
    replays = list(replays_of_set(replay_set(3), "set.evfs", max_files=limit))
    assert [member.refused for member in replays] == found
    assert all(member.params == {"limit": limit} for member in replays if member.refused)


def test_a_broken_set_gives_the_replays_before_its_damage() -> None:
    whole, broken = replay_set(3), replay_set(3)[:-40]
    found = list(replays_of_set(broken, "set.evfs", max_files=9))
    assert found[:2] == list(replays_of_set(whole, "set.evfs", max_files=9))[:2]
    assert [(one.name, one.refused) for one in found[2:]] == [("set.evfs", "broken_set")]
    assert codes(archive(("b.evfs", broken), ("c.evf", b"1"))) == ["", "", "broken_set", ""]


@pytest.mark.parametrize(
    ("limit", "found"),
    [
        (6, ["", *[""] * 3, *[""] * 2]),
        (5, ["", *[""] * 3, "set_too_many"]),  # one replay of the last set is one file too many
        (4, ["", "set_too_many", *[""] * 2]),
        (3, ["", "set_too_many", "set_too_many"]),
    ],
)
def test_sets_of_an_archive_share_its_room(limit: int, found: list[str]) -> None:
    """A file, and sets of three and two replays: six files.  A set that is refused takes the room of one."""
    data = archive(("a.avf", b"1"), ("b.evfs", replay_set(3)), ("c.evfs", replay_set(2)))
    assert codes(data, max_files=limit) == found


def test_a_huge_directory_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    data = archive(*((f"{number:0200}.avf", b"1") for number in range(100)))
    monkeypatch.setattr(zipfile, "ZipFile", lambda *_: pytest.fail("the directory was read"))
    assert codes(data, max_files=10) == ["archive_too_many"]


def test_members_up_to_the_limit_of_the_total_are_returned() -> None:
    data = archive(*((f"{number}.avf", b"1" * 1000) for number in range(5)))
    assert codes(data, max_bytes=2500) == ["", "", "archive_too_large"]
    assert codes(data, max_bytes=5000) == [""] * 5
    assert codes(data, max_bytes=4999) == [*[""] * 4, "archive_too_large"]


def test_a_member_may_be_as_large_as_a_file() -> None:
    data = bytes(MAX_REPLAY_BYTES)
    assert codes(archive(("a.avf", data), method=zipfile.ZIP_STORED)) == [""]
    assert codes(archive(("a.avf", data + b"1"), method=zipfile.ZIP_STORED)) == ["too_large"]


def test_small_members_may_be_packed_however_well() -> None:
    assert codes(archive(("a.avf", bytes(RATIO_FREE_BYTES)))) == [""]
    assert codes(archive(("a.avf", bytes(RATIO_FREE_BYTES + 1)))) == ["compression_ratio"]


def test_refused_members_count_towards_the_total() -> None:
    data = archive(*((f"{number}.avf", bytes(4_000_000)) for number in range(5)))
    assert codes(data, max_bytes=2_000_000) == ["compression_ratio", "compression_ratio", "archive_too_large"]


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("王嘉宁.avf".encode("gbk"), "王嘉宁.avf"),
        ("王嘉宁.avf".encode(), "王嘉宁.avf"),
        ("朱镕基_38.82.avf".encode("gbk"), "朱镕基_38.82.avf"),  # the second sign is in GBK alone
        ("录像/张喆 NF.avf".encode("gbk"), "录像/张喆 NF.avf"),
        ("Größe Älter.avf".encode("cp437"), "Größe Älter.avf"),
        ("Élan été.avf".encode("cp437"), "Élan été.avf"),
        ("山田太郎.avf".encode("cp932"), "山田太郎.avf"),
        ("陳大文.avf".encode("cp950"), "陳大文.avf"),
        ("Иван Петров.avf".encode("cp866"), "Иван Петров.avf"),
        ("эксперт_45.avf".encode("cp866"), "эксперт_45.avf"),
        ("王珺_expert.avf".encode("gbk"), "王珺_expert.avf"),
        ("阎珺.avf".encode("gbk"), "阎珺.avf"),
        ("錄像_張偉.avf".encode("gbk"), "錄像_張偉.avf"),
        ("Müller.avf".encode("cp437"), "Müller.avf"),
        (b"../../evil.avf", "../../evil.avf"),  # shown, never used as a path
    ],
)
def test_names_in_several_encodings(raw: bytes, shown: str) -> None:
    placeholder = "x" * len(raw)
    data = archive((placeholder, b"1")).replace(placeholder.encode(), raw)
    assert [member.name for member in read(data)] == [shown]


def test_a_utf8_name_is_itself() -> None:
    assert [member.name for member in read(archive(("王.avf", b"1")))] == ["王.avf"]


@pytest.mark.parametrize("cut", [lambda data, at: data[:at], lambda data, at: data[:at] + b"\xff" + data[at + 1 :]])
def test_damage_anywhere_ends_as_members(cut: Callable[[bytes, int], bytes]) -> None:
    data = archive(("a.avf", b"some content of a replay" * 5), ("b.avf", b"2"))
    for at in range(len(data)):
        found = read(cut(data, at))
        assert found
        assert all(isinstance(member, Member) for member in found)


def test_an_offset_beyond_every_file_is_damage() -> None:
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, 2**64 - 1, 1)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, 2**32 - 1, 2**32 - 1, 0)
    assert codes(b"PK\x03\x04" + locator + end) == ["broken_archive"]


def test_a_member_without_a_name() -> None:
    assert codes(archive(("x", b"1"), ("b.avf", b"2")).replace(b"x", b"\0")) == ["", ""]


# --- small archives that unpack for long ------------------------------------------------------------------------------


@pytest.mark.parametrize("shift", [0, 1])
def test_members_that_share_bytes_are_not_unpacked(shift: int) -> None:
    data = overlapping(1_900, shift=shift)
    assert len(data) < 110_000
    assert [(one.refused, one.unpacked_bytes) for one in read(data, max_files=20_000)] == [
        ("broken_archive", len(data))
    ]


def test_a_directory_may_have_another_order_than_its_files() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as opened:
        for name in ("first.avf", "second.avf"):
            opened.writestr(name, b"1")
        opened.filelist.reverse()
    assert [(one.name, one.refused) for one in read(stream.getvalue())] == [("second.avf", ""), ("first.avf", "")]


def test_a_member_is_unpacked_as_far_as_its_ratio_allows() -> None:
    data = archive(*((f"{number}.avf", bytes(4 * 1024 * 1024)) for number in range(20)))
    found = read(data)
    assert {one.refused for one in found} == {"compression_ratio"}
    assert sum(one.unpacked_bytes for one in found) <= MAX_RATIO * len(data)


def test_an_archive_unpacks_to_so_many_times_its_size() -> None:
    """Each member may be small and regular: what is free for one is not for thousands."""
    data = archive(*((f"{number}.avf", bytes(RATIO_FREE_BYTES)) for number in range(2_000)))
    found = read(data, max_files=20_000)
    assert found[-1].refused == "archive_too_large"
    assert sum(one.unpacked_bytes for one in found) <= MAX_RATIO * len(data)


def test_damaged_members_count_what_was_unpacked_to_see_it() -> None:
    data = archive(("a.avf", b"contents" * 1000), method=zipfile.ZIP_STORED).replace(b"contents", b"Contents", 1)
    assert [(one.refused, one.unpacked_bytes) for one in read(data)] == [("damaged_member", 8_000)]
