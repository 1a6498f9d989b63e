"""The attacks on which the rules of places were tried (docs/threats.md), and the honest disputes, at small size."""

from __future__ import annotations

from dataclasses import replace

import pytest

from replays.trust.places.place_rules import OPERATOR, Book, State
from tests.replays.trust.places.world import Bytes, Site, fresh, on_boards, renamed, truthful

VERA = dict.fromkeys((f"g{number}" for number in range(9)), "Vera")


@pytest.fixture
def site() -> Site:
    return Site()


def sent(site: Site, who: str, games: list[Bytes]) -> list[int]:
    return [site.send(who, data) for data in games]


def as_tom(games: list[Bytes]) -> list[Bytes]:
    return [renamed(data, "Tom") for data in games]


def test_t1a_one_account_takes_three_fresh_records_off_and_no_more(site: Site) -> None:
    games = fresh(6)
    sent(site, "V", games)
    sent(site, "T", as_tom(games))
    assert on_boards(site, games) == 3
    truthful(site, VERA)
    assert on_boards(site, games) == 6, "with one lost decision it has nothing open any more"
    sent(site, "S", [renamed(data, "Sly", "z") for data in games])
    assert on_boards(site, games) == 4, "the decided one stays, and another account has three of its own"


def test_t1b_a_seal_or_a_board_takes_nothing(site: Site) -> None:
    games = fresh(2)
    sent(site, "V", games)
    site.send("T", Bytes("zz1", "bz", games[0].seal, "Tom"))
    site.send("S", Bytes("zz2", games[1].board, "xz", "Sly"))
    assert on_boards(site, games) == 2
    assert not site.queue()


def test_t1c_a_copy_sent_and_deleted_ten_times_costs_a_stake_each_time(site: Site) -> None:
    (game,) = fresh(1)
    site.send("V", game)
    taken = 0
    for number in range(10):
        copy = site.send("T", replace(renamed(game, "Tom", f"x{number}"), numbers=f"alt{number}"))
        taken += not on_boards(site, [game])
        site.delete("T", copy)
    assert taken == 3


def test_t2_a_squatted_look_alike_moves_no_place(site: Site) -> None:
    site.send("S", Bytes("zz", "bz", "sz", "Vera*"))
    site.wait(1)
    (game,) = fresh(1)
    site.send("V", game)
    assert on_boards(site, [game])
    site.wait(1)
    site.send("T", renamed(game, "Tom"))
    assert not site.ranked() - {1}, "nobody counts until the decision"
    truthful(site, VERA)
    assert on_boards(site, [game])


def test_t3_numbers_of_copies_move_nothing(site: Site) -> None:
    (game,) = fresh(1)
    sent(site, "T", [renamed(game, f"Tom{number}", f"x{number}") for number in range(9)])
    site.send("V", game)
    assert (site.ranked(), site.queue()) == (set(), [("place", "g0")])
    truthful(site, VERA)
    assert on_boards(site, [game])


def test_t4_a_claim_of_long_ago_moves_no_place(site: Site) -> None:
    site.send("T", Bytes("zz", "bz", "sz", "Night Thief"))
    site.claim("T", "Night Thief")
    site.wait(20)
    (game,) = fresh(1)
    site.send("V", game)
    site.send("T", renamed(game, "Night Thief"))
    assert on_boards(site, [renamed(game, "Night Thief")]) == 0
    truthful(site, VERA)
    assert on_boards(site, [game])


def test_t5_who_sends_the_bytes_first_does_not_own_them(site: Site) -> None:
    (game,) = fresh(1)
    pk = site.send("T", game)
    assert site.send("V", game) == pk
    site.delete("T", pk)
    assert on_boards(site, [game])
    site.delete("V", pk)
    assert not site.files


def test_to_wait_for_two_weeks_settles_nothing(site: Site) -> None:
    (game,) = fresh(1)
    copy = site.send("T", renamed(game, "Tom"))
    site.send("V", game)
    site.wait(20)
    site.delete("T", copy)
    assert on_boards(site, [game])
    site.send("S", renamed(game, "Sly", "z"))
    assert not on_boards(site, [game]), "it holds the place since today"


