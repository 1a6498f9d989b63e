from __future__ import annotations

from datetime import datetime
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.web.rate_limits import RateLimit, client_address, count_or_refuse
from replays.browse.data.file_ranges import ranged_file_response
from replays.browse.data.selectors import digest_of_dumped, dumps, dumps_root, months
from replays.browse.data.serializers import data_values

#: Enough for everything: the files of all dumps, and twenty years of archives with their lists.
FILES_LIMIT: Final = RateLimit("data-files", "600/hour")


@require_safe
def data(request: HttpRequest) -> HttpResponse:
    root = dumps_root()
    found = [{**index, "taken_at": datetime.fromisoformat(index["taken_at"])} for index in dumps(root)]
    context = {**data_values(found, months(root)), "kept": settings.DUMPS_KEPT}
    return render(request, "replays/browse/data/data.html", context)


@require_safe
def data_file(request: HttpRequest, folder: str, name: str) -> HttpResponseBase:
    root = dumps_root()
    digest = digest_of_dumped(root, folder, name)
    if digest is None:
        raise Http404(_("This file doesn't exist. Old data dumps are deleted when newer ones are made."))
    count_or_refuse(FILES_LIMIT, client_address(request), _("Too many downloads. Try again later."))
    return ranged_file_response(request, root / folder / name, digest)
