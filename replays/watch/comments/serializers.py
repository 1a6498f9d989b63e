from __future__ import annotations

from rest_framework import serializers

from players.decision_log import Rule
from players.web.api import PageSerializer, ReplayRefSerializer, TextField, Values
from players.web.json_bodies import JsonBody
from players.web.links import address_of, replay_address
from replays.models import Comment, Report
from replays.watch.comments.selectors import Likes


class CommentTextSerializer(JsonBody[Values]):
    """The text of a new comment."""

    text = serializers.CharField(
        max_length=Comment.MAX_CHARS, trim_whitespace=False, help_text="Plain text; lines are kept, nothing is markup."
    )


class CommentSerializer(serializers.Serializer[Comment]):
    """A comment."""

    id = serializers.IntegerField()
    replay = ReplayRefSerializer(source="replay_id")
    user = serializers.CharField(source="user.username", help_text="The account that wrote it.")
    text = serializers.CharField(help_text="As it was written.")
    shown_text = serializers.CharField(help_text="For showing: hidden characters are written as ⟨U+202E⟩.")
    created_at = serializers.DateTimeField()
    hidden = serializers.SerializerMethodField(help_text="Whether staff hid it; only its author and staff see it then.")
    hidden_reason = TextField(help_text="Why staff hid it.")
    url = serializers.SerializerMethodField(help_text="The comment in the API, to delete it.")
    html_url = serializers.SerializerMethodField(help_text="The page of its replay.")

    def get_hidden(self, comment: Comment) -> bool:
        return comment.hidden_at is not None

    def get_url(self, comment: Comment) -> str:
        return address_of("api-comment", comment.pk)

    def get_html_url(self, comment: Comment) -> str:
        return f"{replay_address(comment.replay_id)}#comments"


class CommentPageSerializer(PageSerializer):
    """A page of comments."""

    rows = CommentSerializer(many=True)


class ReportTextSerializer(JsonBody[Values]):
    """The reason of a report."""

    reason = serializers.CharField(max_length=255, help_text="Why staff should look at it.")


class CommentReportSerializer(serializers.Serializer[Report]):
    """A report of the signed-in account."""

    id = serializers.IntegerField()
    comment = serializers.IntegerField(source="thing.number", help_text="Number of the comment.")
    reason = serializers.SerializerMethodField(help_text="The sentence of the report, or the rule that it names.")
    created_at = serializers.DateTimeField(source="made_at", help_text="When it was sent.")

    def get_reason(self, report: Report) -> str:
        return report.text or str(Rule(report.rule).label)


class OpenCommentReportSerializer(CommentReportSerializer):
    """A report that staff have not answered."""

    user = serializers.CharField(source="user.username", help_text="User name of the account.")


class ReportedCommentSerializer(CommentSerializer):
    """A comment with its open reports."""

    open_reports = OpenCommentReportSerializer(many=True, help_text="The reports that staff have not answered.")


class ReportedPageSerializer(PageSerializer):
    """A page of reported comments."""

    rows = ReportedCommentSerializer(many=True)


class ModerationSerializer(JsonBody[Values]):
    """A decision of staff about a comment."""

    hidden = serializers.BooleanField(help_text="Whether the comment is hidden.")
    reason = serializers.CharField(max_length=255, allow_blank=True, default="", help_text="Needed to hide it.")


class LikesSerializer(serializers.Serializer[Likes]):
    """The likes of a replay."""

    likes = serializers.IntegerField(help_text="Number of likes.")
    liked = serializers.BooleanField(help_text="By the account of the request.")
