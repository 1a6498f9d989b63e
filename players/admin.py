from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from allauth.mfa.models import Authenticator
from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from players.accounts.claims.merging import player_merge, player_rename
from players.accounts.claims.permissions import may_decide_names
from players.accounts.claims.services import release_name
from players.decision_log import SWITCHES, Action, Kind, log_decision, log_switch
from players.models import (
    MAX_NAME_CHARS,
    ApiToken,
    Claim,
    CombinedBest,
    Decision,
    Identity,
    PersonalBest,
    Player,
    RecordEvent,
    SecondCount,
    User,
)
from players.people.countries import country_names
from players.people.services import index_names, set_country

if TYPE_CHECKING:
    UserModelAdmin = DjangoUserAdmin[User]
    PlayerModelAdmin = admin.ModelAdmin[Player]
    IdentityModelAdmin = admin.ModelAdmin[Identity]
    ClaimModelAdmin = admin.ModelAdmin[Claim]
    DerivedModelAdmin = admin.ModelAdmin[Model]
    Inline = admin.TabularInline[Identity, Player]
    PlayerModelForm = forms.ModelForm[Player]
else:  # Django's classes take no type parameters when they run
    UserModelAdmin = DjangoUserAdmin
    PlayerModelAdmin = IdentityModelAdmin = ClaimModelAdmin = DerivedModelAdmin = admin.ModelAdmin
    Inline = admin.TabularInline
    PlayerModelForm = forms.ModelForm


#: Fields that superusers alone set: else staff who may edit accounts would make superusers of themselves.
_POWERS: Final = ("is_moderator", "is_staff", "is_superuser", "groups", "user_permissions")


class ReadOnly:
    def has_add_permission(self, request: HttpRequest, *args: object) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(User)
class UserAdmin(UserModelAdmin):
    """Django's own, with our preferences and the role of moderators, which superusers give.

    Nobody is deleted here: what an account has done goes with the account's end (``replays.own.account_deletion``), which its owner asks
    for.  Staff deactivate.
    """

    fieldsets: ClassVar = (
        *(DjangoUserAdmin.fieldsets or ()),
        (_("Moderation"), {"fields": ("is_moderator", "banned_until")}),
        (_("Preferences"), {"fields": ("language", "time_zone", "clock", "country")}),
    )
    list_filter = (*DjangoUserAdmin.list_filter, "is_moderator")

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        own = () if request.user.is_superuser else _POWERS
        return (*super().get_readonly_fields(request, obj), "banned_until", *own)

    def save_model(self, request: HttpRequest, obj: User, form: forms.ModelForm[User], change: bool) -> None:
        """Save, and log an account that was closed or opened again, and power that was given or taken."""
        super().save_model(request, obj, form, change)
        for field in SWITCHES if change else ():
            if field in form.changed_data:
                log_switch(obj, field, _staff(request))

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False


class Deletable(ReadOnly, DerivedModelAdmin):
    """Parts of accounts that staff may delete, which is a decision about the account."""

    action_of_deleting: ClassVar[Action]

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return request.user.has_perm(f"{self.opts.app_label}.delete_{self.opts.model_name}")

    def delete_model(self, request: HttpRequest, obj: Model) -> None:
        with transaction.atomic():
            self._log(request, obj)
            super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> None:
        with transaction.atomic():
            for row in queryset:
                self._log(request, row)
            super().delete_queryset(request, queryset)

    def state_of(self, row: Any) -> str:
        """Return what the log calls ``row``, which is about to be deleted."""
        raise NotImplementedError

    def _log(self, request: HttpRequest, row: Any) -> None:
        log_decision(
            _staff(request), self.action_of_deleting, Kind.ACCOUNT, row.user_id, about=row.user_id,
            before=self.state_of(row), after="deleted",
        )  # fmt: skip


@admin.register(ApiToken)
class ApiTokenAdmin(Deletable):
    action_of_deleting = Action.TOKEN_REVOKED
    fields = ("user", "name", "prefix", "scopes", "created_at", "expires_at", "last_used_at")
    list_display = ("prefix", "user", "name", "scopes", "expires_at", "last_used_at")
    list_select_related = ("user",)
    search_fields = ("prefix__startswith", "user__username__istartswith")

    def state_of(self, row: ApiToken) -> str:
        return f"token {row.prefix}"


admin.site.unregister(Authenticator)  # allauth's would show and change the secrets


@admin.register(Authenticator)
class AuthenticatorAdmin(Deletable):
    """Second factors, which staff may delete for somebody who has lost phone and recovery codes."""

    action_of_deleting = Action.FACTOR_DELETED
    fields = ("user", "type", "created_at", "last_used_at")
    list_display = ("user", "type", "created_at", "last_used_at")
    list_select_related = ("user",)
    search_fields = ("user__username__istartswith",)

    def state_of(self, row: Authenticator) -> str:
        return str(row.type)


