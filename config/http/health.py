"""/healthz: whether the database and the broker can be reached, and whether there is room for uploads."""

from __future__ import annotations

import logging

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config import redis_urls
from players.web.disk import has_room

_TIMEOUT_SECONDS = 1.0

logger = logging.getLogger(__name__)


@require_safe
@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """503 without the database.  Without the broker, or room on the disk, 200 and ``degraded``: uploads alone wait."""
    database, broker, disk = _database_answers(), _broker_answers(), has_room()
    status = "down" if not database else "ok" if broker and disk else "degraded"
    values = {"status": status, "database": database, "broker": broker, "disk": disk}
    return JsonResponse(values, status=200 if database else 503)


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        logger.exception("The database does not answer.")
        return False
    return True


def _broker_answers() -> bool:
    client = redis.Redis.from_url(
        redis_urls.client_url(settings.CELERY_BROKER_URL),
        socket_timeout=_TIMEOUT_SECONDS,
        socket_connect_timeout=_TIMEOUT_SECONDS,
    )
    try:
        return bool(client.ping())
    except redis.RedisError as error:
        logger.warning("The broker does not answer: %s", error)
        return False
    finally:
        client.close()
