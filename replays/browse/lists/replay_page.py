from __future__ import annotations

from collections.abc import Mapping

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from analysis.board import board_facts
from analysis.statistics import BY_NAME, VERSION
from players.leaderboards.pages.board_texts import level_text
from players.web.clock import shown_text
from players.web.errors import forbidden
from players.web.links import absolute_address
from players.web.users import signed_in_user
from replays.browse.lists.downloads import replay_file_response, replay_rawvf_response
from replays.browse.lists.numbers import headline, held_bests, number_parts
from replays.browse.lists.random_zini import random_zini
from replays.models import Replay
from replays.play.solo.selectors import game_of_replay
from replays.trust.judging.findings import finding_sentences
from replays.trust.judging.permissions import deletion_refusal, encoding_refusal, may_delete, may_keep, replay_or_404
from replays.trust.judging.views import judgement_context
from replays.trust.ownership.views import ownership_context
from replays.trust.places.selectors import contest_of, other_files, seal_in_doubt
from replays.trust.reasons import reject_detail, reject_text
from replays.trust.reports.selectors import open_cases
from replays.upload.encodings.selectors import encoding_label
from replays.upload.kernels import require_kernels
from replays.upload.processing.deletion import replay_delete
from replays.upload.processing.rejected import deletion_time, keep_file
from replays.watch.compare.picks import TITLES, offered
from replays.watch.film.board_svg import LARGE_CELLS, board_svg, board_text
from replays.watch.film.counters import shown_labels
from replays.watch.film.film_texts import film_data, led_texts
from replays.watch.film.selectors import watched_replay
from replays.watch.pictures.selectors import picture_line
from replays.watch.pictures.tags import share_of_replay
from replays.watch.review.review_texts import legend_texts
from replays.watch.standing.selectors import standing_of

_BOARD_CACHE_SECONDS = 60 * 60
#: The largest cells of the board, which are those of the film that takes its place (``mostCell`` of ``film/stage.js``).
_MOST_CELL_PX, _FITTING_CELL_PX, _MOST_HEIGHT_PX = 48, 20, 432


@require_safe
def replay(request: HttpRequest, pk: int) -> HttpResponse:
    return _render(request, replay_or_404(request, pk))


@require_safe
@vary_on_headers("HX-Request")
def replay_rzini(request: HttpRequest, pk: int) -> HttpResponse:
    """Render the table cell for htmx, else the whole page with it."""
    found = replay_or_404(request, pk)
    if found.status != Replay.Status.DONE:
        raise Http404
    values = random_zini(found)
    context: dict[str, object] = {"rzini_too_large": True} if values is None else {"rzini": values["rzini"]}
    if getattr(request, "htmx", False):
        rates = [(BY_NAME[name], value) for name, value in (values or {}).items() if name != "rzini"]
        return render(request, "replays/browse/lists/_rzini.html", {"replay": found, "rates": rates, **context})
    return _render(request, found, values, **context)


def _render(
    request: HttpRequest, found: Replay, computed: Mapping[str, float | None] | None = None, **extra: object
) -> HttpResponse:  # fmt: skip
    """``computed``: values that are not stored, by name."""
    viewer = signed_in_user(request)
    context: dict[str, object] = {"replay": found, "may_delete": may_delete(found, viewer), **extra}
    if found.status != Replay.Status.DONE:
        context |= {
            "reason": reject_text(found),
            "detail": reject_detail(found),
            "may_keep": may_keep(found, viewer),
            "deleted_after": deletion_time(found),
        }
        return render(request, "replays/browse/lists/replay_waiting.html", context)
    require_kernels("analysis")
    drawing, text = _board_drawing(found)
    standing = standing_of(found)
    context |= {
        "drawing": drawing,
        "board_text": text,
        "standing": standing,
        "number_parts": number_parts(found, standing, computed or {}),
        "headline": headline(found, standing),
        "held": held_bests(found, standing),
        "compared": [(word, TITLES[word]) for word in offered(found, standing.best_time)],
        "share": share_of_replay(request, found),
        "title": _title(found),
        "film_data": {
            **film_data(found, account=viewer),
            "line": picture_line(found, text=shown_text),
        },
        "film_rows": shown_labels(viewer),
        **led_texts(found),
        "address": absolute_address(found.get_absolute_url()),
        "findings": finding_sentences(found.findings),
        "other_files": other_files(found),
        "contest": contest_of(found, viewer),
        "seal_in_doubt": seal_in_doubt(found),
        "reported": found.judgement == Replay.Judgement.PROVISIONAL and open_cases([found.pk]).exists(),
        "live_game": game_of_replay(found),
        "name_encoding": encoding_label(found.name_encoding) if found.name_encoding else "",
        "may_choose_encoding": viewer is not None and not encoding_refusal(found, viewer),
        **judgement_context(request, found),
        **ownership_context(found, viewer),
    }
    return render(request, "replays/browse/lists/replay.html", context)


