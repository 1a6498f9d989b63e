from __future__ import annotations

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from players.accounts.devices import COOKIE
from players.web.errors import forbidden, too_many_requests
from players.web.users import required_user
from replays.own.account_deletion.forms import DeletionForm
from replays.own.account_deletion.selectors import can_prove, deletion_effects, deletion_refusal
from replays.own.account_deletion.services import TRIES, account_close


@sensitive_post_parameters("password", "code")
@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def account_delete(request: HttpRequest) -> HttpResponse:
    user = required_user(request)
    if refusal := deletion_refusal(user):
        return forbidden(request, refusal)
    sent = request.method == "POST"
    if sent and not TRIES.count(str(user.pk)):
        return too_many_requests(request)
    form = DeletionForm(request.POST if sent else None, user=user)
    if sent and can_prove(user) and form.is_valid():
        try:
            account_close(user, form.cleaned_data["uploads"])
        except ValidationError as error:
            return forbidden(request, " ".join(error.messages))
        logout(request)
        response = redirect("account-deleted")
        response.delete_cookie(COOKIE)
        return response
    context = {
        "form": form, "effects": deletion_effects(user), "can_prove": can_prove(user),
        "email_is_sent": settings.EMAIL_IS_SENT, "contact": settings.SITE_CONTACT,
    }  # fmt: skip
    return render(request, "replays/own/account_deletion/delete.html", context, status=422 if form.errors else 200)


@require_safe
def account_deleted(request: HttpRequest) -> HttpResponse:
    """Show a page that is the same for everybody."""
    return render(request, "replays/own/account_deletion/deleted.html")