def _staff(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101 - the admin lets nobody else in
    return request.user


def _confirmation(
    model_admin: admin.ModelAdmin[Player] | admin.ModelAdmin[Identity],
    request: HttpRequest,
    queryset: QuerySet[Player] | QuerySet[Identity],
    action: str,
    question: object,
    form: forms.Form | None = None,
) -> HttpResponse:
    """The page that asks before an action is done; it posts the same action with ``confirmed``."""
    context = {
        **model_admin.admin_site.each_context(request),
        "title": question, "question": question, "rows": queryset, "form": form or forms.Form(), "act": action,
        "checkbox": ACTION_CHECKBOX_NAME,
    }  # fmt: skip
    return TemplateResponse(request, "admin/players/confirm.html", context)


class IdentityInline(ReadOnly, Inline):
    model = Identity
    fk_name = "player"
    fields: ClassVar = ("name", "state", "claimant", "claimed_at")
    readonly_fields: ClassVar = fields
    extra = 0


class PlayerForm(PlayerModelForm):
    country = forms.ChoiceField(
        label=_("Country"), required=False, choices=lambda: [("", "-"), *country_names().items()]
    )


class RenameForm(forms.Form):
    name = forms.CharField(label=_("New name"), max_length=MAX_NAME_CHARS)


class MergeForm(forms.Form):
    stays = forms.ModelChoiceField(Player.objects.none(), label=_("Player to keep"), empty_label=None)
    reason = forms.CharField(label=_("Reason"), max_length=255)


@admin.register(Player)
class PlayerAdmin(PlayerModelAdmin):
    """The country may be edited; accounts and replays are moved by claims, and by the actions, which ask first."""

    form = PlayerForm
    list_display = ("name", "user", "country", "is_bot", "merged_into", "created_at")
    list_filter = ("is_bot",)
    list_select_related = ("user", "merged_into")
    actions = ("rename", "merge")
    search_fields = ("name__istartswith", "identities__name__istartswith")
    readonly_fields = ("name", "user", "is_bot", "on_boards", "merged_into", "created_at")  # bots: manage.py mark_bot
    inlines = (IdentityInline,)
    show_full_result_count = False

    def save_model(self, request: HttpRequest, obj: Player, form: forms.ModelForm[Player], change: bool) -> None:
        """Save the country through ``set_country``, which updates the boards of countries, and let searches find the name."""
        country = obj.country
        if change and "country" in form.changed_data:
            obj.country = form.initial["country"]
        super().save_model(request, obj, form, change)
        set_country(obj, country, from_files=obj.country_from_files and "country" not in form.changed_data)
        index_names([obj.pk])

    @admin.action(description=_("Rename"), permissions=["change"])
    def rename(self, request: HttpRequest, queryset: QuerySet[Player]) -> HttpResponse | None:
        if queryset.count() != 1:
            self.message_user(request, _("Choose one player."), messages.ERROR)
            return None
        player = queryset.get()
        confirmed = "confirmed" in request.POST
        form = RenameForm(request.POST if confirmed else None, initial={"name": player.name})
        if not confirmed or not form.is_valid():
            return _confirmation(self, request, queryset, "rename", _("Rename this player?"), form)
        try:
            done = player_rename(player, form.cleaned_data["name"], _staff(request))
        except ValidationError as error:
            self.message_user(request, " ".join(error.messages), messages.ERROR)
        else:
            self.message_user(request, f"{player.name} -> {done.name}")
        return None

    @admin.action(description=_("Merge two players"), permissions=["change"])
    def merge(self, request: HttpRequest, queryset: QuerySet[Player]) -> HttpResponse | None:
        players = list(queryset.order_by("id")[:3])
        if len(players) != 2:
            self.message_user(request, _("Choose two players."), messages.ERROR)
            return None
        confirmed = "confirmed" in request.POST
        form = MergeForm(request.POST if confirmed else None)
        form.fields["stays"].queryset = queryset  # type: ignore[attr-defined]  # of a ModelChoiceField
        if not confirmed or not form.is_valid():
            question = _(
                "Merge these players? One player's names and replays move to the other, and the old page redirects there."
            )
            return _confirmation(self, request, queryset, "merge", question, form)
        target = form.cleaned_data["stays"]
        source = next(player for player in players if player.pk != target.pk)
        try:
            player_merge(source, target, _staff(request), form.cleaned_data["reason"])
        except ValidationError as error:
            self.message_user(request, " ".join(error.messages), messages.ERROR)
        else:
            self.message_user(request, f"{source} #{source.pk} -> {target} #{target.pk}")
        return None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # players are created with their first replay, or with an account's first name

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        return False  # their replays would be left without a player; delete the replays first


Identity._meta.verbose_name_plural = "identities"  # in the model it would be a word of the migrations


@admin.register(Identity)
class IdentityAdmin(ReadOnly, IdentityModelAdmin):
    """Names inside replays.  Claims are decided on a page of the site; here names are released."""

    list_display = ("name", "state", "proof", "claimant", "player", "claimed_at")
    list_filter = ("state", "proof")
    list_select_related = ("claimant", "player")
    search_fields = ("name__istartswith",)
    actions = ("release",)
    show_full_result_count = False

    def has_decide_permission(self, request: HttpRequest) -> bool:
        return may_decide_names(request.user)

    @admin.action(description=_("Release"), permissions=["decide"])
    def release(self, request: HttpRequest, queryset: QuerySet[Identity]) -> HttpResponse | None:
        if "confirmed" not in request.POST:
            question = _("Release these names from their accounts? Each name will get its own player number again.")
            return _confirmation(self, request, queryset, "release", question)
        for identity in queryset.order_by("id"):
            done = release_name(identity, by=_staff(request))
            self.message_user(request, f"{identity.shown_name}: {done.get_state_display()}")
        return None


@admin.register(Decision)
class DecisionAdmin(ReadOnly, DerivedModelAdmin):
    """The log of decisions, to look at."""

    list_display = (
        "made_at",
        "by_name",
        "action",
        "kind",
        "number",
        "about_number",
        "rule",
        "reason",
        "before",
        "after",
    )
    list_filter = ("action", "kind")
    show_full_result_count = False


@admin.register(Claim)
class ClaimAdmin(ReadOnly, ClaimModelAdmin):
    list_display = ("name", "user", "state", "made_at", "used_at", "decided_by", "decided_at")
    list_filter = ("state",)
    list_select_related = ("user", "decided_by")
    search_fields = ("name__istartswith",)
    show_full_result_count = False


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
