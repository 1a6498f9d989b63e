"""Sign-up, sign-in, passwords, and the account page."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from django.views.i18n import set_language

from players.accounts.forms import PreferencesForm, SignUpForm
from players.accounts.selectors import account_token
from players.accounts.services import create_account, revoke_token, rotate_token, store_language, store_preferences
from players.claims.selectors import identities_of_account, names_to_claim
from players.models import User
from players.people.selectors import player_of_account
from players.people.services import set_country
from players.web.users import required_user


class SignIn(auth.LoginView):
    """Django's own, with our template."""

    template_name = "accounts/sign_in.html"
    redirect_authenticated_user = True


class PasswordReset(auth.PasswordResetView):
    """Sends an e-mail with a link to :class:`PasswordResetConfirm`."""

    template_name = "accounts/password_reset.html"
    email_template_name = "accounts/password_reset_letter.txt"
    subject_template_name = "accounts/password_reset_subject.txt"
    success_url = reverse_lazy("password-reset-sent")

    def form_valid(self, form: PasswordResetForm) -> HttpResponse:
        """Send the e-mail; its link begins with ``SITE_URL``, since the sender of a request chooses its Host header."""
        site = urlsplit(settings.SITE_URL)
        self.extra_email_context = {"protocol": site.scheme, "domain": site.netloc}
        return super().form_valid(form)


class PasswordResetConfirm(auth.PasswordResetConfirmView):
    """The page behind the link of the e-mail."""

    template_name = "accounts/password_new.html"
    success_url = reverse_lazy("sign-in")

    def form_valid(self, form: SetPasswordForm[User]) -> HttpResponse:
        """Add a message; the next page is the sign-in page."""
        messages.success(self.request, _("Your password has been changed. You can sign in with it."))
        return super().form_valid(form)


class PasswordChange(auth.PasswordChangeView):
    """A new password for a visitor who enters the old one."""

    template_name = "accounts/password_new.html"
    success_url = reverse_lazy("account")

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        """Add a message."""
        messages.success(self.request, _("Your password has been changed."))
        return super().form_valid(form)


def _next_address(request: HttpRequest) -> str:
    """The page after the sign-up; "" unless it is an address of this site."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    safe = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if safe else ""


@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Create an account and sign in."""
    if request.user.is_authenticated:
        return redirect("account")
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        user = _new_account(form)
        if user is not None:
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            messages.success(request, _("Welcome! Your account is ready: upload your replays."))
            return redirect(_next_address(request) or "upload")
    status = 422 if form.errors else 200
    return render(request, "accounts/sign_up.html", {"form": form, "next": _next_address(request)}, status=status)


def _new_account(form: SignUpForm) -> User | None:
    """The new account; None, with an error in ``form``, if another request has just used the name."""
    try:
        with transaction.atomic():
            return create_account(
                username=form.cleaned_data["username"],
                password=form.cleaned_data["password1"],
                email=form.cleaned_data["email"],
                time_zone=form.cleaned_data["time_zone"],
                language=get_language() or "",
            )
    except IntegrityError:
        form.add_error("username", form.instance.unique_error_message(User, ("username",)))
        return None


@login_required
@never_cache  # it shows the token, which the "back" button must not show again after signing out
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """The account page: preferences, names in replays, token."""
    user = required_user(request)
    player = player_of_account(user)
    form = PreferencesForm(request.POST or None, instance=user, player=player)
    if request.method == "POST" and form.is_valid():
        store_preferences(
            user,
            language=form.cleaned_data["language"],
            time_zone=form.cleaned_data["time_zone"],
            clock=form.cleaned_data["clock"],
            email=form.cleaned_data["email"],
        )
        if player is not None:
            set_country(player, form.cleaned_data["country"])
        messages.success(request, _("Saved."))
        return redirect("account")
    context = {
        "form": form,
        "token": account_token(user),
        "identities": identities_of_account(user),
        "unclaimed": names_to_claim(user),
        "player": player,
    }
    return render(request, "accounts/account.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def token(request: HttpRequest) -> HttpResponse:
    """Create, replace or revoke the API token."""
    user = required_user(request)
    if request.POST.get("action") == "revoke":
        revoke_token(user)
        messages.success(request, _("The token no longer works."))
    else:
        rotate_token(user)
        messages.success(request, _("Here is your new token. An older one no longer works."))
    return HttpResponseRedirect(f"{reverse_lazy('account')}#token")


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Switch the language: in a cookie, and in the account of signed-in visitors."""
    chosen = request.POST.get("language", "")
    if isinstance(request.user, User) and chosen in dict(settings.LANGUAGES):
        store_language(request.user, chosen)
    return set_language(request)
