"""Answers to errors that are nobody's fault who asked: 503 while the database is away, else 500."""

from __future__ import annotations

import logging
import sys

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.template import loader
from django.utils.log import log_response
from django.views import defaults

from players.db.outage import RETRY_SECONDS, is_outage
from players.web import log_fields
from players.web.problems import Refused, is_api

logger = logging.getLogger(__name__)


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's ``handler500``, which is called while the error is being handled, whatever part of the request raised it."""
    error = sys.exception()
    if not is_outage(error):
        failed: HttpResponseServerError = defaults.server_error(request)
        return failed
    response = database_away(request)
    # One line: Django would write the same traceback for every request until the database is back.
    text = "The database is away (%s): %s"
    log_response(text, error, request.path, response=response, request=request, logger=logger, level="warning")
    return response


def database_away(request: HttpRequest) -> HttpResponse:
    """503 with the time to wait; the page asks the database for nothing."""
    if is_api(request):
        response = Refused("database_away", retry_seconds=RETRY_SECONDS).response()
    else:
        log_fields.note(problem="database_away")
        page = loader.get_template("503_database.html").render({"retry_seconds": RETRY_SECONDS})
        response = HttpResponse(page, status=503)
    response["Retry-After"] = str(RETRY_SECONDS)
    response["Cache-Control"] = "no-store"
    return response
