from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from players.web.errors import forbidden, handle_bad_addresses
from players.web.links import here, redirect_to_next
from players.web.parameters import CURSOR, form_of
from players.web.staff import moderators_only
from players.web.users import required_user, signed_in_user
from replays.models import Comment, Replay
from replays.trust.judging.permissions import may_judge
from replays.watch.comments.selectors import (
    comment_or_404,
    commented_replay_or_404,
    comments_page,
    likes_of,
    may_delete_comment,
    own_comments_page,
)
from replays.watch.comments.services import comment_create, comment_delete, comment_moderate, like_set

PageForm = form_of(CURSOR)


@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Request")
@handle_bad_addresses
def replay_comments(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a part of the replay's page for htmx, else a page; POST writes a comment."""
    found, viewer = commented_replay_or_404(request, pk), signed_in_user(request)
    text, errors = "", []
    if request.method == "POST":
        if viewer is None:
            return redirect(f"{reverse('account_login')}?next={found.get_absolute_url()}%23comments")
        text = request.POST.get("text", "")
        try:
            comment_create(found, viewer, text)
        except ValidationError as error:
            errors = error.messages
        else:
            return _back_to(found)
    values = PageForm(request.GET).values()
    page = comments_page(found, viewer, cursor=values["cursor"])
    context = {
        "replay": found, "page": page, "likes": likes_of(found, viewer), "text": text, "errors": errors,
        "may_moderate": may_judge(viewer), "max_chars": Comment.MAX_CHARS,
        "next_url": _comments_address(found),
    }  # fmt: skip
    template = (
        "replays/watch/comments/_comments.html"
        if getattr(request, "htmx", False)
        else "replays/watch/comments/comments.html"
    )
    return render(request, template, context, status=400 if errors else 200)


@login_required
@require_POST
def replay_like(request: HttpRequest, pk: int) -> HttpResponse:
    """Like it no longer if ``liked`` is empty."""
    found = commented_replay_or_404(request, pk)
    try:
        like_set(found, required_user(request), liked=bool(request.POST.get("liked")))
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    return _back_to(found)


@login_required
@require_POST
def comment_remove(request: HttpRequest, pk: int) -> HttpResponse:
    found = comment_or_404(request, pk)
    if not may_delete_comment(found, signed_in_user(request)):
        return forbidden(request, _("Only a comment's author can delete it."))
    comment_delete(found)
    messages.success(request, _("The comment has been deleted."))
    return _next(request, found.replay)


@moderators_only("replays.change_replay")
@require_POST
def comment_moderation(request: HttpRequest, pk: int) -> HttpResponse:
    """Hide a comment with a reason, or show it again; for staff."""
    viewer = required_user(request)
    found = comment_or_404(request, pk)
    try:
        comment_moderate(found, viewer, hidden=bool(request.POST.get("hidden")), reason=request.POST.get("reason", ""))
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, _("Saved your decision about the comment."))
    return _next(request, found.replay)


@login_required
@never_cache
@require_safe
@handle_bad_addresses
def own_comments(request: HttpRequest) -> HttpResponse:
    page = own_comments_page(required_user(request), PageForm(request.GET).values()["cursor"])
    return render(request, "replays/watch/comments/own_comments.html", {"page": page, "next_url": here(request)})


def _back_to(replay: Replay) -> HttpResponseRedirect:
    return HttpResponseRedirect(_comments_address(replay))


def _comments_address(replay: Replay) -> str:
    return f"{replay.get_absolute_url()}#comments"


def _next(request: HttpRequest, replay: Replay) -> HttpResponseRedirect:
    """To the page with the form, if that is ours."""
    return redirect_to_next(request, _comments_address(replay))
