"""Files of one play on a site: none is rejected, which of them ranks, and what makes the others be asked again."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from players.models import Identity, PersonalBest, Player, User
from replays.models import AccountDeletion, Contest, Place, Replay
from replays.own.account_deletion.erasing import erase
from replays.own.account_deletion.selectors import SETTLES_AFTER
from replays.trust.judging.services import replay_judge
from replays.trust.ownership.services import games_answer
from replays.trust.places.services import place_decide, places_merge, send_again, settle
from replays.trust.places.stored import StoredBook
from replays.upload.intake.services import Trust, receive_many
from replays.upload.processing.deletion import replay_delete
from replays.upload.processing.services import analyse_replays
from tests.players.naive_boards import expected_boards, stored_boards
from tests.replays.again import analyse_all_again
from tests.replays.conftest import Ingest
from tests.replays.games import game_file, recording
from tests.replays.moderation.conftest import moderator_named
from tests.replays.trust.evidence.test_traces import row_by_row
from tests.replays.trust.places.conftest import COPIES, GAME, aged, copied, original

pytestmark = pytest.mark.django_db

Disputed = tuple[Replay, Replay, Place]
COUNTS, LINKED, DISPUTED, REFUSED = ("accepted", True), ("linked", False), ("disputed", False), ("linked", False)
#: Copies that have another name or result than the original; the others are its game in another file.
OTHER_GAMES = ("hidden character", "renamed", "retimed")


def states(*rows: Replay) -> list[tuple[str, bool]]:
    """Judgement and rank of each, as stored; the boards follow."""
    found = Replay.objects.in_bulk([row.pk for row in rows])
    assert stored_boards() == expected_boards()
    return [(found[row.pk].judgement, found[row.pk].ranked) for row in rows]


def other(seed: int, kind: str = "") -> bytes:
    return COPIES[kind](recording(seed, GAME[1])) if kind else game_file(seed, GAME[1])


@pytest.mark.parametrize("kind", COPIES)
def test_of_two_files_the_first_holds_the_place(ingest: Ingest, owner: User, thief: User, kind: str) -> None:
    mine = ingest(original(), uploader=owner)
    copy = ingest(copied(kind), uploader=thief)
    expected = {"hidden character": [DISPUTED, ("suspicious", False)], "renamed": [DISPUTED, DISPUTED], "retimed": [DISPUTED, DISPUTED]}  # fmt: skip
    assert states(mine, copy) == expected.get(kind, [COUNTS, LINKED])
    assert Contest.objects.count() == (kind in OTHER_GAMES)


def test_a_file_of_the_same_game_is_no_dispute(ingest: Ingest, owner: User, thief: User) -> None:
    """An archive and the player send one game in two files (T9)."""
    archive = ingest(copied("another program"), uploader=thief)
    mine = ingest(original(), uploader=owner)
    assert states(archive, mine) == [COUNTS, LINKED]
    assert mine.game == archive.pk
    assert replay_delete(archive, by=thief)
    assert states(mine) == [COUNTS]


def test_the_best_file_of_a_game_counts(ingest: Ingest, owner: User, thief: User) -> None:
    first = ingest(copied("another program"), uploader=thief)
    Replay.objects.filter(pk=first.pk).update(evidence=Replay.Evidence.OPEN)
    mine = ingest(original(), uploader=owner)
    Replay.objects.filter(pk=mine.pk).update(evidence=Replay.Evidence.SEALED)
    settle([mine.pk])
    ingest(copied("redated"), uploader=thief)
    assert states(first, mine) == [LINKED, COUNTS]


def test_a_copy_that_came_first_waits_with_its_original(disputed: Disputed) -> None:
    mine, copy, place = disputed
    assert states(mine, copy) == [DISPUTED, DISPUTED]
    assert place.holder == copy.pk
    assert (mine.judgement_code, mine.judgement_params) == ("contested", {"replay": copy.pk})
    copy.refresh_from_db()
    assert (copy.judgement_code, copy.judgement_params) == ("contested", {"replay": mine.pk})


def test_a_game_of_long_standing_stays_until_staff_decide(
    ingest: Ingest, owner: User, thief: User, staff: User
) -> None:  # fmt: skip
    mine = aged(ingest(original(), uploader=owner), 15)
    copy = ingest(copied(), uploader=thief)
    assert states(mine, copy) == [COUNTS, LINKED]
    assert Contest.objects.get().state == "open"
    place_decide(Place.objects.get().pk, mine.pk, "It was first.", staff)
    assert states(mine, copy) == [COUNTS, REFUSED]


def test_what_waits_names_the_file_that_counts(ingest: Ingest, owner: User, thief: User) -> None:
    first = aged(ingest(original(), uploader=owner), 15)
    second = ingest(copied("redated"), uploader=owner)
    copy = ingest(copied(), uploader=thief)
    assert (copy.judgement_code, copy.judgement_params) == ("waits", {"replay": first.pk})
    assert replay_delete(first, by=owner)
    copy.refresh_from_db()
    assert (copy.judgement_code, copy.judgement_params) == ("waits", {"replay": second.pk})


def test_a_game_is_settled_if_it_was_final(ingest: Ingest, owner: User, thief: User) -> None:
    mine = aged(ingest(original(), uploader=owner), 13.9)
    copy = ingest(copied(), uploader=thief)
    assert states(mine, copy) == [DISPUTED, DISPUTED]
    replay_delete(copy, by=thief)
    Replay.objects.filter(pk=mine.pk).update(judgement="provisional", judgement_code="top", ranked=True)
    aged(mine, 100)
    assert states(ingest(copied(), uploader=thief)) == [DISPUTED]


def test_a_game_that_staff_accepted_is_settled(ingest: Ingest, owner: User, thief: User, staff: User) -> None:
    mine = replay_judge(ingest(original(), uploader=owner), "accepted", "", staff)
    assert states(mine, ingest(copied(), uploader=thief)) == [COUNTS, LINKED]


def test_t1_an_account_takes_three_games_off_and_a_decision_ends_it(
    ingest: Ingest, owner: User, thief: User, staff: User
) -> None:  # fmt: skip
    games = [ingest(other(seed), uploader=owner) for seed in range(1, 6)]
    copies = [ingest(other(seed, "retimed"), uploader=thief) for seed in range(1, 6)]
    assert [state for state, _ranked in states(*games)] == ["disputed"] * 3 + ["accepted"] * 2
    place_decide(Place.objects.earliest("pk").pk, games[0].pk, "A copy.", staff)
    assert states(*games) == [COUNTS] * 5
    assert states(*copies) == [REFUSED] + [LINKED] * 4
    assert sorted(Contest.objects.values_list("state", flat=True)) == ["line"] * 4 + ["lost"]
    late = User.objects.create_user("late")
    assert states(games[0], ingest(other(1, "renamed"), uploader=late)) == [COUNTS, LINKED]


def test_t1b_a_board_or_a_seal_is_a_note_for_staff(ingest: Ingest, owner: User, thief: User) -> None:
    """One new account put sixty honest records in dispute by the boards or the seals alone (S1)."""
    mine = ingest(original(), uploader=owner)
    played = ingest(row_by_row(recording(*GAME)), uploader=thief)
    assert states(mine) == [COUNTS]
    assert (played.judgement, played.ranked) == ("provisional", True)
    assert "same_board" in [finding["code"] for finding in played.findings]
    assert not Contest.objects.exists()


def test_t1c_taking_a_copy_back_costs_its_stake(ingest: Ingest, owner: User, thief: User) -> None:
    mine = ingest(original(), uploader=owner)
    taken = 0
    for number in range(5):
        copy = ingest(copied("renamed").replace(b"Thief", b"Thief%d" % number), uploader=thief)
        taken += states(mine) == [DISPUTED]
        assert replay_delete(copy, by=thief)
        assert states(mine) == [COUNTS]
    assert taken == 3


def test_t4_a_claim_moves_no_place(ingest: Ingest, owner: User, thief: User) -> None:
    """A free name, claimed for long, took the game of a stranger by a later copy (S4)."""
    mine = ingest(original(), uploader=owner)
    player = Player.objects.get(user=thief)
    name = Identity.objects.create(
        name="Night Thief", player=player, first_player=player, claimant=thief,
        state="claimed", claimed_at=timezone.now() - timedelta(days=20),
    )  # fmt: skip
    copy = ingest(copied("renamed").replace(b"Thief", b"Night Thief"), uploader=thief)
    assert copy.player == name.player
    assert states(mine, copy) == [DISPUTED, DISPUTED]


def test_t3_numbers_of_copies_move_nothing(ingest: Ingest, owner: User, thief: User) -> None:
    names = [b"Thief%d" % number for number in range(6)]
    copies = [ingest(copied("renamed").replace(b"Thief", name), uploader=thief) for name in names]
    mine = ingest(original(), uploader=owner)
    assert states(mine, *copies) == [DISPUTED, DISPUTED, *[LINKED] * 5]
    assert Place.objects.count() == 1


def test_an_account_has_one_contest_a_place(ingest: Ingest, owner: User, thief: User) -> None:
    """Whatever it sends, it makes few rows, and few of those that wait are read for the next file."""
    mine = ingest(original(), uploader=owner)
    names = [b"Thief%d" % number for number in range(3)]
    copies = [ingest(copied("renamed").replace(b"Thief", name), uploader=thief) for name in names]
    assert states(mine, *copies) == [DISPUTED, DISPUTED, LINKED, LINKED]
    assert list(Contest.objects.values_list("state", "game")) == [("open", copies[0].pk)]
    waiting = Place.objects.bulk_create(Place(holder=1, held_at=timezone.now()) for _number in range(20))
    Contest.objects.bulk_create(
        Contest(place=place, user=thief, game=2, takes=False, state="line", made_at=timezone.now()) for place in waiting
    )
    with transaction.atomic():
        book = StoredBook()
        book.reach(thief.pk)
    assert len(book.places) == 4, "the place that it disputes, and three of those in line"
    assert {place.pk for place in waiting[:3]} < book.places.keys(), "the oldest"
    again = Contest(place=waiting[0], user=thief, game=3, takes=False, state="line", made_at=timezone.now())
    with pytest.raises(IntegrityError, match="one_contest_a_place"):
        again.save()


def test_an_account_that_goes_disputes_nothing_any_more(disputed: Disputed, owner: User) -> None:
    """Its files stay, if it likes; the game that it put in dispute left the boards for ever."""
    mine, copy, _place = disputed
    deletion = AccountDeletion.objects.create(
        user=owner, asked_at=timezone.now() - 2 * SETTLES_AFTER, uploads="leave", worked_at=timezone.now()
    )
    erase(owner.pk)
    assert not AccountDeletion.objects.filter(pk=deletion.pk).exists()
    assert states(mine, copy) == [LINKED, COUNTS]


def test_t11_who_loses_gives_way_in_other_games(ingest: Ingest, owner: User, thief: User, staff: User) -> None:
    copies = [ingest(other(seed, "renamed"), uploader=thief) for seed in range(1, 6)]
    games = [ingest(other(seed), uploader=owner) for seed in range(1, 6)]
    assert [ranked for _state, ranked in states(*copies)] == [False] * 3 + [True] * 2
    place_decide(Place.objects.earliest("pk").pk, games[0].pk, "Stolen.", staff)
    assert states(*games) == [COUNTS] * 5
    assert states(*copies) == [REFUSED] + [LINKED] * 4
    assert not Contest.objects.filter(state__in=["open", "line"]).exists()


def test_the_file_that_arrived_first_holds_though_it_was_analysed_later(
    ingest: Ingest, owner: User, thief: User
) -> None:  # fmt: skip
    (receipt,) = receive_many([("mine.rawvf", original())], uploader=owner, enqueue=False)
    copy = ingest(copied("renamed"), uploader=thief)
    assert states(copy) == [COUNTS]
    assert receipt.replay_id is not None
    analyse_replays([receipt.replay_id])
    assert Place.objects.get().holder == receipt.replay_id
    assert Contest.objects.get().user == thief
    (receipt,) = receive_many([("mine.rawvf", other(2))], uploader=owner, enqueue=False)
    same = ingest(other(2, "another program"), uploader=thief)
    assert receipt.replay_id is not None
    analyse_replays([receipt.replay_id])
    assert states(Replay.objects.get(pk=receipt.replay_id), same) == [COUNTS, LINKED]


def test_of_an_archive_of_the_operator_the_first_file_counts(ingest: Ingest, owner: User) -> None:
    def imported(data: bytes) -> Replay:
        (receipt,) = receive_many([("game.rawvf", data)], uploader=None, trust=Trust(names=True), enqueue=False)
        assert receipt.replay_id is not None
        analyse_replays([receipt.replay_id])
        return Replay.objects.get(pk=receipt.replay_id)

    assert states(imported(original()), imported(copied("renamed"))) == [COUNTS, LINKED]
    stranger = ingest(other(2, "renamed"), uploader=owner)
    assert states(imported(other(2)), stranger) == [DISPUTED, DISPUTED], "the operator may dispute a place, too"
    assert states(ingest(other(3)), ingest(other(3, "renamed"))) == [COUNTS, LINKED], "nobody has stakes"


# --- asked again ---


def test_the_holder_is_deleted(disputed: Disputed, thief: User) -> None:
    mine, copy, _place = disputed
    assert replay_delete(copy, by=thief)
    assert states(mine) == [COUNTS]
    assert not Contest.objects.exists(), "what ends without staff leaves no row"


def test_the_last_file_takes_its_place_with_it(disputed: Disputed, thief: User, owner: User) -> None:
    mine, copy, _place = disputed
    replay_delete(copy, by=thief)
    replay_delete(mine, by=owner)
    assert not Place.objects.exists()


def test_a_copy_that_staff_refuse_frees_nothing_but_waits_for_the_decision(disputed: Disputed, staff: User) -> None:
    mine, copy, place = disputed
    replay_judge(copy, "frozen", "Retimed.", staff)
    assert states(mine, copy) == [DISPUTED, ("frozen", False)]
    place_decide(place.pk, mine.pk, "The copy was retimed.", staff)
    assert states(mine, copy) == [COUNTS, ("frozen", False)]


def test_no_file_of_several_is_accepted_alone(disputed: Disputed, staff: User) -> None:
    mine, _copy, _place = disputed
    with pytest.raises(ValidationError, match="decide its place"):
        replay_judge(mine, "accepted", "", staff)


def test_a_refused_game_does_not_come_back_in_a_new_wrapper(
    ingest: Ingest, owner: User, thief: User, staff: User
) -> None:
    frozen = replay_judge(ingest(original(), uploader=thief), "frozen", "A bot.", staff)
    own = ingest(copied("redated"), uploader=thief)
    renamed = ingest(copied("renamed"), uploader=thief)
    assert states(own, renamed) == [LINKED, LINKED]
    assert states(ingest(copied("mirrored"), uploader=owner)) == [COUNTS], "a stranger's file may be the original"
    replay_delete(frozen, by=staff)
    own.refresh_from_db()
    assert (own.judgement, own.judgement_code) == ("frozen", "staff")


def test_the_owner_of_a_name_answers(ingest: Ingest, owner: User, thief: User) -> None:
    """A file of the game that waits for the owner's yes leaves the place to another file of the game."""
    other_file = ingest(copied("another program"), uploader=thief)
    mine = ingest(original(), uploader=owner)
    Player.objects.filter(user=owner).delete()
    Player.objects.filter(pk=mine.player_id or 0).update(user=owner)
    Identity.objects.filter(name="Ada Bot").update(state="claimed", claimant=owner, claimed_at=timezone.now())
    assert states(other_file, mine) == [COUNTS, LINKED]
    games_answer(owner, [other_file.pk], "disowned")
    assert states(other_file, mine)[1] == COUNTS
    games_answer(owner, [other_file.pk], "confirmed")
    assert states(other_file, mine) == [COUNTS, LINKED]


