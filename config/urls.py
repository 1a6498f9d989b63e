from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic.base import RedirectView

from config.api import views as api
from config.http import plain
from config.http.health import health, ready
from config.monitoring.metrics import metrics
from players.web.staff import admin_sign_in, may_enter_admin

_api_v1: list[URLPattern | URLResolver] = [
    path("", api.IndexView.as_view(), name="api-index"),
    path("", include("replays.api_urls")),
    path("play/", include("replays.play.api_urls")),
    path("", include("players.api_urls")),
    path("schema", api.SchemaView.as_view(), name="api-schema"),
    path("docs/", api.documentation, name="api-docs"),
    path("docs/errors/", api.errors, name="api-errors"),
    path("docs/start/", api.start, name="api-start"),
]

handler404 = "players.web.errors.page_not_found"
handler500 = "players.web.server_errors.server_error"
handler429 = "players.web.errors.too_many_requests"  # of allauth

# Staff sign in like everybody else: with its limits, and with their second factor.
admin.site.login = admin_sign_in  # type: ignore[method-assign]
admin.site.has_permission = may_enter_admin  # type: ignore[method-assign]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("replays.urls")),
    path("", include("replays.play.urls")),
    path("", include("players.urls")),
    path("api/v1/", include(_api_v1)),
    path("admin/password_change/", RedirectView.as_view(pattern_name="account_change_password")),
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("healthz", health, name="health"),
    path("readyz", ready, name="ready"),
    path("metrics", metrics, name="metrics"),
    path("robots.txt", plain.robots, name="robots"),
    path("favicon.ico", plain.favicon, name="favicon"),
]
