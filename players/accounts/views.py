"""Signing up and in, passwords, second factor, and the account page.

Most views are allauth's, with our templates; those that are not named here have no address.
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlencode

from allauth.account import views as allauth
from allauth.account.adapter import get_adapter
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from django.views.i18n import set_language

from players.accounts.claims.selectors import claims_of_account, identities_of_account, names_to_claim
from players.accounts.forms import PreferencesForm, SignUpForm
from players.accounts.selectors import address_is_verified, has_second_factor
from players.accounts.services import store_language, store_preferences
from players.models import User
from players.people.selectors import player_of_account
from players.tokens.selectors import tokens_of
from players.web.clock import CLOCK_COOKIE
from players.web.errors import bad_request
from players.web.links import redirect_to_next, safe_next
from players.web.users import required_user

_YEAR_SECONDS: Final = 365 * 24 * 3600
#: Of the field of Django's user.
_NAME_LENGTH: Final = 150


class _Letters:
    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)  # type: ignore[misc]  # of the view
        return context | {"email_is_sent": settings.EMAIL_IS_SENT}


class SignIn(allauth.LoginView):
    template_name = "players/accounts/sign_in.html"


class SignOut(allauth.LogoutView):
    """Only by POST: a link must not sign anybody out."""

    http_method_names = ["post"]


class SignUp(allauth.SignupView):
    template_name = "players/accounts/sign_up.html"

    def get_initial(self) -> dict[str, Any]:
        """Take the name that a guest has entered on the page of play."""
        initial: dict[str, Any] = super().get_initial()
        return initial | {"username": self.request.GET.get("username", "")[:_NAME_LENGTH]}

    def form_valid(self, form: SignUpForm) -> HttpResponse:
        """Create the account; an error in ``form`` if another request has just used the name."""
        try:
            with transaction.atomic():
                response: HttpResponse = super().form_valid(form)
        except IntegrityError:
            form.add_error("username", get_adapter().validation_error("username_taken"))
            refused: HttpResponse = self.form_invalid(form)
            return refused
        if self.request.user.is_authenticated:
            messages.success(self.request, _("Welcome! Your account is ready. Play here, or upload your replays."))
        return response


class AccountInactive(allauth.AccountInactiveView):
    template_name = "players/accounts/inactive.html"


class Reauthenticate(allauth.ReauthenticateView):
    """The password once more, before something that a stolen session must not do."""

    template_name = "players/accounts/reauthenticate.html"


class PasswordChange(allauth.PasswordChangeView):
    template_name = "players/accounts/password_change.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Accounts without a password, which staff can make, get one by letter."""
        if request.user.is_authenticated and not request.user.has_usable_password():
            return redirect("account_reset_password")
        response: HttpResponse = super().dispatch(request, *args, **kwargs)
        return response


class PasswordReset(_Letters, allauth.PasswordResetView):
    """Sends a letter with a link to :class:`PasswordResetFromKey`; says so if the site sends no letters."""

    template_name = "players/accounts/password_reset.html"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.EMAIL_IS_SENT:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        response: HttpResponse = super().post(request, *args, **kwargs)
        return response


class PasswordResetSent(allauth.PasswordResetDoneView):
    """The same whether or not an account has the address."""

    template_name = "players/accounts/password_reset_sent.html"


class PasswordResetFromKey(allauth.PasswordResetFromKeyView):
    template_name = "players/accounts/password_new.html"
    success_url = reverse_lazy("account_login")


class Email(_Letters, allauth.EmailView):
    """The e-mail address of the account; a new one replaces it when it is verified."""

    template_name = "players/accounts/email.html"


class EmailSent(allauth.EmailVerificationSentView):
    template_name = "players/accounts/email_sent.html"


class EmailConfirm(allauth.ConfirmEmailView):
    """The page behind the link: a button, since programs open links in letters, too."""

    template_name = "players/accounts/email_confirm.html"


class SecondFactor(mfa.AuthenticateView):
    template_name = "players/accounts/second_factor/second_factor.html"


class SecondFactorAgain(mfa.ReauthenticateView):
    template_name = "players/accounts/reauthenticate.html"


@method_decorator(never_cache, name="dispatch")  # the "back" button must not show the secret again
class SecondFactorOn(totp.ActivateTOTPView):
    template_name = "players/accounts/second_factor/second_factor_on.html"

    def get_success_url(self) -> str:
        """Keep ``next``, to which the page of the recovery codes leads on."""
        address, next_url = super().get_success_url(), safe_next(self.request)
        return f"{address}?{urlencode({'next': next_url})}" if next_url else address


class SecondFactorOff(totp.DeactivateTOTPView):
    template_name = "players/accounts/second_factor/second_factor_off.html"


@method_decorator(never_cache, name="dispatch")
class RecoveryCodes(recovery_codes.ViewRecoveryCodesView):
    template_name = "players/accounts/second_factor/recovery_codes.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {"next_url": safe_next(self.request)}


class RecoveryCodesNew(recovery_codes.GenerateRecoveryCodesView):
    template_name = "players/accounts/second_factor/recovery_codes_new.html"


#: So many names in their uploads are offered to be claimed; any other may be typed.
_NAMES_OFFERED: Final = 100


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    user = required_user(request)
    player = player_of_account(user)
    form = PreferencesForm(request.POST or None, instance=user, player=player)
    if request.method == "POST" and form.is_valid():
        store_preferences(
            user,
            language=form.cleaned_data["language"],
            time_zone=form.cleaned_data["time_zone"],
            clock=form.cleaned_data["clock"],
            country=form.cleaned_data["country"],
        )
        messages.success(request, _("Saved."))
        return redirect("account")
    context = {
        "form": form,
        "tokens": tokens_of(user),
        "site_url": settings.SITE_URL,
        "email_is_sent": settings.EMAIL_IS_SENT,
        "email_is_verified": address_is_verified(user),
        "has_second_factor": has_second_factor(user),
        "identities": identities_of_account(user),
        "claims": claims_of_account(user),
        "unclaimed": names_to_claim(user, _NAMES_OFFERED),
        "player": player,
    }
    return render(request, "players/accounts/account.html", context, status=422 if form.errors else 200)


@require_POST
def guest_clock(request: HttpRequest) -> HttpResponse:
    """Keep the clock of a guest in a cookie; an account has a setting, which holds in spite of it."""
    chosen = request.POST.get("clock", "")
    if chosen not in User.Clock.values:
        return bad_request(request, _("The clock can only start at 0 or 1."))
    response = redirect_to_next(request, reverse("home"))
    response.set_cookie(
        CLOCK_COOKIE, chosen, max_age=_YEAR_SECONDS, secure=settings.HTTPS, httponly=True, samesite="Lax"
    )
    return response


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    chosen = request.POST.get("language", "")
    if isinstance(request.user, User) and chosen in dict(settings.LANGUAGES):
        store_language(request.user, chosen)
    return set_language(request)
