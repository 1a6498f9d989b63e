"""The REST interface of boards, players, records and the registry of statistics."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from analysis.statistics import RANKED, STATISTICS, VERSION
from players import selectors, serializers
from players.boards import COMBINED, ON_LEVEL, STYLES, BoardKey, UnknownBoard, all_boards, board_key, checked_level
from players.frames import BadFrame, Frame, frame_of
from players.keyset import BadCursor
from players.models import ALL_STYLES, MAX_ID, Player, RecordEvent, User
from players.selectors.holders import record_holders
from players.time_convention import BadValue, text_value

CURSOR = OpenApiParameter(
    "cursor", str, description="Where the page begins: a cursor of another page of the same list."
)
SIZE = OpenApiParameter(
    "size", int, description=f"Rows of the page, at most {selectors.MAX_SIZE}; {selectors.DEFAULT_SIZE} unless given."
)
STYLE = OpenApiParameter("style", str, enum=list(STYLES), description="“all” unless given.")
JUMPS = [
    OpenApiParameter(
        "player", int, description="Number of a player: the page holds their place.  A cursor decides over it."
    ),
    OpenApiParameter(
        "value",
        float,
        description="The page begins where this value would stand, and `jump` tells its rank.  Times count from 0.",
    ),
]
FRAME = [
    OpenApiParameter(
        "period",
        str,
        description="2019, 2019-05, the first day of two weeks as 2019-05-11, or active (these two weeks).",
    ),
    OpenApiParameter("as_of", str, description="The board as it stood at the end of a day (UTC), as 2019-05-01."),
    OpenApiParameter("country", str, description="Two letters."),
    OpenApiParameter("min_3bv", int, description="Only games of at least so many 3BV; not on sums of levels."),
    OpenApiParameter("best_of", int, description="A player's value is the mean of so many best games."),
]
LADDER_STYLE = OpenApiParameter(
    "style",
    str,
    enum=list(STYLES),
    description="Of the sub ladders; “all” unless given.  The bests are of every style.",
)
_PROBLEM = OpenApiResponse(serializers.BoardProblemSerializer)
_OPEN_BOARD = {200: serializers.OpenBoardSerializer, 400: _PROBLEM, 404: _PROBLEM}
_HISTORY = {200: serializers.HistoryPageSerializer, 400: _PROBLEM, 404: _PROBLEM}


class BadParameter(ValueError):
    """A query parameter that cannot be; the text says which."""


class PublicView(APIView):
    """A view whose answers anyone may read; mistakes of the caller are answered in one shape."""

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, UnknownBoard):
            return _problem("unknown_board", exc, status.HTTP_404_NOT_FOUND)
        if isinstance(exc, Player.DoesNotExist | Http404):
            return _problem("not_found", _("There is no such player."), status.HTTP_404_NOT_FOUND)
        if isinstance(exc, BadCursor):
            return _problem("bad_cursor", exc)
        if isinstance(exc, BadParameter | BadFrame):
            return _problem("bad_parameter", exc)
        return super().handle_exception(exc)


def _problem(code: str, message: object, http_status: int = status.HTTP_400_BAD_REQUEST) -> Response:
    return Response({"code": code, "message": str(message)}, status=http_status)


def _viewer(request: Request) -> Player | None:
    return selectors.player_of_account(request.user) if isinstance(request.user, User) else None


def _style(request: Request) -> str:
    return request.query_params.get("style", ALL_STYLES)


def _number(request: Request, name: str) -> int | None:
    """A whole number of the query, None if it is missing."""
    text = request.query_params.get(name)
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= MAX_ID):
        raise BadParameter(_("%(name)s must be a whole number.") % {"name": name})
    return int(text)


def _paging(request: Request) -> dict[str, Any]:
    size = _number(request, "size")
    return {
        "cursor": request.query_params.get("cursor"),
        "size": selectors.DEFAULT_SIZE if size is None else size,
    }


def _told(page: Any, rows: list[Any]) -> dict[str, Any]:
    return {"rows": rows, "next_cursor": page.next_cursor, "previous_cursor": page.previous_cursor}


# --- boards -----------------------------------------------------------------------------------------------------------


class LeaderboardsView(PublicView):
    """The boards on offer."""

    @extend_schema(operation_id="leaderboards_index", responses={200: serializers.BoardIndexSerializer})
    def get(self, request: Request) -> Response:
        """Every level and statistic that is ranked."""
        rows = [serializers.board_index_row(key) for key in all_boards() if key.style == ALL_STYLES]
        return Response(serializers.BoardIndexSerializer({"rows": rows}).data)


class LeaderboardView(PublicView):
    """One board."""

    @extend_schema(operation_id="leaderboard", parameters=[STYLE, *FRAME, *JUMPS, CURSOR, SIZE], responses=_OPEN_BOARD)
    def get(self, request: Request, level: str, statistic: str) -> Response:
        """A page of a board, best first; ties share a rank and are listed by date."""
        key = board_key(level, statistic, _style(request))
        return _open_board(request, key)


class CombinedView(PublicView):
    """A combined board."""

    @extend_schema(
        operation_id="leaderboard_combined", parameters=[STYLE, *FRAME, *JUMPS, CURSOR, SIZE], responses=_OPEN_BOARD
    )
    def get(self, request: Request, statistic: str) -> Response:
        """A page of the board of sums over three levels; ties go to the harder level, then to the earlier date."""
        return _open_board(request, board_key(COMBINED, statistic, _style(request)))


class SubView(PublicView):
    """A sub-N board."""

    @extend_schema(
        operation_id="leaderboard_sub",
        parameters=[STYLE, *(one for one in FRAME if one.name != "best_of"), *JUMPS, CURSOR, SIZE],
        responses=_OPEN_BOARD,
    )
    def get(self, request: Request, level: str, n: int) -> Response:
        """How many games each player has below N seconds.  Seconds count from 1: sub-40 is up to 38.99 s."""
        frame = frame_of(request.query_params)
        if frame.best_of > 1:
            raise BadParameter(_("Counts have no best games."))
        place = _place(request, _number(request, "value"))
        return _told_board(selectors.open_sub(level, n, _style(request), frame, **place), frame)


def _open_board(request: Request, key: BoardKey) -> Response:
    frame = frame_of(request.query_params, combined=key.level == COMBINED)
    place = _place(request, _value(request, key))
    if frame.is_whole:
        return _told_board(selectors.open_board(key, **place), frame)
    return _told_board(selectors.open_framed(key, frame, **place), frame)


def _place(request: Request, value: float | None) -> dict[str, Any]:
    """Which page of a board is asked for, and by whom."""
    player = _player(request)
    if player is not None and value is not None:
        raise BadParameter(_("Look for a player or for a value, not for both at once."))
    return {"player": player, "value": value, "viewer": _viewer(request), **_paging(request)}


def _told_board(opened: selectors.OpenBoard, frame: Frame) -> Response:
    told: Any = serializers.open_board(opened, frame)
    return Response(serializers.OpenBoardSerializer(told).data)


def _value(request: Request, key: BoardKey) -> float | None:
    text = request.query_params.get("value")
    try:
        return text_value(key.row, text) if text else None
    except BadValue as error:
        raise BadParameter(_("A value is written as a number such as 41.20.")) from error


class BoardHistoryView(PublicView):
    """The records of a board by the days of their games."""

    @extend_schema(operation_id="leaderboard_history", parameters=[STYLE, CURSOR, SIZE], responses=_HISTORY)
    def get(self, request: Request, level: str, statistic: str) -> Response:
        """Each ranked result that beat every result achieved before it, newest first."""
        key = selectors.history_key(level, statistic, _style(request))
        return _history_response(request, key, selectors.board_progression(key))


class PlayerProgressView(PublicView):
    """The personal bests of a player on a board by the days of their games."""

    @extend_schema(operation_id="players_progress", parameters=[STYLE, CURSOR, SIZE], responses=_HISTORY)
    def get(self, request: Request, pk: int, level: str, statistic: str) -> Response:
        """Each ranked result of the player that beat every earlier one of theirs, newest first."""
        key = selectors.history_key(level, statistic, _style(request))
        player = selectors.player_of_id(pk)
        return _history_response(request, key, selectors.player_progression(player, key))


class PlayerRanksView(PublicView):
    """The ranks of a player over time."""

    @extend_schema(
        operation_id="players_ranks",
        parameters=[STYLE],
        responses={200: serializers.RankHistorySerializer, 404: _PROBLEM},
    )
    def get(self, request: Request, pk: int, level: str, statistic: str) -> Response:
        """The rank of a player on a board at about a hundred moments from their first game there until now."""
        key = selectors.history_key(level, statistic, _style(request))
        player = selectors.player_of_id(pk)
        rows = [{"before": moment, "rank": rank} for moment, rank in selectors.rank_history(player, key)]
        told: Any = {
            "player": player, "level": key.level, "statistic": key.statistic, "style": key.style, "rows": rows,
        }  # fmt: skip
        return Response(serializers.RankHistorySerializer(told).data)


def _history_response(request: Request, key: selectors.BoardKey, steps: list[selectors.Step]) -> Response:
    page = selectors.history_page(steps, **_paging(request))
    return Response(serializers.HistoryPageSerializer(serializers.history_page(key, page)).data)


# --- players ----------------------------------------------------------------------------------------------------------


class PlayersView(PublicView):
    """The players of the site."""

    @extend_schema(
        operation_id="players_list",
        parameters=[OpenApiParameter("q", str, description="How a name begins, in either case."), CURSOR, SIZE],
        responses={200: serializers.PlayerPageSerializer, 400: _PROBLEM},
    )
    def get(self, request: Request) -> Response:
        """Players by name."""
        page = selectors.players_page(request.query_params.get("q", ""), **_paging(request))
        rows = [serializers.player_list_row(row) for row in page.rows]
        return Response(serializers.PlayerPageSerializer(_told(page, rows)).data)


class PlayerView(PublicView):
    """One player."""

    @extend_schema(
        operation_id="players_detail",
        parameters=[LADDER_STYLE],
        responses={200: serializers.PlayerDetailSerializer, 404: _PROBLEM},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Bests with their ranks, sub ladders and names of a player."""
        player, names = selectors.player_with_names(pk)
        told: Any = serializers.player_detail(
            player, names, selectors.player_bests(player), selectors.sub_ladders(player, _style(request))
        )
        return Response(serializers.PlayerDetailSerializer(told).data)


