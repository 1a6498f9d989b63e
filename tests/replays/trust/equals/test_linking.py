"""Files of one play: none is rejected, which of them ranks, and what makes the others be asked again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from players.models import Identity, PersonalBest, Player, User
from replays.models import GameLink, Objection, Replay
from replays.trust.equals import linking
from replays.trust.equals.linking import link_games
from replays.trust.equals.services import pair_decide
from replays.trust.judging.services import replay_judge, replay_trust_date
from replays.trust.ownership.services import games_answer
from replays.upload.intake.services import Trust, receive_many
from replays.upload.processing.deletion import replay_delete
from replays.upload.processing.services import analyse_replays
from tests.players.naive_boards import expected_boards, stored_boards
from tests.replays.conftest import Ingest
from tests.replays.games import game_file
from tests.replays.trust.equals.conftest import COPIES, aged, copied, original

Kind = GameLink.Kind
pytestmark = pytest.mark.django_db

Disputed = tuple[Replay, Replay, GameLink]


def states(*rows: Replay) -> list[tuple[str, bool]]:
    """Judgement and rank of each, as stored."""
    found = Replay.objects.in_bulk([row.pk for row in rows])
    assert stored_boards() == expected_boards()
    return [(found[row.pk].judgement, found[row.pk].ranked) for row in rows]


STANDS, LINKED, DISPUTED = ("accepted", True), ("linked", False), ("disputed", False)


# --- a copy comes first (S1, S2) ---


@pytest.mark.parametrize("kind", COPIES)
def test_a_copy_that_came_first_wins_nothing(ingest: Ingest, owner: User, thief: User, kind: str) -> None:
    copy = ingest(copied(kind), uploader=thief)
    mine = ingest(original(), uploader=owner)
    assert mine.status == Replay.Status.DONE
    theirs, ours = states(copy, mine)
    assert ours in (STANDS, DISPUTED)
    assert theirs != STANDS
    assert "suspicious" not in (ours[0], theirs[0] if kind != "hidden character" else "")
    assert GameLink.objects.get().kind in ("same_game", "same_clicks")


def test_of_two_files_that_the_operator_imported_the_first_stands(ingest: Ingest) -> None:
    """An archive with the same game twice is nobody's dispute; files of deleted accounts may be."""

    def imported(data: bytes) -> Replay:
        (receipt,) = receive_many([("game.rawvf", data)], uploader=None, trust=Trust(names=True), enqueue=False)
        assert receipt.replay_id is not None
        analyse_replays([receipt.replay_id])
        return Replay.objects.get(pk=receipt.replay_id)

    assert states(imported(original()), imported(copied("byte appended"))) == [STANDS, LINKED]
    Replay.objects.update(ownership=Replay.Ownership.NOT_ASKED)
    assert states(ingest(copied("redated")))[0] == DISPUTED


def test_equal_files_are_one_row(ingest: Ingest, owner: User, thief: User) -> None:
    first = ingest(original(), uploader=thief)
    assert ingest(original(), uploader=owner).pk == first.pk
    assert not GameLink.objects.exists()


# --- the original came first ---


@pytest.mark.parametrize("kind", COPIES)
def test_a_copy_of_an_established_game_changes_nothing(ingest: Ingest, owner: User, thief: User, kind: str) -> None:
    """Somebody downloads a record and sends a copy of it, to knock it off the boards."""
    mine = aged(ingest(original(), uploader=owner), 15)
    copy = ingest(copied(kind), uploader=thief)
    ours, theirs = states(mine, copy)
    assert ours == STANDS
    assert theirs == LINKED or kind == "hidden character"
    assert PersonalBest.objects.filter(replay=mine).exists()
    assert not PersonalBest.objects.filter(replay=copy).exists()


def test_an_established_game_is_one_that_was_final(ingest: Ingest, owner: User, thief: User) -> None:
    mine = aged(ingest(original(), uploader=owner), 13.9)
    copy = ingest(copied(), uploader=thief)
    assert states(mine, copy) == [DISPUTED, DISPUTED]
    GameLink.objects.all().delete()
    replay_delete(copy, by=thief)
    Replay.objects.filter(pk=mine.pk).update(judgement="provisional", judgement_code="top", ranked=True)
    aged(mine, 100)
    again = ingest(copied("mirrored"), uploader=thief)
    assert states(again) == [DISPUTED]


