from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.leaderboards.boards import STYLE
from players.leaderboards.records.holders import record_holders
from players.leaderboards.records.record_parameters import RECORDS_QUERY, record_filters
from players.leaderboards.records.selectors import records_of_ids
from players.leaderboards.records.serializers import HoldersSerializer, RecordPageSerializer
from players.web.api import PublicView, page_values


class RecordsView(PublicView):
    """The record history."""

    query = {"GET": RECORDS_QUERY}

    @extend_schema(operation_id="records_list", responses={200: RecordPageSerializer})
    def get(self, request: Request) -> Response:
        """List personal bests and site records, newest first.

        In the order in which they came in; each stays as it was, even if it is beaten later.
        """
        values = self.params
        if values["ids"]:
            page = records_of_ids(values["ids"], values["cursor"], values["size"])
        else:
            page = record_filters(values).page(values["cursor"], values["size"])
        return Response(RecordPageSerializer(page_values(page, page.rows)).data)


class HoldersView(PublicView):
    """The record holders."""

    query = {"GET": (STYLE,)}

    @extend_schema(operation_id="records_holders", responses={200: HoldersSerializer})
    def get(self, request: Request) -> Response:
        """List the leader of every board of a style."""
        style = self.params["style"]
        return Response(HoldersSerializer({"style": style, "rows": record_holders(style)}).data)
