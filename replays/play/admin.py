"""The admin of live play: viewing alone.  The secret of a board is never shown here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.http import HttpRequest

from replays.play.models import LiveGame

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[LiveGame]
else:
    _ModelAdmin = admin.ModelAdmin  # generic for the type checker only


@admin.register(LiveGame)
class LiveGameAdmin(_ModelAdmin):
    list_display = ["id", "user", "level", "rules", "state", "result", "time_ms", "reason", "created_at", "replay"]
    list_filter = ["state", "result", "level", "rules", "reason"]
    list_select_related = ["user", "replay"]
    search_fields = ["=id", "=user__username"]
    show_full_result_count = False
    list_per_page = 50
    ordering = ["-created_at"]
    exclude = ["secret", "nonce", "recording"]
    raw_id_fields = ["user", "replay"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: LiveGame | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: LiveGame | None = None) -> bool:
        return False