def test_a_claimed_name_of_long_standing_decides(ingest: Ingest, owner: User, thief: User) -> None:
    """Its game leaves a copy behind that came before, and one that comes after."""
    player = Player.objects.get(user=owner)
    since = timezone.now() - timedelta(days=20)
    Identity.objects.create(
        name="Ada Bot", player=player, first_player=player, claimant=owner, state="claimed", claimed_at=since
    )
    copy = ingest(copied("renamed"), uploader=thief)
    mine = ingest(original(), uploader=owner)
    assert mine.player == player
    later = ingest(copied("mirrored").replace(b"Ada Bot", b"Mallory"), uploader=thief)
    assert states(copy, mine, later) == [LINKED, STANDS, LINKED]


def test_files_of_one_account_harm_nobody(ingest: Ingest, owner: User) -> None:
    first = ingest(original(), uploader=owner)
    others = [ingest(copied(kind), uploader=owner) for kind in ("redated", "mirrored")]
    assert states(first, *others) == [STANDS, LINKED, LINKED]
    # Without its account it is still one account's.
    Replay.objects.update(uploader=None)
    linking.ask_again([first.pk])
    assert states(first, *others) == [STANDS, LINKED, LINKED]


# --- asked again ---


def test_the_copy_is_judged(disputed: Disputed, staff: User) -> None:
    mine, copy, _link = disputed
    replay_judge(copy, "frozen", "Retimed.", staff)
    assert states(mine, copy) == [STANDS, ("frozen", False)]


def test_the_original_is_accepted(disputed: Disputed, staff: User) -> None:
    """Also where staff decide on the one replay alone: it answers 200, and something changes (S1)."""
    mine, copy, _link = disputed
    replay_judge(mine, "accepted", "", staff)
    assert states(mine, copy) == [STANDS, LINKED]


def test_the_copy_is_deleted(disputed: Disputed, thief: User) -> None:
    mine, copy, _link = disputed
    assert replay_delete(copy, by=thief)
    assert states(mine) == [STANDS]
    assert not GameLink.objects.exists()


def test_the_original_is_deleted_and_the_copies_are_compared_with_one_another(
    ingest: Ingest, disputed: Disputed, owner: User, settings: Any
) -> None:
    mine, copy, _link = disputed
    third = ingest(copied("mirrored"), uploader=User.objects.create_user("third"))
    GameLink.objects.filter(first=copy, second=third).delete()  # as if there had been too many to link all
    replay_delete(mine, by=owner)
    assert states(copy, third) == [DISPUTED, DISPUTED]


def test_the_name_is_disowned(ingest: Ingest, owner: User, thief: User) -> None:
    """The thief kept the name, and its owner claims it and says no."""
    copy = ingest(copied(), uploader=thief)
    mine = ingest(original(), uploader=owner)
    assert mine.player is not None
    Player.objects.filter(user=owner).delete()
    Player.objects.filter(pk=mine.player_id or 0).update(user=owner)
    Identity.objects.filter(name="Ada Bot").update(state="claimed", claimant=owner, claimed_at=timezone.now())
    games_answer(owner, [copy.pk], "disowned")
    assert states(mine, copy) == [STANDS, DISPUTED] or states(mine, copy) == [STANDS, LINKED]
    games_answer(owner, [copy.pk], "confirmed")
    assert states(mine, copy) == [LINKED, STANDS]  # both are the owner's now: the first


def test_a_date_is_vouched_for(disputed: Disputed, staff: User) -> None:
    mine, copy, _link = disputed
    replay_trust_date(mine, staff, trusted=True)
    assert states(mine, copy) == [STANDS, LINKED]
    replay_trust_date(mine, staff, trusted=False)
    assert states(mine, copy) == [DISPUTED, DISPUTED]


def test_an_objection_stays_open_through_a_dispute(ingest: Ingest, owner: User, thief: User, staff: User) -> None:
    mine = ingest(original(), uploader=owner)
    Objection.objects.create(replay=mine, user=staff, text="Too fast.", created_at=timezone.now())
    copy = ingest(copied(), uploader=thief)
    replay_delete(copy, by=thief)
    mine.refresh_from_db()
    assert (mine.ranked, mine.provisional_until) == (True, None)


# --- staff decide ---


def test_a_pair_is_decided_once(ingest: Ingest, disputed: Disputed, staff: User) -> None:
    mine, copy, link = disputed
    pair_decide(link, "second", "The first is retimed.", staff)
    assert states(mine, copy) == [STANDS, LINKED]
    copy.refresh_from_db()
    assert (copy.judgement_code, copy.judgement_reason, copy.judged_by) == ("staff", "The first is retimed.", staff)
    stranger = ingest(copied("mirrored"), uploader=User.objects.create_user("stranger"))
    assert states(mine, stranger) == [STANDS, LINKED], "what staff decided no later copy puts in dispute"


