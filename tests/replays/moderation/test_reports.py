"""Reports and their queue: who may send and read them, what is decided, and the attacks."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from analysis.recording import Level
from players.db.retry import Conflict
from players.decision_log import Kind, Rule
from players.models import Decision, Player, User
from replays.models import Comment, Replay, Report, ReportedThing
from replays.moderation.selectors import queue_page
from replays.moderation.services import Verdict, report_decide
from replays.moderation.things import ACTIONS, RULES
from replays.play.models import Room
from replays.trust.judging.selectors import judgement_text
from replays.trust.judging.services import replay_judge
from replays.trust.reports.services import case_close, report_make
from replays.watch.comments.services import comment_create, comment_moderate
from tests.caches import clear_caches
from tests.cases import check_each_on_site
from tests.factories import stored_replay
from tests.pages.conftest import board_of
from tests.pages.html import Document
from tests.replays.conftest import Ingest
from tests.replays.conftest import ingest as ingest
from tests.replays.conftest import store as store
from tests.replays.games import game_file
from tests.replays.moderation.conftest import moderator_named, signed_in

pytestmark = pytest.mark.django_db
ADDRESS: Final = "203.0.113.1"
QUEUE: Final = "/staff/reports/"
HOSTILE: Final = "<script>alert(1)</script>\u202egnp.exe"


@pytest.fixture
def replay(owner: User) -> Replay:
    return stored_replay(Player.objects.get(user=owner), uploader=owner, board=board_of(Level.EXPERT))


@pytest.fixture
def comment(replay: Replay, owner: User) -> Comment:
    return comment_create(replay, owner, "You all play like moles.")


def reported(thing: Comment, user: User, rule: str = "abuse", text: str = "") -> ReportedThing:
    return report_make(Kind.COMMENT, thing.pk, thing.user_id, user, ADDRESS, rule, text).thing


def test_a_decision_about_a_thing_closes_no_case_of_another_with_its_number(owner: User) -> None:
    for kind in (Kind.COMMENT, Kind.REPLAY):
        report_make(kind, 7, None, owner, ADDRESS, Rule.OTHER, "Look at it.")
    case_close(Kind.REPLAY, 7)
    assert [case.kind for case in ReportedThing.objects.filter(closed_at=None)] == [Kind.COMMENT]


# --- sending ----------------------------------------------------------------------------------------------------------


def test_each_kind_has_a_form_and_reaches_the_queue(
    replay: Replay, comment: Comment, owner: User, other_client: Client, moderator: User
) -> None:
    room = Room.objects.create(name="Rude room", slug="rude", owner=owner)
    player = Player.objects.get(user=owner)
    keys = {"replay": replay.pk, "comment": comment.pk, "name": player.pk, "room": room.slug}
    assert keys.keys() == {kind.value for kind in RULES}
    for kind, key in keys.items():
        form = other_client.get(f"/report/{kind}/{key}/")
        assert form.status_code == 200
        rule = RULES[Kind(kind)][0]
        answer = other_client.post(f"/report/{kind}/{key}/", {"rule": rule.value, "text": "Look."})
        assert answer.status_code == 302, kind
        assert other_client.get(answer.headers["Location"]).status_code == 200
        other_client.post(f"/report/{kind}/{key}/", {"rule": "other", "text": "Again."})
    page = queue_page(None)
    assert [(row.case.kind, row.reporters, row.reports[0].text) for row in page.rows] == [
        (kind, 1, "Again.") for kind in keys
    ]
    assert [[name for name, _label in row.actions] for row in page.rows] == [
        [name for name, _label in ACTIONS[kind]] for kind in keys
    ]
    assert [row.case.kind for row in queue_page(None, kind="room").rows] == ["room"]
    shown = Document(signed_in(moderator).get(QUEUE).content.decode()).text
    for text in ("Rude room", "You all play like moles.", player.name):
        assert text in shown


def test_what_is_not_there_cannot_be_reported(other_client: Client) -> None:
    def is_refused(kind: str, key: str) -> None:
        assert other_client.get(f"/report/{kind}/{key}/").status_code == 404
        assert other_client.post(f"/report/{kind}/{key}/", {"rule": "spam"}).status_code == 404

    cases = [
        ("replay", "99"),
        ("replay", "x"),
        ("comment", "9" * 30),
        ("name", "0" * 40 + "9" * 30),
        ("room", "none"),
        ("account", "1"),
    ]
    check_each_on_site(is_refused, cases)


def test_a_hidden_upload_of_somebody_else_cannot_be_reported(ingest: Ingest, owner: User, other_client: Client) -> None:
    row = ingest(b"no replay", uploader=owner)
    assert other_client.get(f"/report/replay/{row.pk}/").status_code == 404
    assert other_client.post(f"/report/replay/{row.pk}/", {"rule": "cheating"}).status_code == 404
    assert not ReportedThing.objects.exists()


def test_a_person_reports_a_thing_once_and_others_are_counted(comment: Comment, other_player: User) -> None:
    for text in ("first", "second"):
        reported(comment, other_player, "other", text)
    assert Report.objects.get().text == "second"
    reported(comment, User.objects.create_user("third"))
    (row,) = queue_page(None).rows
    assert row.reporters == 2


def test_own_things_and_reports_without_a_reason_are_refused(
    comment: Comment, owner: User, owner_client: Client, other_player: User
) -> None:
    with pytest.raises(ValidationError):
        reported(comment, owner)
    assert owner_client.post(f"/report/comment/{comment.pk}/", {"rule": "abuse"}).status_code == 400
    for rule, text in (("unheard", "x"), ("other", " \x00 ")):
        with pytest.raises(ValidationError):
            reported(comment, other_player, rule, text)
    assert not Report.objects.exists()


def test_guests_report_nothing(comment: Comment, anonymous: Client) -> None:
    address = f"/report/comment/{comment.pk}/"
    assert anonymous.post(address, {"rule": "abuse"}).headers["Location"].startswith("/sign-in/")
    assert not Report.objects.exists()


def test_a_flood_ends_by_account_and_by_address(comment: Comment, other_player: User, other_client: Client) -> None:
    for _one in range(20):
        reported(comment, other_player)
    with pytest.raises(ValidationError) as refused:
        reported(comment, other_player)
    assert refused.value.code == "too_many_reports"
    assert other_client.post(f"/report/comment/{comment.pk}/", {"rule": "abuse"}).status_code == 400
    for number in range(2):  # many accounts of one address
        account = User.objects.create_user(f"puppet{number}")
        for _one in range(20):
            report_make(Kind.COMMENT, comment.pk, comment.user_id, account, ADDRESS, "spam", "")
    with pytest.raises(ValidationError):
        report_make(Kind.COMMENT, comment.pk, comment.user_id, User.objects.create_user("last"), ADDRESS, "spam", "")
    report_make(Kind.COMMENT, comment.pk, comment.user_id, User.objects.get(username="last"), "2001:db8::1", "spam", "")
    assert ReportedThing.objects.count() == 1, "however many report it, it is one row of the queue"


# --- the queue --------------------------------------------------------------------------------------------------------


def test_nobody_else_reads_the_queue_the_bans_or_the_log(
    comment: Comment, other_player: User, owner_client: Client, anonymous: Client, moderator: User
) -> None:
    reported(comment, other_player, "other", "secret words")
    for address in (QUEUE, "/staff/bans/", "/staff/decisions/"):
        assert anonymous.get(address).status_code == 302
        refused = owner_client.get(address)
        assert refused.status_code == 403
        assert "secret words" not in refused.content.decode()
        assert signed_in(moderator).get(address).status_code == 200


def test_the_oldest_comes_first_and_what_is_reported_again_last(
    replay: Replay, owner: User, other_player: User, moderator: User
) -> None:
    comments = [comment_create(replay, owner, f"text {number}") for number in range(3)]
    cases = [reported(one, other_player) for one in comments]
    for hours, case in zip((1, 3, 2), cases, strict=True):
        ReportedThing.objects.filter(pk=case.pk).update(opened_at=timezone.now() - timedelta(hours=hours))
    first = queue_page(None, 2)
    assert [row.case.pk for row in first.rows] == [cases[1].pk, cases[2].pk]
    assert [row.case.pk for row in queue_page(first.next_cursor, 2).rows] == [cases[0].pk]
    cases[1].refresh_from_db()
    report_decide(cases[1], moderator, Verdict("nothing"))
    reported(comments[1], other_player)
    assert [row.case.pk for row in queue_page(None).rows] == [cases[2].pk, cases[0].pk, cases[1].pk]


def test_statements_do_not_grow_with_the_queue(replay: Replay, owner: User, moderator: User) -> None:
    def fill(number: int) -> None:
        for one in range(number):
            clear_caches()
            comment = comment_create(replay, owner, f"{number} {one}")
            player = Player.objects.create(name=f"{number} {one}")
            room = Room.objects.create(name="Room", owner=owner)
            for reporter in range(2):
                user = User.objects.create_user(f"{number} {one} {reporter}")
                for kind, pk in (
                    (Kind.COMMENT, comment.pk),
                    (Kind.NAME, player.pk),
                    (Kind.ROOM, room.pk),
                    (Kind.REPLAY, replay.pk),
                ):
                    report_make(kind, pk, owner.pk, user, f"10.{number}.{one}.{reporter}", "other", "x")

    def count() -> list[int]:
        client, counts = signed_in(moderator), []
        for address in (QUEUE, "/staff/decisions/"):
            client.get(address)
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address).status_code == 200
            counts.append(len(queries))
        return counts

    fill(1)
    for case in ReportedThing.objects.order_by("id"):
        report_decide(case, moderator, Verdict("nothing"))
    fill(2)
    few = count()
    fill(9)
    waiting = ReportedThing.objects.filter(closed_at=None).exclude(kind="replay")  # of which there is one alone
    for case in waiting.order_by("id")[:12]:
        report_decide(case, moderator, Verdict("nothing"))
    assert count() == few
    assert max(few) <= 11, few


def test_text_of_reports_and_things_is_escaped(
    replay: Replay, owner: User, other_player: User, moderator_client: Client
) -> None:
    comment = comment_create(replay, owner, HOSTILE)
    reported(comment, other_player, "other", HOSTILE)
    body = moderator_client.get(QUEUE).content.decode()
    assert f'name="next" value="{QUEUE}"' in body
    assert "<script>alert" not in body
    assert "\u202e" not in body
    assert body.count("⟨U+202E⟩") >= 2


# --- decisions --------------------------------------------------------------------------------------------------------


def test_hiding_a_comment_closes_its_reports_and_tells_its_author(
    comment: Comment, owner_client: Client, other_player: User, moderator_client: Client, moderator: User
) -> None:
    case = reported(comment, other_player)
    answer = moderator_client.post(
        f"{QUEUE}{case.pk}/", {"action": "hide", "rule": "abuse", "reason": "", "next": QUEUE}
    )
    assert answer.headers["Location"] == QUEUE
    comment.refresh_from_db()
    assert comment.hidden_by == moderator
    assert not Report.objects.filter(closed_at=None).exists()
    assert 'class="verdict"' not in moderator_client.get(QUEUE).content.decode()
    told = owner_client.get("/account/decisions/").content.decode()
    assert "Comment hidden" in told
    assert "Insults or harassment" in told
    assert "mod" not in Document(told).text.replace("moderators", "").split(), "who decided is not told"
    chinese = owner_client.get("/account/decisions/", headers={"Accept-Language": "zh-hans"}).content.decode()
    assert "辱骂" in chinese
    row = Decision.objects.get()
    assert (row.action, row.rule, row.before, row.after) == ("hidden", "abuse", "shown", "hidden")


def test_freezing_a_replay_says_the_rule_in_the_language_of_the_reader(
    replay: Replay, other_player: User, moderator: User, client: Client
) -> None:
    case = report_make(Kind.REPLAY, replay.pk, replay.uploader_id, other_player, ADDRESS, "cheating", "").thing
    report_decide(case, moderator, Verdict("freeze", "cheating"))
    replay.refresh_from_db()
    assert (replay.judgement, replay.judgement_reason) == ("frozen", Rule.CHEATING.sentence)
    assert judgement_text(replay) == "Cheating or an edited file"
    page = client.get(replay.get_absolute_url(), headers={"Accept-Language": "zh-hans"}).content.decode()
    assert "作弊" in page


def test_deleting_a_replay(ingest: Ingest, owner: User, other_player: User, moderator: User) -> None:
    replay = ingest(game_file(), uploader=owner)
    case = report_make(Kind.REPLAY, replay.pk, owner.pk, other_player, ADDRESS, "theft", "").thing
    report_decide(case, moderator, Verdict("delete", "theft", "It is Ada's."))
    assert not Replay.objects.filter(pk=replay.pk).exists()
    decision = Decision.objects.get(action="deleted")
    assert (decision.number, decision.about_number, decision.rule, decision.reason) == (
        replay.pk, owner.pk, "theft", "It is Ada's.",
    )  # fmt: skip


def test_renaming_a_player(owner: User, other_player: User, moderator: User) -> None:
    player = Player.objects.get(user=owner)
    case = report_make(Kind.NAME, player.pk, owner.pk, other_player, ADDRESS, "name", "").thing
    with pytest.raises(ValidationError):
        report_decide(case, moderator, Verdict("rename", "name"))
    report_decide(case, moderator, Verdict("rename", "name", new_name="Player"))
    player.refresh_from_db()
    assert player.name == "Player"
    assert not ReportedThing.objects.filter(closed_at=None).exists()


def test_judging_on_the_page_of_the_replay_closes_its_reports_too(
    replay: Replay, other_player: User, moderator: User
) -> None:
    report_make(Kind.REPLAY, replay.pk, replay.uploader_id, other_player, ADDRESS, "cheating", "")
    replay_judge(replay, "accepted", "", moderator)
    assert queue_page(None).rows == []


def test_what_is_gone_can_only_be_closed_or_its_author_banned(
    comment: Comment, other_player: User, moderator: User, moderator_client: Client
) -> None:
    case = reported(comment, other_player)
    comment.delete()
    (row,) = queue_page(None).rows
    assert (row.thing, row.actions) == (None, ())
    assert "deleted" in moderator_client.get(QUEUE).content.decode()
    with pytest.raises(ValidationError) as refused:
        report_decide(case, moderator, Verdict("hide", "abuse"))
    assert refused.value.code == "decided_already"
    report_decide(case, moderator, Verdict("leave", "abuse", bans=True))
    assert User.objects.get(username="owner").is_banned


def test_a_verdict_that_is_none_changes_nothing(comment: Comment, other_player: User, moderator: User) -> None:
    def is_refused(verdict: Verdict) -> None:
        case = reported(comment, other_player)
        with pytest.raises(ValidationError):
            report_decide(case, moderator, verdict)
        assert not Decision.objects.exists()
        assert Report.objects.filter(closed_at=None).exists()
        assert not User.objects.get(username="owner").is_banned

    cases = [
        Verdict("unheard", "abuse"), Verdict("delete", "abuse"), Verdict("hide"), Verdict("hide", "other"), Verdict("leave", "abuse"),
        Verdict("nothing", "abuse", bans=True),
    ]  # fmt: skip
    check_each_on_site(is_refused, cases)


def test_two_moderators_decide_once(comment: Comment, other_player: User, moderator: User) -> None:
    case = reported(comment, other_player)
    report_decide(case, moderator, Verdict("nothing"))
    with pytest.raises(ValidationError) as refused:
        report_decide(case, moderator_named("second"), Verdict("hide", "abuse"))
    assert refused.value.code == "decided_already"
    comment.refresh_from_db()
    assert comment.hidden_at is None


@pytest.mark.django_db(transaction=True)
def test_a_decision_that_another_transaction_disturbs_is_carried_out_once(
    comment: Comment, other_player: User, moderator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = reported(comment, other_player)
    tries: list[bool] = []

    def disturbed(*args: Any, **kwargs: Any) -> None:
        comment_moderate(*args, **kwargs)
        tries.append(ReportedThing.objects.get(pk=case.pk).closed_at is not None)
        if len(tries) == 1:
            raise Conflict

    monkeypatch.setattr("replays.moderation.services.comment_moderate", disturbed)
    report_decide(case, moderator, Verdict("hide", "abuse"))
    assert tries == [True, True], "the thing itself comes last: a room cannot be rolled back"
    assert Comment.objects.get().hidden_at is not None
    assert Decision.objects.filter(kind=Kind.COMMENT).count() == 1


def test_who_is_no_moderator_decides_nothing(
    comment: Comment, other_player: User, owner_client: Client, anonymous: Client, other_client: Client
) -> None:
    case = reported(comment, other_player)
    helper = User.objects.create_user("helper", is_moderator=True)  # without a second factor
    staff = User.objects.create_user("clerk", is_staff=True)  # without the permission
    for client in (owner_client, other_client, anonymous, signed_in(helper), signed_in(staff)):
        assert client.post(f"{QUEUE}{case.pk}/", {"action": "hide", "rule": "abuse"}).status_code in (302, 403)
    assert not Decision.objects.exists()
    assert Report.objects.filter(closed_at=None).exists()


def test_a_moderator_decides_nothing_about_themselves(
    replay: Replay, other_player: User, moderator: User, moderator_client: Client
) -> None:
    own = comment_create(replay, moderator, "Mine.")
    case = reported(own, other_player)
    for action in ("nothing", "hide"):
        with pytest.raises(ValidationError) as refused:
            report_decide(case, moderator, Verdict(action, "abuse"))
        assert refused.value.code == "own_matter"
        moderator_client.post(f"{QUEUE}{case.pk}/", {"action": action, "rule": "abuse"})
    Replay.objects.filter(pk=replay.pk).update(uploader=moderator, judgement="frozen")
    replay.refresh_from_db()
    with pytest.raises(ValidationError):
        replay_judge(replay, "accepted", "", moderator)
    moderator_client.post(f"/comments/{own.pk}/moderate/", {"hidden": "1", "reason": "x"})
    own.refresh_from_db()
    replay.refresh_from_db()
    assert (own.hidden_at, replay.judgement) == (None, "frozen")
    assert Report.objects.filter(closed_at=None).exists()
    assert not Decision.objects.exists()
