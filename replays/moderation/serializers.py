from __future__ import annotations

from rest_framework import serializers

from players.decision_log import MAX_REASON, Action, Kind, Rule
from players.models import MAX_NAME_CHARS
from players.web.api import KnownChoiceField, PageSerializer, TextField, Values
from players.web.json_bodies import JsonBody
from players.web.links import absolute_address
from replays.models import Ban, BanAppeal, Report
from replays.moderation.selectors import LoggedDecision, QueueRow
from replays.moderation.services import LEAVE, NOTHING
from replays.moderation.things import ACTIONS, RULES, Thing

KINDS = [kind.value for kind in RULES]
VERDICTS = [NOTHING, LEAVE, *(name for actions in ACTIONS.values() for name, _label in actions)]
#: Longest ban in days; without a number it has no end.
MAX_DAYS = 3650


class ThingSerializer(serializers.Serializer[Thing]):
    """Something that was reported or decided about."""

    kind = serializers.ChoiceField(
        choices=Kind.choices, help_text="Whether it is a replay, a comment, a name or a room."
    )
    number = serializers.IntegerField(help_text="Its number; of a name that of the player.")
    title = serializers.CharField(help_text="What it is called on pages.")
    text = TextField(help_text="Its text or name.")
    html_url = serializers.SerializerMethodField(help_text="Its page.")

    def get_html_url(self, thing: Thing) -> str:
        return absolute_address(thing.address)


class NewReportSerializer(JsonBody[Values]):
    """A report of something that breaks a rule."""

    kind = serializers.ChoiceField(choices=KINDS, help_text="What is reported.")
    id = serializers.CharField(
        max_length=20, help_text="The number of the replay, comment or player (for a name), or the slug of the room."
    )
    reason = serializers.ChoiceField(choices=Rule.choices, help_text="The rule that it breaks.")
    text = serializers.CharField(
        max_length=MAX_REASON, allow_blank=True, default="",
        help_text="A sentence for moderators; needed for “other”.",
    )  # fmt: skip


class ReportSerializer(serializers.Serializer[Report]):
    """A report of the signed-in account."""

    id = serializers.IntegerField(help_text="The number of the report.")
    kind = serializers.ChoiceField(source="thing.kind", choices=Kind.choices, help_text="What was reported.")
    number = serializers.IntegerField(source="thing.number", help_text="Its number.")
    reason = serializers.ChoiceField(source="rule", choices=Rule.choices, help_text="The rule that it breaks.")
    text = TextField(help_text="The sentence that was sent.")
    made_at = serializers.DateTimeField(help_text="When it was sent last.")


class OpenReportSerializer(ReportSerializer):
    """A report that waits."""

    user = serializers.CharField(source="user.username", help_text="The account that reported.")


class CaseSerializer(serializers.Serializer[QueueRow]):
    """A thing with open reports."""

    id = serializers.IntegerField(source="case.pk", help_text="The number of the case, for the decision.")
    thing = ThingSerializer(allow_null=True, help_text="Null if it is gone.")
    account = serializers.CharField(
        source="case.about.username", default=None, allow_null=True, help_text="The account whose thing it is."
    )
    opened_at = serializers.DateTimeField(source="case.opened_at", help_text="When it was first reported.")
    reporters = serializers.IntegerField(help_text="How many people reported it.")
    reports = OpenReportSerializer(many=True, help_text="The first of the reports.")
    actions = serializers.SerializerMethodField(help_text="What can be decided, besides “nothing” and “leave”.")

    def get_actions(self, row: QueueRow) -> list[str]:
        return [name for name, _label in row.actions]


class CasePageSerializer(PageSerializer):
    """A page of the queue of reports."""

    rows = CaseSerializer(many=True, help_text="Those that wait longest first.")


class VerdictSerializer(JsonBody[Values]):
    """A decision about a reported thing."""

    action = serializers.ChoiceField(
        choices=VERDICTS,
        help_text="“nothing”: nothing is wrong; “leave”: only the ban; else what happens to the thing.",
    )
    reason = serializers.ChoiceField(
        choices=Rule.choices, required=False, help_text="The rule that was broken; needed unless nothing is wrong."
    )
    text = serializers.CharField(
        max_length=MAX_REASON, allow_blank=True, default="",
        help_text="A sentence that the person can read; needed for “other”.",
    )  # fmt: skip
    new_name = serializers.CharField(
        max_length=MAX_NAME_CHARS, allow_blank=True, default="", help_text="With “rename”: the name from now on."
    )
    ban = serializers.BooleanField(default=False, help_text="Whether the account is banned as well.")
    days = serializers.IntegerField(
        min_value=1, max_value=MAX_DAYS, allow_null=True, default=None,
        help_text="How long the ban lasts; null: it has no end.",
    )  # fmt: skip


class DecidedSerializer(serializers.Serializer[Values]):
    """The case that was decided."""

    id = serializers.IntegerField(help_text="The number of the case.")
    closed_at = serializers.DateTimeField(help_text="When its reports were closed.")