def test_who_lost_a_pair_opens_no_other(ingest: Ingest, disputed: Disputed, thief: User, staff: User) -> None:
    other = User.objects.create_user("other")
    before = [ingest(game_file(2, original_level()), uploader=other), ingest(other_copy(2), uploader=thief)]
    assert states(*before) == [DISPUTED, DISPUTED]
    pair_decide(disputed[2], "second", "Retimed.", staff)
    assert states(*before) == [STANDS, LINKED], "what the account has in dispute already"
    after = [ingest(game_file(3, original_level()), uploader=other), ingest(other_copy(3), uploader=thief)]
    assert states(*after) == [STANDS, LINKED]


def test_both_may_count(disputed: Disputed, staff: User) -> None:
    mine, copy, link = disputed
    pair_decide(link, "both", "A tournament board.", staff)
    assert states(mine, copy) == [STANDS, STANDS]


def test_a_winner_that_staff_refuse_later_frees_the_other(disputed: Disputed, staff: User) -> None:
    mine, copy, link = disputed
    pair_decide(link, "first", "It came first.", staff)
    assert states(mine, copy) == [LINKED, STANDS]
    replay_judge(copy, "frozen", "It was a copy after all.", staff)
    assert states(mine, copy) == [STANDS, ("frozen", False)]


def test_a_refused_game_does_not_come_back_in_a_new_wrapper(
    ingest: Ingest, owner: User, thief: User, staff: User
) -> None:
    frozen = replay_judge(ingest(original(), uploader=thief), "frozen", "A bot.", staff)
    own = ingest(copied("redated"), uploader=thief)
    assert states(own) == [LINKED]
    stranger = ingest(copied("mirrored"), uploader=owner)
    assert states(stranger) == [DISPUTED], "it may be the original: people look"
    replay_delete(frozen, by=staff)
    own.refresh_from_db()
    assert (own.judgement, own.judgement_code) == ("frozen", "staff")


# --- links ---


def original_level() -> Any:
    from tests.replays.trust.equals.conftest import GAME

    return GAME[1]


def other_copy(seed: int) -> bytes:
    from tests.replays.games import recording

    return COPIES["mirrored"](recording(seed, original_level()))


def test_a_task_may_link_games(ingest: Ingest, owner: User, thief: User) -> None:
    """A task links games as the search for similar games does."""
    mine, other = ingest(game_file(4), uploader=owner), ingest(game_file(5), uploader=thief)
    link_games(
        [
            (other.pk, mine.pk, Kind.SIMILAR_CLICKS),
            (mine.pk, other.pk, Kind.SIMILAR_CLICKS),
            (mine.pk, 10**9, Kind.SAME_BOARD),
        ]
    )
    assert states(mine, other) == [DISPUTED, DISPUTED]
    link_games([(mine.pk, other.pk, Kind.SAME_GAME)])
    link = GameLink.objects.get()
    assert (link.first_id, link.second_id, link.kind) == (mine.pk, other.pk, "similar_clicks")
    with pytest.raises(IntegrityError), transaction.atomic():
        GameLink.objects.create(first=other, second=mine, kind="same_game", made_at=timezone.now(), first_stands=False)


def test_kinds_that_withhold_nothing(ingest: Ingest, owner: User, thief: User, settings: Any) -> None:
    settings.JUDGE_FINDINGS = []
    mine, other = ingest(game_file(4), uploader=owner), ingest(game_file(5), uploader=thief)
    link_games([(mine.pk, other.pk, Kind.SIMILAR_CLICKS)])
    assert states(mine, other) == [STANDS, STANDS]


def test_a_flood_of_copies_disputes_no_more(
    ingest: Ingest, owner: User, monkeypatch: pytest.MonkeyPatch, staff: User
) -> None:
    monkeypatch.setattr(linking, "MOST_LINKS", 2)
    mine = ingest(original(), uploader=owner)
    kinds = ("mirrored", "redated", "retimed", "another program")
    copies = [ingest(copied(kind), uploader=User.objects.create_user(kind)) for kind in kinds]
    flags = GameLink.objects.filter(first=mine).order_by("id").values_list("first_stands", flat=True)
    assert list(flags) == [False, False, True, True]
    for copy in copies[:2]:
        replay_judge(copy, "frozen", "A copy.", staff)
    assert states(mine, *copies) == [STANDS, ("frozen", False), ("frozen", False), LINKED, LINKED]


def test_a_lost_game_takes_nothing_from_anybody(ingest: Ingest, owner: User, thief: User) -> None:
    mine = ingest(original(), uploader=owner)
    other = ingest(game_file(6), uploader=thief)
    Replay.objects.filter(pk=other.pk).update(win=False, ranked=False)
    link_games([(mine.pk, other.pk, Kind.SAME_BOARD)])
    assert Replay.objects.get(pk=mine.pk).ranked
    assert Replay.objects.get(pk=other.pk).judgement == "accepted"