@require_safe
@xframe_options_exempt
def embed(request: HttpRequest, pk: int) -> HttpResponse:
    """The viewer without cookies, forms, or anything that belongs to a visitor; with ``?anonymous=1`` it names no player."""
    # The language of the browser, and not of a cookie: what is sent may be stored for others.
    request.COOKIES.clear()
    translation.activate(translation.get_language_from_request(request))
    try:
        found = watched_replay(pk)
    except Http404 as error:
        # Without the request no template can ask who the visitor is.
        response = render(None, "replays/browse/lists/embed_missing.html", {"reason": str(error)}, status=404)
    else:
        require_kernels("analysis")
        named = request.GET.get("anonymous") != "1"
        context = {
            "replay": found,
            "title": _title(found) if named else level_text(found.level),
            "address": absolute_address(found.get_absolute_url()),
            "drawing": _board_drawing(found)[0],
            "embedded": True,
            "film_data": {
                **film_data(found), "line": picture_line(found, named=named), "legend": legend_texts(),
            },
            "film_rows": shown_labels(None),
            **led_texts(found),
        }  # fmt: skip
        response = render(None, "replays/browse/lists/embed.html", context)
        response["Cache-Control"] = "public, max-age=300"
    response["X-Robots-Tag"] = "noindex"
    return response


def _board_drawing(found: Replay) -> tuple[SafeString, str]:
    """The board as a drawing and as text; those of large boards are cached."""
    if (found.rows or 0) * (found.columns or 0) <= LARGE_CELLS:
        return _draw(found)
    key = f"board:{VERSION}:{get_language()}:{found.game_hash}"
    drawing, text = cache.get_or_set(key, lambda: _draw(found), _BOARD_CACHE_SECONDS) or ("", "")
    return SafeString(drawing), text


def _draw(found: Replay) -> tuple[SafeString, str]:
    facts = board_facts(found.board_object())
    cell_px = min(_MOST_CELL_PX, max(_FITTING_CELL_PX, _MOST_HEIGHT_PX // max(found.rows or 1, 1)))
    drawing = board_svg(facts, _board_title(found), _board_description(found), cell_px)
    return drawing, board_text(facts)


def _title(found: Replay) -> str:
    return f"{level_text(found.level)} · {found.player.shown_name}" if found.player else level_text(found.level)


def _board_title(found: Replay) -> str:
    return _("%(columns)s by %(rows)s board with %(mines)s mines") % {
        "columns": found.columns, "rows": found.rows, "mines": found.mines,
    }  # fmt: skip


def _board_description(found: Replay) -> str:
    openings, islands = int(found.statistic("op") or 0), int(found.statistic("isl") or 0)
    return ", ".join(
        [
            f"3BV {found.statistic('bv')}",
            ngettext("%(count)s opening", "%(count)s openings", openings) % {"count": openings},
            ngettext("%(count)s island", "%(count)s islands", islands) % {"count": islands},
        ]
    )


@require_safe
def replay_file(request: HttpRequest, pk: int) -> HttpResponseBase:
    return replay_file_response(request, replay_or_404(request, pk))


@require_safe
def replay_rawvf(request: HttpRequest, pk: int) -> HttpResponseBase:
    return replay_rawvf_response(request, replay_or_404(request, pk))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def replay_remove(request: HttpRequest, pk: int) -> HttpResponse:
    found, viewer = replay_or_404(request, pk), signed_in_user(request)
    if viewer is None or not may_delete(found, viewer):
        return forbidden(request, deletion_refusal(found, viewer))
    if request.method == "POST":
        replay_delete(found, viewer)
        messages.success(request, _("Replay #%(number)s has been deleted.") % {"number": pk})
        return redirect(f"{reverse('replays')}?uploader=me" if found.uploader_id == viewer.pk else "replays")
    return render(request, "replays/browse/lists/delete.html", {"replay": found, "title": _title(found)})


@login_required
@require_POST
def replay_keep(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep it no longer if ``keep`` is empty."""
    found = replay_or_404(request, pk)
    if not may_keep(found, signed_in_user(request)):
        return forbidden(request, _("Only the uploader or a moderator can keep the file of a rejected replay."))
    keep_file(found, keep=bool(request.POST.get("keep")))
    return redirect(found)
