from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from players.tokens.forms import NewTokenForm
from players.tokens.services import MAX_TOKENS, TooManyTokens, token_create, token_end, tokens_end
from players.web.users import required_user


@login_required
@reauthentication_required  # type: ignore[untyped-decorator]  # a token outlives the session that made it
@never_cache  # it shows the key, which the "back" button must not show again
@require_http_methods(["GET", "HEAD", "POST"])
def make_token(request: HttpRequest) -> HttpResponse:
    """The form of a new token; when it is sent, the page that shows the key, once."""
    user = required_user(request)
    form = NewTokenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            token, key = token_create(user, form.cleaned_data["name"], form.cleaned_data["scopes"], lasts=form.lasts)
        except TooManyTokens:
            form.add_error(None, _("You already have %(number)s tokens. Revoke one first.") % {"number": MAX_TOKENS})
        else:
            context = {"token": token, "key": key, "site_url": settings.SITE_URL}
            return render(request, "players/tokens/token_made.html", context, status=201)
    return render(request, "players/tokens/token_new.html", {"form": form}, status=422 if form.errors else 200)


@login_required
@require_POST
def end_tokens(request: HttpRequest) -> HttpResponse:
    """End the token ``id``, or all of them."""
    user, number = required_user(request), request.POST.get("id", "")
    if number == "all":
        tokens_end(user)
        messages.success(request, _("All tokens have been revoked."))
    elif number.isascii() and number.isdecimal() and len(number) < 19 and token_end(user, int(number)):
        messages.success(request, _("Token revoked."))
    return HttpResponseRedirect(f"{reverse('account')}#token")
