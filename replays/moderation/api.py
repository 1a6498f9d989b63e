from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from players.decision_log import Kind
from players.models import User
from players.tokens.scopes import Scope
from players.web.api import ApiError, ProblemSerializer, PublicView, page_values, read_query
from players.web.parameters import CURSOR, NO_PARAMETERS, SIZE, choice, query_of
from players.web.problems import CONTENT_TYPE, PROBLEMS, ProblemDetails
from players.web.rate_limits import client_address
from players.web.staff import staff_refusal
from players.web.users import required_user
from replays.models import Ban, ReportedThing
from replays.moderation import serializers as forms
from replays.moderation.bans import appeal_answer, ban_appeal, ban_lift, ban_make
from replays.moderation.forms import end_of
from replays.moderation.selectors import (
    ban_of,
    bans_page,
    decisions_about,
    last_ban,
    log_page,
    may_decide,
    queue_page,
)
from replays.moderation.services import Verdict, report_decide
from replays.moderation.things import thing_or_404
from replays.trust.reports.services import ADDRESS_REPORT_LIMIT, REPORT_LIMIT, report_make

PageQuery = query_of(CURSOR, SIZE)
QueueQuery = query_of(choice("kind", forms.KINDS, description="Only things of this kind."), CURSOR, SIZE)
BansQuery = query_of(choice("appeal", ["open"], description="Only bans with an open appeal."), CURSOR, SIZE)
_MODERATORS: Final = {"GET": Scope.MODERATE, "HEAD": Scope.MODERATE, "POST": Scope.MODERATE}
_CONFLICT: Final[dict[Any, Any]] = {
    (409, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "It can't be done now; code says why.")
}


@contextmanager
def _refusals() -> Iterator[None]:
    """Turn the errors of the services into problems."""
    try:
        yield
    except ValidationError as error:
        text, code = " ".join(error.messages), str(getattr(error, "code", None) or "")
        known = code if code in PROBLEMS else "bad_request"
        problem = ProblemDetails(known, text, {} if known == code else {"non_field_errors": text})
        raise ApiError(problem, getattr(error, "retry_seconds", None)) from error


def _moderator(request: Request) -> User:
    viewer = required_user(request)
    if not may_decide(viewer):
        raise PermissionDenied(staff_refusal(viewer, _("Only moderators can see and decide this.")))
    return viewer


class ReportsView(PublicView):
    """Reports, and the queue of things that were reported."""

    rate_limits = {"POST": (REPORT_LIMIT, ADDRESS_REPORT_LIMIT)}
    permission_classes = [IsAuthenticated]
    token_scopes = {"GET": Scope.MODERATE, "HEAD": Scope.MODERATE, "POST": Scope.COMMENT}

    @extend_schema(operation_id="reports_queue", parameters=[QueueQuery], responses={200: forms.CasePageSerializer})
    def get(self, request: Request) -> Response:
        """List things with open reports.

        Oldest first; for moderators.
        """
        _moderator(request)
        values = read_query(QueueQuery, request)
        page = queue_page(values["cursor"], values["size"], kind=values["kind"] or "")
        return Response(forms.CasePageSerializer(page_values(page, page.rows)).data)

    @extend_schema(
        operation_id="reports_make",
        request=forms.NewReportSerializer,
        responses={
            201: forms.ReportSerializer,
            (404, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "There is no such thing, or you can't see it."),
            **_CONFLICT,
        },
    )
    def post(self, request: Request) -> Response:
        """Report a replay, comment, player name or room.

        A second report of it changes the first.
        """
        user = required_user(request)
        read_query(NO_PARAMETERS, request)
        given = forms.NewReportSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        values = given.validated_data
        thing = thing_or_404(request, values["kind"], values["id"])
        with _refusals():
            report = report_make(
                Kind(values["kind"]), thing.number, thing.about_id, user, client_address(request), values["reason"],
                values["text"],
            )  # fmt: skip
        return Response(forms.ReportSerializer(report).data, status=status.HTTP_201_CREATED)


