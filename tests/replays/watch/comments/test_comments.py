"""Comments and likes: who may write, read, hide and delete them, and the attacks on them."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.decision_log import Decision
from players.models import User
from replays.models import Comment, Like, Replay, Report, ReportedThing
from replays.upload.processing.deletion import replay_delete
from replays.watch.comments.selectors import Likes, comments_page, likes_of
from replays.watch.comments.services import cleaned, comment_create, comment_moderate, like_set
from tests.conftest import with_second_factor
from tests.factories import comment_report, stored_replay
from tests.pages.html import Document
from tests.replays.conftest import Ingest
from tests.replays.conftest import ingest as ingest
from tests.replays.conftest import store as store
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db


@pytest.fixture
def replay(db: None) -> Replay:
    return stored_replay(None)


@pytest.fixture
def hidden(ingest: Ingest, owner: User) -> Replay:
    """A replay that only its uploader and staff see."""
    row = ingest(b"no replay", uploader=owner)
    assert row.status == Replay.Status.REJECTED
    return row


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def fragment(client: Client, replay: Replay) -> str:
    answer = client.get(f"/replays/{replay.pk}/comments/", headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return answer.content.decode()


# --- writing and reading ---


def test_a_comment_is_on_the_page(replay: Replay, owner_client: Client, client: Client) -> None:
    sent = owner_client.post(f"/replays/{replay.pk}/comments/", {"text": " Well played!\r\n\r\n\r\nTwice. "})
    assert sent.headers["Location"] == f"/replays/{replay.pk}/#comments"
    assert Comment.objects.get().text == "Well played!\n\nTwice."
    page = Document(client.get(f"/replays/{replay.pk}/comments/").content.decode())
    assert "Well played!" in page.text
    assert "owner" in page.text


def test_the_page_of_a_replay_does_not_ask_for_comments(
    ingest: Ingest, owner: User, client: Client, django_assert_num_queries: Any
) -> None:
    game = ingest(game_file())
    client.get(game.get_absolute_url())  # tables that are kept
    with CaptureQueriesContext(connection) as without:
        client.get(game.get_absolute_url())
    comment_create(game, owner, "Seen.")
    with CaptureQueriesContext(connection) as queries:
        page = Document(client.get(game.get_absolute_url()).content.decode())
    assert len(queries) == len(without)
    assert not [query for query in queries if "comment" in query["sql"]]
    assert "Seen." not in page.text
    assert any(attributes.get("hx-get") == f"/replays/{game.pk}/comments/" for _tag, attributes in page.elements)


def test_statements_do_not_grow_with_comments(
    replay: Replay, owner: User, client: Client, owner_client: Client
) -> None:
    def count(visitor: Client) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert visitor.get(address).status_code == 200
        return len(queries)

    address = f"/replays/{replay.pk}/comments/"
    comment_create(replay, owner, "0")
    owner_client.get(address)  # what the header of every page keeps
    few = [count(visitor) for visitor in (client, owner_client)]
    write(replay, owner, 30)
    assert [count(visitor) for visitor in (client, owner_client)] == few
    assert few[0] <= 3  # the replay, the comments, the likes


def write(replay: Replay, user: User, number: int) -> None:
    Comment.objects.bulk_create(
        Comment(replay=replay, user=user, text=f"comment {one}", created_at=replay.uploaded_at) for one in range(number)
    )


def test_long_lists_come_in_pages(replay: Replay, owner: User, client: Client) -> None:
    write(replay, owner, 120)
    cursor, seen = None, []
    while True:
        page = comments_page(replay, None, cursor=cursor)
        seen += [comment.text for comment in page.rows]
        if (cursor := page.next_cursor) is None:
            break
    assert seen == [f"comment {one}" for one in range(120)]
    address = f"/replays/{replay.pk}/comments/"
    assert "Later comments" in client.get(address).content.decode()
    assert client.get(address, {"cursor": "forged"}).status_code == 400


def test_visitors_are_asked_to_sign_in(replay: Replay, client: Client) -> None:
    sent = client.post(f"/replays/{replay.pk}/comments/", {"text": "Hello"})
    assert sent.headers["Location"].startswith("/sign-in/?next=")
    assert client.post(f"/replays/{replay.pk}/like/", {"liked": "1"}).headers["Location"].startswith("/sign-in/?next=")
    assert not Comment.objects.exists()
    assert 'href="/sign-in/' in fragment(client, replay)


@pytest.mark.parametrize("text", ["", " \n\t ", "\x00\x07", "x" * 2001, "\n".join("y" * 41)])
def test_texts_that_are_refused(replay: Replay, owner_client: Client, text: str) -> None:
    page = owner_client.post(f"/replays/{replay.pk}/comments/", {"text": text})
    assert page.status_code == 400
    assert not Comment.objects.exists()


def test_cleaning() -> None:
    assert cleaned("a\r\n\r\n\r\n\r\nb\rc\x07\x1b[31m\ud800") == "a\n\nb\nc[31m\ufffd"
    assert cleaned("👩‍👩‍👧 ok") == "👩‍👩‍👧 ok"
    with pytest.raises(ValidationError):
        cleaned("\u0000")


# --- attacks ---


MARKUP = (
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</textarea><script>alert(1)</script>", "[x](javascript:alert(1))",
    "javascript:alert(1)", "https://evil.example/ <a href='https://evil.example/'>win</a>", "{{ settings.SECRET_KEY }}{% debug %}",
    "<!-- -->", "&lt;b&gt;",
)  # fmt: skip


def test_markup_is_text_and_links_lead_nowhere(
    replay: Replay, owner: User, owner_client: Client, client: Client, staff_client: Client
) -> None:
    other = User.objects.create_user("other")
    for text in MARKUP:
        comment_report(comment_create(replay, owner, text), other, text, "203.0.113.1")
    for visitor, address in (
        (client, f"/replays/{replay.pk}/comments/"), (owner_client, f"/replays/{replay.pk}/comments/"),
        (owner_client, "/account/comments/"), (staff_client, "/staff/reports/"),
    ):  # fmt: skip
        page = Document(visitor.get(address).content.decode())
        assert [text for text in MARKUP if text not in page.text] == [], address
        assert not any("alert" in code for code in page.inline_code)
        assert not any("onerror" in attributes for _tag, attributes in page.elements)
        assert not [link for link in page.links() if "evil" in link or link.startswith("javascript")]


@pytest.mark.parametrize("char", ["\u202e", "\u2066", "\u200b", "\u2028", "\U000e0041"])
def test_characters_that_turn_text_around_are_written_out(
    replay: Replay, owner: User, client: Client, char: str
) -> None:
    comment_create(replay, owner, f"go{char}od\nbad")
    page = client.get(f"/replays/{replay.pk}/comments/").content.decode()
    assert char not in page
    assert f"go⟨U+{ord(char):04X}⟩od<br>bad" in page


def test_names_and_texts_are_isolated_from_the_text_around_them(replay: Replay, owner: User, client: Client) -> None:
    comment_create(replay, owner, "\u05e0\u05d5\u05e2\u05dd")
    page = client.get(f"/replays/{replay.pk}/comments/").content.decode()
    assert "<bdi>owner</bdi>" in page
    assert 'class="comment-text" dir="auto"' in page


def test_a_flood_ends(replay: Replay, owner: User, other_player: User) -> None:
    for number in range(10):
        comment_create(replay, owner, f"spam {number}")
    with pytest.raises(ValidationError) as refused:
        comment_create(replay, owner, "spam 10")
    assert refused.value.code == "too_many_comments"
    comment_create(replay, other_player, "no spam")  # others go on
    answer = signed_in(owner).post(f"/replays/{replay.pk}/comments/", {"text": "more"})
    assert (answer.status_code, "a lot of comments" in answer.content.decode()) == (400, True)
    assert Comment.objects.count() == 11


def test_deleting_does_not_make_room_for_more(replay: Replay, owner: User) -> None:
    for number in range(10):
        comment_create(replay, owner, f"spam {number}").delete()
    with pytest.raises(ValidationError):
        comment_create(replay, owner, "spam 10")


def test_the_same_text_is_not_spread(replay: Replay, owner: User, other_player: User) -> None:
    advertisement = "Buy cheap mouse pads at mouse pads dot example!"
    comment_create(replay, owner, advertisement)
    elsewhere = stored_replay(None)
    with pytest.raises(ValidationError) as refused:
        comment_create(elsewhere, owner, f"  {advertisement}\x07 ")
    assert refused.value.code == "written_already"
    comment_create(elsewhere, other_player, advertisement)
    comment_create(replay, owner, "gg")
    comment_create(elsewhere, owner, "gg")
    with pytest.raises(ValidationError):
        comment_create(replay, owner, "gg")


def test_hidden_replays_have_no_comments(hidden: Replay, owner: User, other_player: User) -> None:
    for user in (owner, other_player):
        visitor, address = signed_in(user), f"/replays/{hidden.pk}/comments/"
        assert visitor.get(address).status_code == 404
        assert visitor.post(address, {"text": "here?"}).status_code == 404
        assert visitor.post(f"/replays/{hidden.pk}/like/", {"liked": "1"}).status_code == 404
    assert not Comment.objects.exists()
    assert not Like.objects.exists()


def test_hidden_comments_look_like_none(
    replay: Replay, owner: User, other_player: User, staff: User, client: Client
) -> None:
    comment = comment_create(replay, owner, "rude")
    comment_moderate(comment, staff, hidden=True, reason="Rude.")
    stranger = signed_in(other_player)
    for number in (comment.pk, 10**9):
        answers = [
            stranger.post(f"/comments/{number}/delete/"),
            stranger.get(f"/report/comment/{number}/"),
            stranger.post(f"/report/comment/{number}/", {"rule": "abuse"}),
        ]
        assert [answer.status_code for answer in answers] == [404] * 3
    assert "rude" not in fragment(client, replay) + fragment(stranger, replay)
    own = fragment(signed_in(owner), replay)
    assert "rude" in own
    assert "Rude." in own
    assert "rude" in fragment(signed_in(staff), replay)


def test_comments_on_a_replay_that_is_analysed_again_are_away_until_then(
    replay: Replay, owner: User, other_player: User
) -> None:
    comment = comment_create(replay, owner, "first")
    Replay.objects.filter(pk=replay.pk).update(status=Replay.Status.QUEUED)
    assert signed_in(other_player).get(f"/report/comment/{comment.pk}/").status_code == 404


def test_only_the_author_deletes(
    replay: Replay, owner: User, owner_client: Client, other_player: User, staff: User
) -> None:
    comment = comment_create(replay, owner, "mine")
    for user in (other_player, staff):
        assert signed_in(user).post(f"/comments/{comment.pk}/delete/").status_code == 403
    assert Client().post(f"/comments/{comment.pk}/delete/").status_code == 302
    assert owner_client.get(f"/comments/{comment.pk}/delete/").status_code == 405
    sent = owner_client.post(f"/comments/{comment.pk}/delete/", {"next": "https://evil.example/"})
    assert sent.headers["Location"] == f"/replays/{replay.pk}/#comments"
    assert not Comment.objects.exists()


def test_forms_of_other_sites_are_refused(replay: Replay, owner: User) -> None:
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(owner)
    comment = comment_create(replay, owner, "mine")
    for address in (
        f"/replays/{replay.pk}/comments/",
        f"/replays/{replay.pk}/like/",
        f"/comments/{comment.pk}/delete/",
    ):
        assert careful.post(address, {"text": "x", "liked": "1"}).status_code == 403
    assert (Comment.objects.count(), Like.objects.count()) == (1, 0)


# --- likes ---


def test_a_like_counts_once(
    replay: Replay, owner: User, owner_client: Client, other_player: User, client: Client
) -> None:
    address = f"/replays/{replay.pk}/like/"
    for _time in range(2):
        owner_client.post(address, {"liked": "1"})
    assert likes_of(replay, owner) == Likes(1, liked=True)
    signed_in(other_player).post(address, {"liked": "1"})
    assert likes_of(replay, None) == Likes(2, liked=False)
    assert "2 likes" in fragment(client, replay)
    for _time in range(2):
        owner_client.post(address, {"liked": ""})
    assert likes_of(replay, owner) == Likes(1, liked=False)


def test_likes_are_limited(replay: Replay, owner: User) -> None:
    for number in range(300):
        like_set(replay, owner, liked=number % 2 == 0)
    with pytest.raises(ValidationError) as refused:
        like_set(replay, owner, liked=True)
    assert refused.value.code == "too_many_likes"


# --- reports and staff ---


def test_a_report_reaches_staff_who_hide_or_leave(
    replay: Replay, owner: User, other_player: User, staff: User, owner_client: Client
) -> None:
    comment, harmless = comment_create(replay, owner, "rude"), comment_create(replay, owner, "harmless")
    reporter, boss = Client(), Client()
    reporter.force_login(other_player)
    boss.force_login(staff)
    assert reporter.get(f"/report/comment/{comment.pk}/").status_code == 200
    assert reporter.post(f"/report/comment/{comment.pk}/", {"rule": "other", "text": " "}).status_code == 400
    for one in (comment, harmless):
        sent = reporter.post(f"/report/comment/{one.pk}/", {"rule": "abuse", "text": "It is rude."})
        assert sent.status_code == 302
    assert owner_client.get("/staff/reports/").status_code == 403
    queue = Document(boss.get("/staff/reports/").content.decode())
    assert "It is rude." in queue.text

    boss.post(f"/comments/{comment.pk}/moderate/", {"hidden": "1", "reason": ""})  # needs a reason
    comment.refresh_from_db()
    assert comment.hidden_at is None
    boss.post(f"/comments/{comment.pk}/moderate/", {"hidden": "1", "reason": "Rude."})
    boss.post(f"/comments/{harmless.pk}/moderate/", {})
    comment.refresh_from_db()
    assert (comment.hidden_by, comment.hidden_reason) == (staff, "Rude.")
    assert not Report.objects.filter(closed_at=None).exists()
    assert "harmless" not in boss.get("/staff/reports/").content.decode()
    assert Decision.objects.get(action="hidden").reason == "Rude."
    assert "Rude." in fragment(owner_client, replay)
    boss.post(f"/comments/{comment.pk}/moderate/", {})
    shown = fragment(Client(), replay)
    assert "rude" in shown
    assert "harmless" in shown


def test_a_moderator_decides_about_no_comment_of_their_own(replay: Replay, other_player: User) -> None:
    moderator = with_second_factor(User.objects.create_user("moderator", is_moderator=True))
    own, of_another = comment_create(replay, moderator, "mine"), comment_create(replay, other_player, "another")
    visitor = Client()
    visitor.force_login(moderator)
    for comment in (own, of_another):
        visitor.post(f"/comments/{comment.pk}/moderate/", {"hidden": "1", "reason": "x"})
        comment.refresh_from_db()
    assert (own.hidden_at, of_another.hidden_by) == (None, moderator)


def test_nobody_else_moderates(replay: Replay, owner: User, other_player: User) -> None:
    comment = comment_create(replay, owner, "mine")
    for user in (owner, other_player):
        sent = signed_in(user).post(f"/comments/{comment.pk}/moderate/", {"hidden": "1", "reason": "x"})
        assert sent.status_code == 403
    comment.refresh_from_db()
    assert comment.hidden_at is None


def test_reports_count_once_and_end(replay: Replay, owner: User, other_player: User) -> None:
    comment = comment_create(replay, owner, "a")
    with pytest.raises(ValidationError) as own:
        comment_report(comment, owner, "mine", "203.0.113.1")
    assert own.value.code == "own_thing"
    for number in range(20):
        comment_report(comment, other_player, f"reason {number}", "203.0.113.1")
    assert Report.objects.get().text == "reason 19"
    with pytest.raises(ValidationError) as too_many:
        comment_report(comment, other_player, "once more", "203.0.113.1")
    assert too_many.value.code == "too_many_reports"


def test_a_report_after_the_decision_opens_it_again(
    replay: Replay, owner: User, other_player: User, staff: User
) -> None:
    comment = comment_create(replay, owner, "a")
    comment_report(comment, other_player, "bad", "203.0.113.1")
    comment_moderate(comment, staff, hidden=False, reason="")
    comment_report(comment, other_player, "still bad", "203.0.113.1")
    assert Report.objects.filter(closed_at=None).count() == 1


# --- export, deletion ---


def test_an_account_gets_and_takes_all_it_wrote(
    replay: Replay, owner: User, owner_client: Client, other_player: User, staff: User
) -> None:
    comment = comment_create(replay, owner, "first")
    comment_moderate(comment, staff, hidden=True, reason="Rude.")
    comment_create(replay, owner, "second")
    comment_create(replay, other_player, "not mine")
    like_set(replay, owner, liked=True)
    page = Document(owner_client.get("/account/comments/").content.decode())
    assert 0 < page.text.index("second") < page.text.rindex("first")
    assert "not mine" not in page.text
    assert "/account/comments/" in Document(owner_client.get("/account/").content.decode()).links()
    owner.delete()
    assert list(Comment.objects.values_list("text", flat=True)) == ["not mine"]
    assert not Like.objects.exists()


def test_comments_go_with_the_replay(replay: Replay, owner: User, other_player: User, staff: User) -> None:
    comment = comment_create(replay, owner, "first")
    comment_report(comment, other_player, "bad", "203.0.113.1")
    like_set(replay, owner, liked=True)
    replay_delete(replay, staff)
    assert [model.objects.count() for model in (Comment, Like)] == [0, 0]
    assert ReportedThing.objects.get().closed_at is None, "its author may still be banned"


def test_the_admin_shows_comments_and_changes_none(replay: Replay, owner: User, staff_client: Client) -> None:
    comment = comment_create(replay, owner, "seen <b>")
    page = staff_client.get("/admin/replays/comment/").content.decode()
    assert "seen &lt;b&gt;" in page
    assert staff_client.get("/admin/replays/comment/add/").status_code == 403
    assert staff_client.post(f"/admin/replays/comment/{comment.pk}/delete/", {"post": "yes"}).status_code == 403