def test_recompute_finds_the_same(ingest: Ingest, disputed: Disputed) -> None:
    mine, copy, _place = disputed
    rows = Replay.objects.order_by("pk").values_list("pk", "place", "game", "judgement", "judgement_code", "ranked")
    before = list(rows)
    analyse_all_again()
    assert list(rows.all()) == before
    assert states(mine, copy) == [DISPUTED, DISPUTED]


# --- staff decide ---


def test_a_place_is_decided_once(ingest: Ingest, disputed: Disputed, staff: User, thief: User) -> None:
    mine, copy, place = disputed
    place_decide(place.pk, mine.pk, "The first is retimed.", staff)
    assert states(mine, copy) == [COUNTS, REFUSED]
    copy.refresh_from_db()
    assert (copy.judgement_code, copy.judgement_reason, copy.judged_by) == ("staff", "The first is retimed.", staff)
    assert Contest.objects.get(user=thief).lost_to == "Ada Bot"
    stranger = ingest(copied("renamed"), uploader=User.objects.create_user("stranger"))
    again = ingest(copied("retimed") + b"\n", uploader=thief)
    assert states(mine, stranger, again) == [COUNTS, LINKED, REFUSED], "no later copy touches what staff decided"


def test_a_wrong_decision_is_made_good(disputed: Disputed, staff: User, owner: User) -> None:
    mine, copy, place = disputed
    place_decide(place.pk, copy.pk, "It came first.", staff)
    assert states(mine, copy) == [REFUSED, COUNTS]
    place_decide(place.pk, mine.pk, "The film shows it.", staff)
    assert states(mine, copy) == [COUNTS, REFUSED]
    assert not Contest.objects.filter(user=owner, state="lost").exists()


