from __future__ import annotations

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from players.models import MAX_ID
from players.tokens.scopes import Scope
from players.web.api import PublicView, page_values
from players.web.parameters import CURSOR, SIZE
from players.web.users import required_user
from replays.models import UploadBatch
from replays.upload.batches.outcome import outcome_of
from replays.upload.batches.selectors import UPLOADS_PARAMETERS, batch_files, batch_of, known_files, uploads_page
from replays.upload.batches.serializers import (
    BatchFilePageSerializer,
    BatchSerializer,
    DeletedSerializer,
    DeleteSerializer,
    HashesSerializer,
    KnownFilesSerializer,
    UploadPageSerializer,
)
from replays.upload.batches.services import BATCH_LIMIT, batch_add_known, batch_start, uploads_delete


class OwnView(PublicView):
    """A view of what belongs to the account."""

    permission_classes = [IsAuthenticated]


class OwnUploadsView(OwnView):
    """The uploads of the account."""

    query = {"GET": (*UPLOADS_PARAMETERS, SIZE)}

    @extend_schema(operation_id="me_uploads", responses={200: UploadPageSerializer})
    def get(self, request: Request) -> Response:
        """List your uploads, newest first."""
        values = self.params
        page = uploads_page(required_user(request), values["state"], values["cursor"], values["size"])
        return Response(UploadPageSerializer(page_values(page, page.rows)).data)


class OwnUploadsDeleteView(OwnView):
    """Deleting uploads, with a scope of its own: a token that was made to add games cannot remove all of them."""

    body = {"POST": DeleteSerializer}
    token_scopes = {"POST": Scope.DELETE}

    @extend_schema(operation_id="me_uploads_delete", responses={200: DeletedSerializer})
    def post(self, request: Request) -> Response:
        """Delete some of your uploads.

        Uploads of others, and those that staff decided not to accept, stay.
        """
        deleted = uploads_delete(required_user(request), self.given["replays"])
        return Response(DeletedSerializer({"deleted": deleted}).data)


class KnownFilesView(OwnView):
    """The files that need not be sent."""

    body = {"POST": HashesSerializer}
    names_something = True
    token_scopes = {"POST": Scope.UPLOAD}

    @extend_schema(operation_id="me_known_files", responses={200: KnownFilesSerializer})
    def post(self, request: Request) -> Response:
        """Return which files are here already.

        Among those that the account may see, by SHA-256; the batch counts them.
        """
        given, user = self.given, required_user(request)
        batch = _batch(request, given["batch"]) if "batch" in given else None
        known = known_files(user, given["sha256"])
        if batch is not None and known:
            batch_add_known(batch, len(known))
        return Response(KnownFilesSerializer({"known": known}).data)


class BatchesView(OwnView):
    """Batches of uploads."""

    token_scopes = {"POST": Scope.UPLOAD}
    rate_limits = {"POST": (BATCH_LIMIT,)}

    @extend_schema(operation_id="me_batches_start", responses={201: BatchSerializer})
    def post(self, request: Request) -> Response:
        """Start a batch of uploads.

        Its number goes with uploads as `batch`, and its address tells what came of them.
        """
        batch = batch_start(required_user(request))
        return Response(BatchSerializer(outcome_of(batch)).data, status=201)


class BatchView(OwnView):
    """One batch."""

    @extend_schema(operation_id="me_batch", responses={200: BatchSerializer})
    def get(self, request: Request, pk: int) -> Response:
        """Return what came of a batch.

        New bests with ranks, records, refusals and names, up to now.
        """
        return Response(BatchSerializer(outcome_of(_batch(request, pk))).data)


class BatchFilesView(OwnView):
    """The files of a batch."""

    query = {"GET": (CURSOR, SIZE)}

    @extend_schema(operation_id="me_batch_files", responses={200: BatchFilePageSerializer})
    def get(self, request: Request, pk: int) -> Response:
        """List the files of a batch.

        In the order in which they came.
        """
        values = self.params
        page = batch_files(_batch(request, pk), values["cursor"], values["size"])
        return Response(BatchFilePageSerializer(page_values(page, page.rows)).data)


def _batch(request: Request, pk: int) -> UploadBatch:
    try:
        return batch_of(required_user(request), min(pk, MAX_ID))
    except UploadBatch.DoesNotExist as error:
        raise Http404(_("This upload batch doesn't exist.")) from error
