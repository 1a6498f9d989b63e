from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.leaderboards.boards import STYLE
from players.leaderboards.records.holders import record_holders
from players.leaderboards.records.record_parameters import RecordsQuery, record_filters
from players.leaderboards.records.selectors import records_of_ids
from players.leaderboards.records.serializers import HoldersSerializer, RecordPageSerializer
from players.web.api import PublicView, page_values, read_query
from players.web.parameters import query_of


class RecordsView(PublicView):
    """The record history."""

    @extend_schema(
        operation_id="records_list",
        parameters=[RecordsQuery],
        responses={200: RecordPageSerializer},
    )
    def get(self, request: Request) -> Response:
        """List personal bests and site records, newest first.

        In the order in which they came in; each stays as it was, even if it is beaten later.
        """
        values = read_query(RecordsQuery, request)
        if values["ids"]:
            page = records_of_ids(values["ids"], values["cursor"], values["size"])
        else:
            page = record_filters(values).page(values["cursor"], values["size"])
        return Response(RecordPageSerializer(page_values(page, page.rows)).data)


HoldersQuery = query_of(STYLE)


class HoldersView(PublicView):
    """The record holders."""

    @extend_schema(operation_id="records_holders", parameters=[HoldersQuery], responses={200: HoldersSerializer})
    def get(self, request: Request) -> Response:
        """List the leader of every board of a style."""
        style = read_query(HoldersQuery, request)["style"]
        return Response(HoldersSerializer({"style": style, "rows": record_holders(style)}).data)
