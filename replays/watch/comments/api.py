from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from players.models import User
from players.tokens.scopes import Scope
from players.web.api import ApiError, ProblemSerializer, PublicView, page_values, read_query
from players.web.parameters import CURSOR, NO_PARAMETERS, SIZE, query_of
from players.web.problems import CONTENT_TYPE, ProblemDetails
from players.web.rate_limits import client_address
from players.web.staff import staff_refusal
from players.web.users import required_user, signed_in_user
from replays.trust.judging.permissions import may_judge
from replays.trust.reports.services import ADDRESS_REPORT_LIMIT, REPORT_LIMIT, ReportRefused
from replays.watch.comments.selectors import (
    comment_or_404,
    commented_replay_or_404,
    comments_page,
    likes_of,
    may_delete_comment,
    own_comments_page,
    reported_page,
)
from replays.watch.comments.serializers import (
    CommentPageSerializer,
    CommentReportSerializer,
    CommentSerializer,
    CommentTextSerializer,
    LikesSerializer,
    ModerationSerializer,
    ReportedPageSerializer,
    ReportTextSerializer,
)
from replays.watch.comments.services import (
    COMMENT_LIMITS,
    LIKE_LIMIT,
    CommentRefused,
    comment_create,
    comment_delete,
    comment_moderate,
    comment_report,
    like_set,
)

PageQuery = query_of(CURSOR, SIZE)
_REFUSED: Final = {
    (409, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "Written already, or your own; code says which.")
}


@contextmanager
def _refusals(field: str) -> Iterator[None]:
    """Turn the errors of the services into problems; ``field``: whose text they are about."""
    try:
        yield
    except (CommentRefused, ReportRefused) as error:
        raise ApiError(ProblemDetails(str(error.code), " ".join(error.messages)), error.retry_seconds) from error
    except ValidationError as error:
        text = " ".join(error.messages)
        raise ApiError(ProblemDetails("bad_request", text, {field: text})) from error


def _staff(request: Request) -> User:
    viewer = required_user(request)
    if not may_judge(viewer):
        raise PermissionDenied(staff_refusal(viewer, gettext("Only moderators can judge replays.")))
    return viewer