def test_t7_who_lost_once_is_no_outlaw(site: Site) -> None:
    one, two = fresh(2)
    site.send("S", renamed(one, "Sly"))
    site.send("V", one)
    place = site.plays["g0"]
    site.book.decide(place, place.games[1])  # wrongly
    assert site.book.stakes(site.account("V")) == 0
    site.send("V", two)
    site.send("T", renamed(two, "Tom"))
    assert on_boards(site, [renamed(two, "Tom")]) == 0
    truthful(site, VERA)
    assert on_boards(site, [two])


def test_t8_an_open_file_is_not_laundered_into_a_sealed_one(site: Site) -> None:
    (game,) = fresh(1)
    site.send("V", replace(game, cls="open", seal=""))
    site.send("T", renamed(game, "Tom"))
    assert not site.ranked()
    truthful(site, VERA)
    assert on_boards(site, [game]), "what staff chose ranks, whatever its class"


def test_t9_an_archive_and_the_player_send_one_game_in_two_files(site: Site) -> None:
    (game,) = fresh(1)
    sent(site, "W", [game])
    sent(site, "V", [replace(game, seal="y")])
    assert (on_boards(site, [game]), site.queue()) == (1, [])


def test_t10_junk_with_the_seals_of_an_archive_keeps_nobody_out(site: Site) -> None:
    games = fresh(6)
    sent(site, "T", [Bytes(f"zz{number}", f"bz{number}", data.seal, "Tom") for number, data in enumerate(games)])
    sent(site, "V", games)
    assert (on_boards(site, games), site.queue()) == (6, [])


def test_t11_who_stole_many_gives_way_to_the_name_after_one_decision(site: Site) -> None:
    games = fresh(6)
    sent(site, "T", as_tom(games))
    sent(site, "V", games)
    assert on_boards(site, as_tom(games)) == 3, "beyond the owner's three stakes"
    assert truthful(site, VERA) == 3
    assert (on_boards(site, games), on_boards(site, as_tom(games)), site.queue()) == (6, 0, [])


# --- what the walk found in earlier drafts ------------------------------------------------------------------------------


def test_others_give_way_to_a_name_and_not_to_all_who_sent_the_winner(site: Site) -> None:
    one, two = fresh(2)
    site.send("S", renamed(one, "Sly"))
    site.send("S", renamed(two, "Sly"))
    sent(site, "V", [one])
    site.send("T", one)  # the true bytes as well
    truthful(site, VERA)
    site.send("T", renamed(two, "Tom"))
    assert on_boards(site, [renamed(two, "Tom")]) == 0
    site.send("V", two)
    assert site.plays["g1"].held_by.name == "Vera", "her name takes the place at once; Tom has a stake in it"


def test_who_also_sent_the_true_bytes_loses_with_the_copy(site: Site) -> None:
    (game,) = fresh(1)
    site.send("T", renamed(game, "Tom"))
    sent(site, "T", [game])
    sent(site, "V", [game])
    truthful(site, VERA)
    assert site.book.stakes(site.account("T")) == 0
    assert site.book.stakes(site.account("V")) == 3


def test_another_file_of_the_game_inherits_before_the_next_in_line(site: Site) -> None:
    (game,) = fresh(1)
    first = site.send("V", game)
    site.send("T", renamed(game, "Tom"))
    second = site.send("V", replace(game, seal="y"))
    site.delete("V", first)
    assert second in site.plays["g0"].held_by.files
    assert not site.ranked(), "still contested"


def test_a_choice_of_staff_ends_with_the_game(site: Site) -> None:
    (game,) = fresh(1)
    copy = site.send("T", renamed(game, "Tom"))
    site.send("S", renamed(game, "Sly"))
    site.decide(("place", "g0"), copy)
    site.send("V", game)
    site.delete("T", copy)
    site.send("T", renamed(game, "Tom"))
    assert site.plays["g0"].held_by.name == "Vera", "whoever comes again comes last"
    truthful(site, VERA)
    assert on_boards(site, [game])


def test_what_staff_refused_is_no_heir(site: Site) -> None:
    (game,) = fresh(1)
    winner = site.send("T", renamed(game, "Tom"))
    refused = site.send("S", renamed(game, "Sly"))
    site.decide(("place", "g0"), winner)
    mine = site.send("V", game)
    site.delete("T", winner)
    assert site.refused(refused)
    assert site.ranked() == {mine}


