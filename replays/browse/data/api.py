from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.web.api import PublicView
from replays.browse.data.selectors import dumps, dumps_root, months
from replays.browse.data.serializers import DataSerializer, data_values


class DataView(PublicView):
    """The dumps of the site."""

    @extend_schema(operation_id="data", responses={200: DataSerializer})
    def get(self, request: Request) -> Response:
        """List dumps and archives of replay files.

        All public rows, dumped every night.
        """
        root = dumps_root()
        return Response(DataSerializer(data_values(dumps(root), months(root))).data)