class ReplayCommentsView(PublicView):
    """The comments on a replay."""

    permission_classes = [IsAuthenticatedOrReadOnly]
    token_scopes = {"POST": Scope.COMMENT}
    rate_limits = {"POST": COMMENT_LIMITS}

    @extend_schema(operation_id="replays_comments", parameters=[PageQuery], responses={200: CommentPageSerializer})
    def get(self, request: Request, pk: int) -> Response:
        """List the comments on a replay, oldest first."""
        replay = commented_replay_or_404(request, pk)
        values = read_query(PageQuery, request)
        page = comments_page(replay, signed_in_user(request), cursor=values["cursor"], size=values["size"])
        return Response(CommentPageSerializer(page_values(page, page.rows)).data)

    @extend_schema(
        operation_id="replays_comment", request=CommentTextSerializer, responses={201: CommentSerializer, **_REFUSED}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Comment on a replay."""
        replay = commented_replay_or_404(request, pk)
        read_query(NO_PARAMETERS, request)
        given = CommentTextSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        with _refusals("text"):
            comment = comment_create(replay, required_user(request), given.validated_data["text"])
        return Response(CommentSerializer(comment).data, status=status.HTTP_201_CREATED)


class ReplayLikeView(PublicView):
    """The likes of a replay."""

    permission_classes = [IsAuthenticatedOrReadOnly]
    token_scopes = {"PUT": Scope.COMMENT, "DELETE": Scope.COMMENT}
    rate_limits = {"PUT": (LIKE_LIMIT,), "DELETE": (LIKE_LIMIT,)}

    @extend_schema(operation_id="replays_likes", responses={200: LikesSerializer})
    def get(self, request: Request, pk: int) -> Response:
        """Return the likes of a replay.

        How many accounts like it, and whether the account of the request does.
        """
        replay = commented_replay_or_404(request, pk)
        read_query(NO_PARAMETERS, request)
        return Response(LikesSerializer(likes_of(replay, signed_in_user(request))).data)

    @extend_schema(operation_id="replays_like", request=None, responses={200: LikesSerializer})
    def put(self, request: Request, pk: int) -> Response:
        """Like a replay.

        A second time changes nothing.
        """
        return self._set(request, pk, liked=True)

    @extend_schema(operation_id="replays_unlike", responses={200: LikesSerializer})
    def delete(self, request: Request, pk: int) -> Response:
        """Like a replay no longer."""
        return self._set(request, pk, liked=False)

    def _set(self, request: Request, pk: int, *, liked: bool) -> Response:
        replay, viewer = commented_replay_or_404(request, pk), required_user(request)
        read_query(NO_PARAMETERS, request)
        with _refusals("non_field_errors"):
            like_set(replay, viewer, liked=liked)
        return Response(LikesSerializer(likes_of(replay, viewer)).data)


class CommentView(PublicView):
    """One comment."""

    permission_classes = [IsAuthenticatedOrReadOnly]
    token_scopes = {"DELETE": Scope.COMMENT}

    @extend_schema(operation_id="comment", responses={200: CommentSerializer})
    def get(self, request: Request, pk: int) -> Response:
        """Return a comment."""
        comment = comment_or_404(request, pk)
        read_query(NO_PARAMETERS, request)
        return Response(CommentSerializer(comment).data)

    @extend_schema(operation_id="comment_delete", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Delete your own comment."""
        comment = comment_or_404(request, pk)
        read_query(NO_PARAMETERS, request)
        if not may_delete_comment(comment, signed_in_user(request)):
            raise PermissionDenied(gettext("Only a comment's author can delete it."))
        comment_delete(comment)
        return Response(status=status.HTTP_204_NO_CONTENT)


class CommentReportView(PublicView):
    """Reporting a comment."""

    permission_classes = [IsAuthenticated]
    token_scopes = {"POST": Scope.COMMENT}
    rate_limits = {"POST": (REPORT_LIMIT, ADDRESS_REPORT_LIMIT)}

    @extend_schema(
        operation_id="comment_report",
        request=ReportTextSerializer,
        responses={201: CommentReportSerializer, **_REFUSED},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Report a comment to moderators.

        A second report changes the reason of the first.  `POST /api/v1/reports/` does the same for all things, with a
        reason of a list.
        """
        comment, user = comment_or_404(request, pk), required_user(request)
        read_query(NO_PARAMETERS, request)
        given = ReportTextSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        with _refusals("reason"):
            report = comment_report(comment, user, given.validated_data["reason"], client_address(request))
        return Response(CommentReportSerializer(report).data, status=status.HTTP_201_CREATED)


class CommentModerationView(PublicView):
    """Decisions of staff about a comment."""

    permission_classes = [IsAuthenticated]
    token_scopes = {"POST": Scope.MODERATE}

    @extend_schema(operation_id="comment_moderate", request=ModerationSerializer, responses={200: CommentSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Hide a comment or show it again, for staff.

        Hiding takes a reason.
        """
        viewer, comment = _staff(request), comment_or_404(request, pk)
        read_query(NO_PARAMETERS, request)
        given = ModerationSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        with _refusals("reason"):
            done = comment_moderate(comment, viewer, **given.validated_data)
        return Response(CommentSerializer(done).data)


class ReportedCommentsView(PublicView):
    """Comments that wait for staff."""

    permission_classes = [IsAuthenticated]
    token_scopes = {"GET": Scope.MODERATE, "HEAD": Scope.MODERATE}

    @extend_schema(operation_id="comments_reported", parameters=[PageQuery], responses={200: ReportedPageSerializer})
    def get(self, request: Request) -> Response:
        """List reported comments, for staff.

        Those with open reports, newest first.
        """
        _staff(request)
        values = read_query(PageQuery, request)
        page = reported_page(values["cursor"], values["size"])
        return Response(ReportedPageSerializer(page_values(page, page.rows)).data)


class OwnCommentsView(PublicView):
    """Everything that the account has written."""

    permission_classes = [IsAuthenticated]

    @extend_schema(operation_id="comments_own", parameters=[PageQuery], responses={200: CommentPageSerializer})
    def get(self, request: Request) -> Response:
        """List your own comments, newest first.

        Hidden ones included.
        """
        values = read_query(PageQuery, request)
        page = own_comments_page(required_user(request), values["cursor"], values["size"])
        return Response(CommentPageSerializer(page_values(page, page.rows)).data)