class By3bvView(PublicView):
    """A player's bests by 3BV."""

    @extend_schema(
        operation_id="players_by_3bv",
        parameters=[STYLE],
        responses={200: serializers.By3bvSerializer, 404: _PROBLEM},
    )
    def get(self, request: Request, pk: int, level: str, statistic: str) -> Response:
        """The best value of a statistic for each 3BV that the player has won, lowest 3BV first."""
        player = selectors.player_of_id(pk)
        key = board_key(checked_level(level), statistic, _style(request))
        told: Any = serializers.by_3bv(player, key, selectors.best_by_3bv(player, key))
        return Response(serializers.By3bvSerializer(told).data)


class RecordsView(PublicView):
    """The record history."""

    @extend_schema(
        operation_id="records_list",
        parameters=[
            OpenApiParameter("kind", str, enum=RecordEvent.Kind.values, description="“site” unless given."),
            STYLE,
            OpenApiParameter("level", str, enum=[*ON_LEVEL, COMBINED]),
            OpenApiParameter("statistic", str, enum=[row.name for row in RANKED]),
            OpenApiParameter("player", int, description="Number of a player."),
            CURSOR,
            SIZE,
        ],
        responses={200: serializers.RecordPageSerializer, 400: _PROBLEM, 404: _PROBLEM},
    )
    def get(self, request: Request) -> Response:
        """Records as they came in, newest first."""
        kind = request.query_params.get("kind", RecordEvent.Kind.SITE)
        if kind not in RecordEvent.Kind.values:
            raise BadParameter(_("There is no kind of record “%(kind)s”.") % {"kind": kind})
        page = selectors.records_page(
            kind,
            _style(request),
            level=request.query_params.get("level") or None,
            statistic=_ranked_statistic(request),
            player=_player(request),
            **_paging(request),
        )
        return Response(serializers.RecordPageSerializer(_told(page, page.rows)).data)


class HoldersView(PublicView):
    """Who holds the records."""

    @extend_schema(
        operation_id="records_holders",
        parameters=[STYLE],
        responses={200: serializers.HoldersSerializer, 404: _PROBLEM},
    )
    def get(self, request: Request) -> Response:
        """The first place of every board of a style."""
        style = _style(request)
        told: Any = {"style": style, "rows": record_holders(style)}
        return Response(serializers.HoldersSerializer(told).data)


def _ranked_statistic(request: Request) -> str | None:
    name = request.query_params.get("statistic")
    if name and name not in {row.name for row in RANKED}:
        raise UnknownBoard(_("“%(statistic)s” is not ranked here.") % {"statistic": name})
    return name or None


def _player(request: Request) -> Player | None:
    number = _number(request, "player")
    return None if number is None else Player.objects.get(pk=number)


class StatisticsView(PublicView):
    """The registry."""

    @extend_schema(operation_id="statistics", responses={200: serializers.StatisticsSerializer})
    def get(self, request: Request) -> Response:
        """Every number that the site knows: its formula, its unit, its direction, and when it is not defined."""
        return Response(serializers.StatisticsSerializer({"version": VERSION, "rows": STATISTICS}).data)