def test_two_files_of_one_account_harm_nobody(site: Site) -> None:
    """Two owners of one computer, or one player with two programs that count moves in two ways."""
    (game,) = fresh(1)
    sent(site, "V", [game, replace(game, name="Will", seal="y"), replace(game, numbers="rounded", seal="z")])
    assert (on_boards(site, [game]), site.queue()) == (1, [])


def test_a_club_mate_with_the_same_files_disputes_nothing(site: Site) -> None:
    (game,) = fresh(1)
    sent(site, "W", [game])
    sent(site, "V", [game, replace(game, seal="y")])
    sent(site, "W", [replace(game, numbers="rounded", seal="z")])
    assert (on_boards(site, [game]), site.queue()) == (1, [])


# --- parts of rules -----------------------------------------------------------------------------------------------------


def test_what_has_been_here_for_two_weeks_stays_until_staff_decide(site: Site) -> None:
    (game,) = fresh(1)
    site.send("T", renamed(game, "Tom"))
    site.wait(15)
    site.send("V", game)
    assert (on_boards(site, as_tom([game])), site.queue()) == (1, [("place", "g0")])
    truthful(site, VERA)
    assert (on_boards(site, as_tom([game])), on_boards(site, [game])) == (0, 1)


def test_an_honest_mistake_costs_no_stakes(site: Site) -> None:
    (game,) = fresh(1)
    site.send("W", renamed(game, "Will"))
    site.send("V", game)
    place = site.plays["g0"]
    site.book.decide(place, place.games[2], no_fault=[site.account("W")])
    assert on_boards(site, [game])
    assert site.book.stakes(site.account("W")) == 3


def test_a_wrong_decision_is_made_good_by_another_one(site: Site) -> None:
    (game,) = fresh(1)
    site.send("T", renamed(game, "Tom"))
    site.send("V", game)
    place = site.plays["g0"]
    site.book.decide(place, place.games[1])
    assert site.book.stakes(site.account("V")) == 0
    site.book.decide(place, place.games[2])
    assert (site.book.stakes(site.account("V")), site.book.stakes(site.account("T"))) == (3, 0)
    assert on_boards(site, [game])


def test_what_is_not_one_game_gets_places_of_its_own(site: Site) -> None:
    (game,) = fresh(1)
    site.send("W", renamed(game, "Will"))
    site.send("V", game)
    others = site.book.split(site.plays["g0"])
    assert [other.name for other in others] == ["Vera"]
    assert site.ranked() == {1}
    assert not [one for one in site.book.contests if one.state == State.OPEN]


def test_a_game_that_is_played_here_holds_whatever_was_sent(site: Site) -> None:
    (game,) = fresh(1)
    site.send("T", renamed(game, "Tom"))
    site.send("S", renamed(game, "Sly"))
    site.send("V", replace(game, cls="here"))
    assert (on_boards(site, [game]), site.queue()) == (1, [])
    site.send("W", renamed(game, "Will"))
    assert (on_boards(site, [game]), site.queue()) == (1, [])
    assert all(site.book.stakes(site.account(who)) == 3 for who in "TSW")


def test_the_operator_gives_way_to_no_name(site: Site) -> None:
    """One wrong name in an archive does not open all its games to that name."""
    one, two = fresh(2)
    for data in (one, two):
        pk = site.send("X", renamed(data, "archive"))
        site.files[pk][1].senders = {OPERATOR}
    site.send("V", one)
    truthful(site, VERA)
    site.send("V", two)
    assert on_boards(site, [two]) == 0
    assert site.queue() == [("place", "g1")]


def test_flood() -> None:
    """Many copies by some accounts: three each, and a decision for each account."""
    site, games = Site(Book), fresh(40)
    sent(site, "V", games)
    for account in range(4):
        for data in games[account * 5 :: 2]:
            site.send(f"X{account}", renamed(data, f"X{account}", f"x{account}"))
    assert 40 - on_boards(site, games) <= 12
    decisions = 0
    while truthful(site, dict.fromkeys((data.clicks for data in games), "Vera")):
        decisions += 1
    assert decisions <= 4
    assert on_boards(site, games) == 40
