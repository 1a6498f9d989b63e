"""The log of decisions is only added to, and the role of moderators."""

from __future__ import annotations

import re
from html import unescape

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client

from players.decision_log import Action, AppendOnly, Kind, log_decision
from players.models import Decision, Player, User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from replays.models import AccountDeletion
from replays.moderation.bans import ban_make
from replays.moderation.roles import moderator_set
from replays.own.account_deletion.services import account_close
from replays.trust.judging.bots import player_mark_bot
from replays.trust.judging.services import replay_judge, replay_trust_date
from replays.trust.ownership.services import ownership_decide
from tests.conftest import PASSWORD, with_second_factor
from tests.factories import stored_replay
from tests.replays.moderation.conftest import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def decision(moderator: User, owner: User) -> Decision:
    return log_decision(
        moderator,
        Action.HIDDEN,
        Kind.COMMENT,
        7,
        about=owner.pk,
        rule="spam",
        reason="Ad.",
        before="shown",
        after="hidden",
    )


def test_no_code_changes_an_entry(decision: Decision) -> None:
    decision.reason = "Another."
    with pytest.raises(AppendOnly):
        decision.save()
    with pytest.raises(AppendOnly):
        decision.delete()
    with pytest.raises(AppendOnly):
        Decision.objects.filter(pk=decision.pk).update(reason="Another.")
    with pytest.raises(AppendOnly):
        Decision.objects.all().delete()
    with pytest.raises(AppendOnly):
        Decision.objects.bulk_update([decision], ["reason"])
    decision.refresh_from_db()
    assert decision.reason == "Ad."


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE players_decision SET reason = 'Another.'", "DELETE FROM players_decision", "TRUNCATE players_decision",
        "INSERT INTO players_decision SELECT * FROM players_decision ON CONFLICT (id) DO UPDATE SET reason = 'Another.'",
    ],
    ids=["update", "delete", "truncate", "upsert"],
)  # fmt: skip
def test_the_database_changes_no_entry(decision: Decision, statement: str) -> None:
    with pytest.raises(DatabaseError, match="only added to"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    decision.refresh_from_db()
    assert decision.reason == "Ad."


def test_an_empty_log_may_be_emptied_so_that_a_backup_can_be_restored() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("TRUNCATE players_decision")


def test_the_admin_shows_the_log_and_changes_nothing(decision: Decision, staff_client: Client) -> None:
    page = staff_client.get("/admin/players/decision/")
    assert page.status_code == 200
    assert "Ad." in page.content.decode()
    assert staff_client.get(f"/admin/players/decision/{decision.pk}/change/").status_code == 200
    for address in ("add/", f"{decision.pk}/delete/", f"{decision.pk}/change/"):
        assert (
            staff_client.post(f"/admin/players/decision/{address}", {"reason": "x", "post": "yes"}).status_code == 403
        )
    decision.refresh_from_db()
    assert decision.reason == "Ad."


def test_the_end_of_a_moderators_account_leaves_the_log_as_it_is(decision: Decision, moderator: User) -> None:
    with pytest.raises(ValidationError):
        account_close(moderator, AccountDeletion.Uploads.DELETE)
    moderator_set(moderator, None, moderator=False)
    account_close(moderator, AccountDeletion.Uploads.DELETE)
    assert User.objects.get(pk=moderator.pk).username == f"deleted account {moderator.pk}"
    decision.refresh_from_db()
    assert (decision.by_number, decision.by_name) == (moderator.pk, "mod")


def test_the_end_of_the_other_account_leaves_a_number(decision: Decision, owner: User) -> None:
    account_close(owner, AccountDeletion.Uploads.DELETE)
    decision.refresh_from_db()
    assert decision.about_number == owner.pk
    assert "owner" not in {str(getattr(decision, field.attname)) for field in Decision._meta.concrete_fields}


def test_nobody_reads_what_was_decided_about_others(
    decision: Decision, other_client: Client, owner_client: Client
) -> None:
    assert [len(told_about(client, "en")) for client in (other_client, owner_client)] == [0, 1]


def told_about(client: Client, language: str) -> list[tuple[str, str]]:
    """The actions and outcomes on the page of the account's decisions, oldest first."""
    page = client.get("/account/decisions/", headers={"Accept-Language": language}).content.decode()
    rows = re.findall(r'<strong>([^<]+)</strong>(?: <span class="badge">([^<]+)</span>)?', page)
    return [(unescape(action), unescape(outcome)) for action, outcome in rows][::-1]


def test_the_account_reads_what_came_of_a_decision(owner: User, owner_client: Client, moderator: User) -> None:
    player = Player.objects.get(user=owner)
    replay = stored_replay(player, uploader=owner)
    for judgement in ("frozen", "accepted"):
        replay_judge(replay, judgement, "A look at the film.", moderator)
    for decision in ("disowned", "vouched"):
        ownership_decide(replay, decision, "A look at the film.", moderator)
    for trusted in (True, False):
        replay_trust_date(replay, moderator, trusted=trusted)
    for on_boards in (False, True):
        player_mark_bot(player, is_bot=True, on_boards=on_boards)
    english, chinese = told_about(owner_client, "en"), told_about(owner_client, "zh-hans")
    assert [english.index(one) for one in english] == list(range(8)), "each decision in words of its own"
    assert [outcome for _action, outcome in english][:2] == ["frozen", "accepted"]
    assert [[word in outcome for word in ("date in the file", "upload date")] for _action, outcome in english[4:6]] == [
        [True, False], [False, True],
    ]  # fmt: skip
    assert len(set(chinese)) == 8
    assert all(re.search("[\u4e00-\u9fff]", text) for decision in chinese for text in decision)


def test_a_state_that_is_no_outcome_is_not_told(decision: Decision, owner_client: Client) -> None:
    assert told_about(owner_client, "en") == [("Comment hidden", "")]


# --- the role ---------------------------------------------------------------------------------------------------------


def test_the_command_gives_and_takes_the_role(owner: User, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("moderator", "owner")
    assert User.objects.get(pk=owner.pk).is_moderator
    call_command("moderator", "owner")
    call_command("moderator", "owner", "--remove")
    assert not User.objects.get(pk=owner.pk).is_moderator
    lines = capsys.readouterr().out.splitlines()
    assert len(set(lines)) == len(lines) == 3, "what was done, or that nothing was to do"
    assert all("owner" in line for line in lines)
    assert [row.action for row in Decision.objects.order_by("id")] == ["role_given", "role_taken"]
    with pytest.raises(CommandError):
        call_command("moderator", "nobody")


def test_a_banned_account_gets_no_role(owner: User, moderator: User) -> None:
    ban_make(owner, moderator, "abuse", "", None)
    with pytest.raises(ValidationError):
        moderator_set(owner, None, moderator=True)


def account_form(*switches: str) -> dict[str, str]:
    """The admin's form of the account "owner", with ``switches`` on."""
    return {
        "username": "owner", "language": "", "time_zone": "UTC", "clock": "zero", "country": "",
        "date_joined_0": "2026-01-01", "date_joined_1": "00:00:00", **dict.fromkeys(switches, "on"),
    }  # fmt: skip


def powers(user: User) -> tuple[bool, bool, bool]:
    user.refresh_from_db()
    return user.is_moderator, user.is_staff, user.is_superuser


def test_superusers_give_power_in_the_admin_and_other_staff_do_not(owner: User, staff_client: Client) -> None:
    address = f"/admin/players/user/{owner.pk}/change/"
    form = account_form("is_active", "is_moderator", "is_staff", "is_superuser")
    clerk = with_second_factor(User.objects.create_user("clerk", "clerk@example.org", PASSWORD, is_staff=True))
    from django.contrib.auth.models import Permission

    clerk.user_permissions.add(
        Permission.objects.get(codename="change_user"), Permission.objects.get(codename="view_user")
    )
    assert signed_in(clerk).post(address, form).status_code == 302
    assert powers(owner) == (False, False, False)
    assert not Decision.objects.exists()
    assert staff_client.post(address, form).status_code == 302
    assert powers(owner) == (True, True, True)
    assert {row.by_name for row in Decision.objects.all()} == {"staff"}


def test_the_admin_logs_who_was_deactivated_and_who_was_given_power(
    owner: User, owner_client: Client, staff_client: Client
) -> None:
    address = f"/admin/players/user/{owner.pk}/change/"
    for switches in ((), ("is_active",), ("is_active", "is_staff", "is_superuser"), ("is_active",), ("is_active",)):
        assert staff_client.post(address, account_form(*switches)).status_code == 302
    rows = Decision.objects.order_by("id")
    assert [(row.action, row.before, row.after) for row in rows] == [
        ("deactivated", "active", "deactivated"),
        ("reactivated", "deactivated", "active"),
        ("staff_given", "account", "staff"),
        ("superuser_given", "account", "superuser"),
        ("staff_taken", "staff", "account"),
        ("superuser_taken", "superuser", "account"),
    ]
    assert {(row.by_name, row.kind, row.number, row.about_number) for row in rows} == {
        ("staff", "account", owner.pk, owner.pk)
    }
    assert "Account deactivated" in owner_client.get("/account/decisions/").content.decode()
    chinese = owner_client.get("/account/decisions/", headers={"Accept-Language": "zh-hans"}).content.decode()
    assert "账号已停用" in chinese
    assert "后台权限已取消" in chinese


def test_the_admin_logs_second_factors_and_tokens_that_it_deletes(
    owner: User, owner_client: Client, staff_client: Client
) -> None:
    factor = TOTP.activate(owner, generate_totp_secret()).instance
    one, two = (token_create(owner, name, [Scope.READ])[0] for name in ("one", "two"))
    for address in (f"mfa/authenticator/{factor.pk}", f"players/apitoken/{one.pk}"):
        assert staff_client.post(f"/admin/{address}/delete/", {"post": "yes"}).status_code == 302
    chosen = {"action": "delete_selected", "_selected_action": [two.pk], "post": "yes"}
    assert staff_client.post("/admin/players/apitoken/", chosen).status_code == 302
    assert not owner.tokens.exists()
    rows = Decision.objects.order_by("id")
    assert [(row.action, row.before, row.after) for row in rows] == [
        ("factor_deleted", "totp", "deleted"),
        ("token_revoked", f"token {one.prefix}", "deleted"),
        ("token_revoked", f"token {two.prefix}", "deleted"),
    ]
    assert len(told_about(owner_client, "en")) == 3


def test_a_moderator_sees_the_link(moderator_client: Client, owner_client: Client) -> None:
    assert 'href="/staff/reports/"' in moderator_client.get("/more/").content.decode()
    assert 'href="/staff/reports/"' not in owner_client.get("/more/").content.decode()
