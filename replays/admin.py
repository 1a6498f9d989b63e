"""The admin of replays: viewing, judging, deleting, analysing again.  No field is editable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from players.models import User
from replays.models import Comment, Replay
from replays.trust.judging.services import replay_judge
from replays.trust.reasons import reject_text
from replays.upload.processing.deletion import replay_delete
from replays.upload.processing.stale import replays_requeue


class ReasonForm(ActionForm):
    reason = forms.CharField(required=False, max_length=255, label=_("Reason"))


@admin.register(Replay)
class ReplayAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # generic for the type checker only
    """All changes go through services, which also update boards and files."""

    list_display = ["id", "status", "level", "style", "time", "player", "uploader", "uploaded_at", "judgement", "why"]
    list_filter = ["status", "level", "style", "format", "judgement", "judgement_code", "reject_code"]
    list_select_related = ["player", "uploader"]
    search_fields = ["=sha256", "=identifier", "=original_name"]
    show_full_result_count = False  # counting ten million rows takes seconds
    list_per_page = 50
    ordering = ["-id"]
    actions = ["accept", "mark_suspicious", "freeze", "analyse_again"]
    action_form = ReasonForm

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Replay | None = None) -> list[str]:
        return [field.name for field in Replay._meta.fields if field.name != "board"]

    def get_exclude(self, request: HttpRequest, obj: Replay | None = None) -> list[str]:
        return ["board"]

    def get_deleted_objects(
        self, objs: Sequence[Replay] | QuerySet[Replay], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Only the replays: the rows that depend on them are deleted by the service."""
        names = [str(replay) for replay in objs]
        return names, {str(self.opts.verbose_name_plural): len(names)}, set(), []

    def delete_model(self, request: HttpRequest, obj: Replay) -> None:
        replay_delete(obj, by=_staff(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Replay]) -> None:
        for replay in queryset:
            replay_delete(replay, by=_staff(request))

    def log_deletions(self, request: HttpRequest, queryset: QuerySet[Replay]) -> list[Any]:
        """Nothing: the service logs each deletion."""
        return []

    @admin.display(description=_("reason for rejection"))
    def why(self, replay: Replay) -> str:
        return reject_text(replay)

    @admin.action(description=_("Accept"), permissions=["change"])
    def accept(self, request: HttpRequest, queryset: QuerySet[Replay]) -> None:
        self._judge(request, queryset, Replay.Judgement.ACCEPTED)

    @admin.action(description=_("Mark as suspicious (with a reason)"), permissions=["change"])
    def mark_suspicious(self, request: HttpRequest, queryset: QuerySet[Replay]) -> None:
        self._judge(request, queryset, Replay.Judgement.SUSPICIOUS)

    @admin.action(description=_("Freeze (with a reason)"), permissions=["change"])
    def freeze(self, request: HttpRequest, queryset: QuerySet[Replay]) -> None:
        self._judge(request, queryset, Replay.Judgement.FROZEN)

    @admin.action(description=_("Analyse rejected replays again"), permissions=["change"])
    def analyse_again(self, request: HttpRequest, queryset: QuerySet[Replay]) -> None:
        count = replays_requeue(list(queryset.values_list("pk", flat=True)))
        self.message_user(request, ngettext("%d replay was queued.", "%d replays were queued.", count) % count)

    def _judge(self, request: HttpRequest, queryset: QuerySet[Replay], judgement: str) -> None:
        try:
            for replay in queryset:
                replay_judge(replay, judgement, request.POST.get("reason", ""), by=_staff(request))
        except ValidationError as error:
            self.message_user(request, " ".join(error.messages), messages.ERROR)
        else:
            self.message_user(request, gettext("Decision saved."))


def _staff(request: HttpRequest) -> User:
    return cast(User, request.user)  # the admin admits nobody else


@admin.register(Comment)
class CommentAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # as above
    """All comments, to look at; they are hidden on a page of the site."""

    list_display = ["id", "replay_id", "user", "text", "created_at", "hidden_at", "hidden_by", "hidden_reason"]
    list_select_related = ["user", "hidden_by"]
    search_fields = ["user__username__istartswith"]
    show_full_result_count = False
    ordering = ["-id"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Comment | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Comment | None = None) -> bool:
        return False
