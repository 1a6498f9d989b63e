"""The admin of accounts, players and names, and read-only views of tables that services write."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from allauth.mfa.models import Authenticator
from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from players.claims.services import ClaimRefused, approve_claim, release_name
from players.models import ApiToken, CombinedBest, Identity, PersonalBest, Player, RecordEvent, SecondCount, User
from players.people.countries import country_names
from players.people.services import index_names, set_country

if TYPE_CHECKING:
    UserModelAdmin = DjangoUserAdmin[User]
    PlayerModelAdmin = admin.ModelAdmin[Player]
    IdentityModelAdmin = admin.ModelAdmin[Identity]
    DerivedModelAdmin = admin.ModelAdmin[Model]
    Inline = admin.TabularInline[Identity, Player]
    PlayerModelForm = forms.ModelForm[Player]
else:  # Django's classes take no type parameters when they run
    UserModelAdmin = DjangoUserAdmin
    PlayerModelAdmin = IdentityModelAdmin = DerivedModelAdmin = admin.ModelAdmin
    Inline = admin.TabularInline
    PlayerModelForm = forms.ModelForm


class ReadOnly:
    """Mixin that makes an admin read-only."""

    def has_add_permission(self, request: HttpRequest, *args: object) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(User)
class UserAdmin(UserModelAdmin):
    """Django's own, with our preferences."""

    fieldsets: ClassVar = (
        *(DjangoUserAdmin.fieldsets or ()),
        (_("Preferences"), {"fields": ("language", "time_zone", "clock")}),
    )


class Deletable(ReadOnly):
    """Mixin that makes an admin read-only but for deleting."""

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return request.user.has_perm(f"{self.opts.app_label}.delete_{self.opts.model_name}")  # type: ignore[attr-defined]


@admin.register(ApiToken)
class ApiTokenAdmin(Deletable, DerivedModelAdmin):
    """The tokens of accounts, which staff may end."""

    fields = ("user", "name", "prefix", "scopes", "created_at", "expires_at", "last_used_at")
    list_display = ("prefix", "user", "name", "scopes", "expires_at", "last_used_at")
    list_select_related = ("user",)
    search_fields = ("prefix__startswith", "user__username__istartswith")


admin.site.unregister(Authenticator)  # allauth's would show and change the secrets


@admin.register(Authenticator)
class AuthenticatorAdmin(Deletable, DerivedModelAdmin):
    """Second factors, which staff may delete for somebody who has lost phone and recovery codes."""

    fields = ("user", "type", "created_at", "last_used_at")
    list_display = ("user", "type", "created_at", "last_used_at")
    list_select_related = ("user",)
    search_fields = ("user__username__istartswith",)


class IdentityInline(ReadOnly, Inline):
    model = Identity
    fields: ClassVar = ("name", "state", "claimant", "claimed_at")
    readonly_fields: ClassVar = fields
    extra = 0


class PlayerForm(PlayerModelForm):
    """The form of a player; the country is chosen from a list."""

    country = forms.ChoiceField(
        label=_("Country"), required=False, choices=lambda: [("", "-"), *country_names().items()]
    )


@admin.register(Player)
class PlayerAdmin(PlayerModelAdmin):
    """Shown name and country may be edited; accounts and replays are moved by claims (:class:`IdentityAdmin`)."""

    form = PlayerForm
    list_display = ("name", "user", "country", "is_bot", "created_at")
    list_filter = ("is_bot",)
    list_select_related = ("user",)
    search_fields = ("name__istartswith", "identities__name__istartswith")
    readonly_fields = ("user", "is_bot", "on_boards", "created_at")  # bots: manage.py mark_bot
    inlines = (IdentityInline,)
    show_full_result_count = False

    def save_model(self, request: HttpRequest, obj: Player, form: forms.ModelForm[Player], change: bool) -> None:
        """Save the country through ``set_country``, which updates the boards of countries, and let searches find the name."""
        country = obj.country
        if change and "country" in form.changed_data:
            obj.country = form.initial["country"]
        super().save_model(request, obj, form, change)
        set_country(obj, country)
        index_names([obj.pk])

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # players are created with their first replay, or with an account's first name

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        return False  # their replays would be left without a player; delete the replays first


@admin.register(Identity)
class IdentityAdmin(ReadOnly, IdentityModelAdmin):
    """Names inside replays, with actions that decide claims."""

    list_display = ("name", "state", "claimant", "player", "claimed_at")
    list_filter = ("state",)
    list_select_related = ("claimant", "player")
    search_fields = ("name__istartswith",)
    actions = ("approve", "release")
    show_full_result_count = False

    def has_decide_permission(self, request: HttpRequest) -> bool:
        """Whether the user may decide claims; the permission to view is not enough."""
        return request.user.has_perm("players.change_identity")

    @admin.action(description=_("Approve the claims"), permissions=["decide"])
    def approve(self, request: HttpRequest, queryset: QuerySet[Identity]) -> None:
        self._decide(request, queryset, approve_claim)

    @admin.action(description=_("Turn down or release"), permissions=["decide"])
    def release(self, request: HttpRequest, queryset: QuerySet[Identity]) -> None:
        self._decide(request, queryset, release_name)

    def _decide(
        self, request: HttpRequest, queryset: QuerySet[Identity], decide: Callable[[Identity], Identity]
    ) -> None:
        for identity in queryset.order_by("id"):
            try:
                done = decide(identity)
            except ClaimRefused as error:
                self.message_user(request, f"{identity.shown_name}: {error}", messages.ERROR)
            else:
                self.log_change(request, done, f"{decide.__name__}: {done.get_state_display()}")
                self.message_user(request, f"{identity.shown_name}: {done.get_state_display()}")


class DerivedAdmin(ReadOnly, DerivedModelAdmin):
    """A table that is computed from the ranked replays; ``manage.py personal_best_rebuild`` computes it again."""

    list_select_related = ("player",)
    list_filter = ("style",)
    search_fields = ("player__name__istartswith",)
    show_full_result_count = False


@admin.register(PersonalBest)
class PersonalBestAdmin(DerivedAdmin):
    list_display = ("player", "level", "statistic", "style", "value", "replay_id", "achieved_at")


@admin.register(CombinedBest)
class CombinedBestAdmin(DerivedAdmin):
    list_display = ("player", "statistic", "style", "value", "achieved_at")


@admin.register(SecondCount)
class SecondCountAdmin(DerivedAdmin):
    list_display = ("player", "level", "style", "second", "games", "first_at")


@admin.register(RecordEvent)
class RecordEventAdmin(DerivedAdmin):
    list_display = (
        "player",
        "kind",
        "level",
        "statistic",
        "style",
        "old_value",
        "new_value",
        "rank_after",
        "happened_at",
    )
    ordering = ("-id",)