# --- bans -------------------------------------------------------------------------------------------------------------


class BanAppealSerializer(serializers.Serializer[BanAppeal]):
    """An appeal against a ban, and its answer."""

    id = serializers.IntegerField(help_text="The number of the appeal.")
    text = serializers.CharField(help_text="What the person wrote.")
    made_at = serializers.DateTimeField(help_text="When.")
    state = serializers.ChoiceField(choices=BanAppeal.State.choices, help_text="Whether it waits, or what came of it.")
    answer = TextField(help_text="What the moderator answered.")
    answered_at = serializers.DateTimeField(allow_null=True, help_text="When.")


class _BanSerializer(serializers.Serializer[Ban]):
    id = serializers.IntegerField(help_text="The number of the ban.")
    reason = serializers.ChoiceField(source="rule", choices=Rule.choices, help_text="The rule that was broken.")
    text = TextField(source="reason", help_text="The moderator's sentence.")
    made_at = serializers.DateTimeField(help_text="When it began.")
    until = serializers.DateTimeField(allow_null=True, help_text="When it ends; null: it has no end.")
    ended_at = serializers.DateTimeField(allow_null=True, help_text="When it was lifted or replaced before that.")
    in_force = serializers.BooleanField(source="is_in_force", help_text="Whether it holds now.")


class OwnBanSerializer(_BanSerializer):
    """The last ban of the signed-in account."""

    appeals = BanAppealSerializer(source="appeals.all", many=True, help_text="The latest first.")


class BanSerializer(_BanSerializer):
    """A ban, for moderators."""

    account = serializers.CharField(source="user.username", help_text="The account that is banned.")
    by = serializers.CharField(
        source="by.username", default=None, allow_null=True, help_text="The moderator who made it."
    )
    open_appeals = BanAppealSerializer(many=True, help_text="The appeal that waits, if any.")


class BanPageSerializer(PageSerializer):
    """A page of bans in force."""

    rows = BanSerializer(many=True, help_text="The newest first.")


class NewBanSerializer(JsonBody[Values]):
    """A ban of an account."""

    account = serializers.CharField(max_length=150, help_text="The username.")
    reason = serializers.ChoiceField(choices=Rule.choices, help_text="The rule that was broken.")
    text = serializers.CharField(
        max_length=MAX_REASON, allow_blank=True, default="",
        help_text="A sentence that the person can read; needed for “other”.",
    )  # fmt: skip
    days = serializers.IntegerField(
        min_value=1, max_value=MAX_DAYS, allow_null=True, default=None, help_text="Null: it has no end."
    )


class BanDecisionSerializer(JsonBody[Values]):
    """A decision about a ban."""

    decision = serializers.ChoiceField(
        choices=["lift", "grant", "deny"], help_text="Lift it, or grant or deny the appeal that waits."
    )
    text = serializers.CharField(
        max_length=MAX_REASON, allow_blank=True, default="", help_text="Why; needed to answer an appeal."
    )


class BanAppealTextSerializer(JsonBody[Values]):
    """The text of an appeal against a ban."""

    text = serializers.CharField(max_length=BanAppeal.MAX_CHARS, help_text="Why the ban is wrong.")


# --- the log ----------------------------------------------------------------------------------------------------------


class OwnDecisionSerializer(serializers.Serializer[LoggedDecision]):
    """A decision of a moderator about something of the account."""

    id = serializers.IntegerField(help_text="The number of the decision.")
    made_at = serializers.DateTimeField(source="row.made_at", help_text="When.")
    action = serializers.ChoiceField(source="row.action", choices=Action.choices, help_text="What was decided.")
    kind = serializers.ChoiceField(source="row.kind", choices=Kind.choices, help_text="What it is about.")
    number = serializers.IntegerField(source="row.number", help_text="The number of that.")
    thing = ThingSerializer(allow_null=True, help_text="Null if it is gone, and for accounts.")
    reason = KnownChoiceField(
        Rule.choices, source="row.rule", help_text="The rule that was broken; null if none is named."
    )
    text = TextField(source="reason_text", help_text="The moderator's sentence.")
    before = TextField(source="row.before", help_text="The state before, as a word of the log.")
    after = TextField(source="row.after", help_text="The state afterwards.")


class OwnDecisionPageSerializer(PageSerializer):
    """A page of decisions about things of the account."""

    rows = OwnDecisionSerializer(many=True, help_text="The newest first.")


class DecisionLogSerializer(OwnDecisionSerializer):
    """A row of the log of decisions."""

    by = TextField(source="row.by_name", help_text="The moderator; null for the command line.")
    about = serializers.IntegerField(
        source="row.about_number", allow_null=True, help_text="The number of the account whose thing it is."
    )


class DecisionLogPageSerializer(PageSerializer):
    """A page of the log."""

    rows = DecisionLogSerializer(many=True, help_text="The newest first.")
