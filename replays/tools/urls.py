"""Addresses of the tools, under ``/tools/``."""

from __future__ import annotations

from django.urls import path

from replays.tools import views

urlpatterns = [
    path("", views.tools, name="tools"),
    path("probability/", views.probability, name="tool-probability"),
    path("one-and-two/", views.one_and_two, name="tool-one-and-two"),
]
