"""Addresses of the REST interface of the tools, under ``/api/v1/``."""

from __future__ import annotations

from django.urls import path

from replays.tools.api import ProbabilityView

urlpatterns = [path("probability/", ProbabilityView.as_view(), name="api-probability")]