def test_an_honest_mistake(disputed: Disputed, staff: User, thief: User) -> None:
    mine, _copy, place = disputed
    place_decide(place.pk, mine.pk, "A shared machine.", staff, no_fault=[thief.pk])
    assert Contest.objects.get(user=thief).state == "excused"


def test_games_that_are_not_one_play(disputed: Disputed, staff: User) -> None:
    mine, copy, place = disputed
    place_decide(place.pk, None, "A tournament board.", staff)
    assert states(mine, copy) == [COUNTS, COUNTS]
    assert not Contest.objects.exists()
    assert Place.objects.count() == 2


def test_staff_decide_nothing_of_their_own(disputed: Disputed) -> None:
    """Not even of a file that they sent after its uploader."""
    mine, copy, place = disputed
    moderator = moderator_named("moderator")
    send_again(moderator, [copy.pk])
    with pytest.raises(ValidationError, match="your own"):
        place_decide(place.pk, mine.pk, "Mine.", moderator)


# --- similar games ---


def test_games_that_were_saved_at_the_same_moment_are_merged_later(ingest: Ingest, owner: User, thief: User) -> None:
    mine, similar = ingest(game_file(4), uploader=owner), ingest(game_file(5), uploader=thief)
    places_merge({similar.pk: [mine.pk], mine.pk: [similar.pk]})
    assert Place.objects.get().holder == mine.pk
    assert similar.pk != mine.pk
    assert {row.game for row in Replay.objects.all()} == {mine.pk, similar.pk}


@pytest.mark.parametrize("kind", [{"mode": "upk"}, {"win": False, "result": "lost", "completion": 0.02}], ids=str)
def test_games_that_cannot_be_on_boards_have_no_place(
    ingest: Ingest, owner: User, thief: User, kind: dict[str, object]
) -> None:  # fmt: skip
    """Junk that came first keeps nobody out, and practice fills no queue; nor does a game that was lost at once."""
    junk = ingest(copied("renamed"), uploader=thief)
    Replay.objects.filter(pk=junk.pk).update(**kind)
    assert ingest(original(), uploader=owner).ranked
    assert not Place.objects.exists()


def test_a_best_follows_the_holder(disputed: Disputed, staff: User) -> None:
    mine, copy, place = disputed
    assert not PersonalBest.objects.filter(replay__in=[mine.pk, copy.pk]).exists()
    place_decide(place.pk, mine.pk, "The film.", staff)
    assert PersonalBest.objects.filter(replay=mine).exists()