class ReportDecisionView(PublicView):
    """The decision about a reported thing."""

    permission_classes = [IsAuthenticated]
    token_scopes = _MODERATORS

    @extend_schema(
        operation_id="reports_decide",
        request=forms.VerdictSerializer,
        responses={200: forms.DecidedSerializer, **_CONFLICT},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Decide about a reported thing.

        Its reports are closed.  For moderators, and not about one's own things.
        """
        viewer = _moderator(request)
        read_query(NO_PARAMETERS, request)
        case = ReportedThing.objects.select_related("about").filter(pk=pk).first()
        if case is None:
            raise Http404(_("This report doesn't exist."))
        given = forms.VerdictSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        values = given.validated_data
        verdict = Verdict(
            values["action"], values.get("reason", ""), values["text"], values["new_name"], values["ban"],
            end_of(values["days"] or 0),
        )  # fmt: skip
        with _refusals():
            report_decide(case, viewer, verdict)
        case.refresh_from_db(fields=["closed_at"])
        return Response(forms.DecidedSerializer({"id": case.pk, "closed_at": case.closed_at}).data)


class BansView(PublicView):
    """Bans of accounts."""

    permission_classes = [IsAuthenticated]
    token_scopes = _MODERATORS

    @extend_schema(operation_id="bans", parameters=[BansQuery], responses={200: forms.BanPageSerializer})
    def get(self, request: Request) -> Response:
        """List bans in force.

        Newest first; for moderators.
        """
        _moderator(request)
        values = read_query(BansQuery, request)
        page = bans_page(values["cursor"], values["size"], appealed=bool(values["appeal"]))
        return Response(forms.BanPageSerializer(page_values(page, page.rows)).data)

    @extend_schema(
        operation_id="bans_make", request=forms.NewBanSerializer, responses={201: forms.BanSerializer, **_CONFLICT}
    )
    def post(self, request: Request) -> Response:
        """Ban an account.

        A ban in force ends with that.  For moderators.
        """
        viewer = _moderator(request)
        read_query(NO_PARAMETERS, request)
        given = forms.NewBanSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        values = given.validated_data
        user = User.objects.filter(username=values["account"]).first()
        if user is None:
            text = _("This account doesn't exist.")
            raise ApiError(ProblemDetails("bad_request", text, {"account": text}))
        with _refusals():
            ban = ban_make(user, viewer, values["reason"], values["text"], end_of(values["days"] or 0))
        return Response(forms.BanSerializer(ban_of(ban.pk)).data, status=status.HTTP_201_CREATED)


class BanDecisionView(PublicView):
    """The end of a ban, or the answer to the appeal against it."""

    permission_classes = [IsAuthenticated]
    token_scopes = _MODERATORS

    @extend_schema(
        operation_id="bans_decide",
        request=forms.BanDecisionSerializer,
        responses={200: forms.BanSerializer, **_CONFLICT},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Lift a ban, or answer the appeal against it.

        For moderators, and not for who made the ban if there are others.
        """
        viewer = _moderator(request)
        read_query(NO_PARAMETERS, request)
        found = Ban.objects.filter(pk=pk).first()
        if found is None:
            raise Http404(_("This ban doesn't exist."))
        given = forms.BanDecisionSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        decision, text = given.validated_data["decision"], given.validated_data["text"]
        with _refusals():
            if decision == "lift":
                ban_lift(found, viewer, text)
            else:
                appeal_answer(found, viewer, granted=decision == "grant", answer=text)
        return Response(forms.BanSerializer(ban_of(pk)).data)


class OwnBanView(PublicView):
    """The ban of the account."""

    names_something = True
    permission_classes = [IsAuthenticated]

    @extend_schema(operation_id="me_ban", responses={200: forms.OwnBanSerializer})
    def get(self, request: Request) -> Response:
        """Return the ban of the account.

        The one in force, or the last one: why, until when, and the appeals; 404 if it never had one.
        """
        read_query(NO_PARAMETERS, request)
        found = last_ban(required_user(request))
        if found is None:
            raise Http404(_("This account was never banned."))
        return Response(forms.OwnBanSerializer(found).data)


class OwnBanAppealView(PublicView):
    """Appealing against the ban of the account."""

    permission_classes = [IsAuthenticated]
    token_scopes = {"POST": Scope.UPLOAD}  # as appeals about replays

    @extend_schema(
        operation_id="me_ban_appeal",
        request=forms.BanAppealTextSerializer,
        responses={201: forms.BanAppealSerializer, **_CONFLICT},
    )
    def post(self, request: Request) -> Response:
        """Appeal against the ban of the account.

        One appeal at a time.
        """
        user = required_user(request)
        read_query(NO_PARAMETERS, request)
        given = forms.BanAppealTextSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        with _refusals():
            appeal = ban_appeal(user, given.validated_data["text"])
        return Response(forms.BanAppealSerializer(appeal).data, status=status.HTTP_201_CREATED)


class OwnDecisionsView(PublicView):
    """Decisions of moderators about the account and its things."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        operation_id="me_decisions", parameters=[PageQuery], responses={200: forms.OwnDecisionPageSerializer}
    )
    def get(self, request: Request) -> Response:
        """List decisions about your account and things.

        What moderators decided, and why; newest first.
        """
        values = read_query(PageQuery, request)
        page = decisions_about(required_user(request), values["cursor"], values["size"])
        return Response(forms.OwnDecisionPageSerializer(page_values(page, page.rows)).data)


class DecisionLogView(PublicView):
    """The log of decisions."""

    permission_classes = [IsAuthenticated]
    token_scopes = _MODERATORS

    @extend_schema(operation_id="decisions", parameters=[PageQuery], responses={200: forms.DecisionLogPageSerializer})
    def get(self, request: Request) -> Response:
        """List all decisions of moderators.

        Newest first; for moderators.
        """
        _moderator(request)
        values = read_query(PageQuery, request)
        page = log_page(values["cursor"], values["size"])
        return Response(forms.DecisionLogPageSerializer(page_values(page, page.rows)).data)
