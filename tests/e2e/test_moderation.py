"""Moderation as a whole in a browser: a report, the queue, a ban, an appeal, and its answer."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings

from analysis.recording import Level
from players.models import Player, User
from replays.watch.comments.services import comment_create
from tests.conftest import PASSWORD
from tests.e2e.conftest import Visit, sign_in
from tests.factories import stored_replay
from tests.pages.conftest import board_of


def signed_in(visit: Visit, user: User) -> Page:
    page = visit("/sign-in/")  # a browser of their own
    sign_in(page, user)
    return page


@pytest.mark.long(
    beside="tests/replays/moderation/test_bans.py::test_an_appeal_is_answered_by_another_moderator"
)  # pages without scripts
def test_from_the_report_to_the_lifted_ban(visit: Visit, owner: User, other_player: User, settings: Settings) -> None:
    settings.STAFF_SECOND_FACTOR = False  # it is tested with the sign-in
    replay = stored_replay(Player.objects.get(user=owner), uploader=owner, board=board_of(Level.EXPERT))
    comment = comment_create(replay, owner, "You all play like moles.")
    first, second = (User.objects.create_user(name, "", PASSWORD, is_moderator=True) for name in ("first", "second"))

    page = signed_in(visit, other_player)
    page.goto(f"/replays/{replay.pk}/comments/")
    page.click("text=Report >> nth=0")
    page.check("[name=rule][value=abuse]")
    page.fill("[name=text]", "He writes this everywhere.")
    page.click("text=Send report")
    expect(page.locator(".messages")).to_contain_text("Report sent.")

    page = signed_in(visit, first)
    page.goto("/staff/reports/")
    case = page.locator(".case")
    expect(case).to_contain_text("He writes this everywhere.")
    case.locator("[name=rule]").select_option("abuse")
    case.locator("[name=reason]").fill("Third warning.")
    case.locator("[name=ban]").select_option("7")
    case.locator("text=Hide the comment").click()
    expect(page.locator("main")).to_contain_text("No open reports.")

    page = signed_in(visit, owner)
    page.goto("/")
    page.click("text=See why, for how long and how to appeal")
    expect(page.locator("main")).to_contain_text("Third warning.")
    page.fill("[name=text]", "It was my brother.")
    page.click("text=Send appeal")
    expect(page.locator("main")).to_contain_text("It was my brother.")

    page = signed_in(visit, first)
    page.goto("/staff/bans/")
    page.fill(".case [name=reason]", "No.")
    page.click("text=Reject the appeal")
    expect(page.locator(".messages")).to_contain_text("Another moderator")

    page = signed_in(visit, second)
    page.goto("/staff/bans/")
    page.fill(".case [name=reason]", "All right.")
    page.click("text=Lift the ban")
    expect(page.locator("main")).to_contain_text("Nobody is banned.")
    page.goto("/staff/decisions/")
    expect(page.locator("tbody tr")).to_have_count(3)

    page = signed_in(visit, owner)
    page.goto("/account/decisions/")
    expect(page.locator("main")).to_contain_text("Ban lifted")
    expect(page.locator("main")).not_to_contain_text("Your account is banned.")
    comment.refresh_from_db()
    assert comment.hidden_at is not None
    assert not User.objects.get(pk=owner.pk).is_banned
