"""Answers to requests that cannot be served, in the dress of the site."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def bad_request(request: HttpRequest, reason: str) -> HttpResponse:
    """400 with the reason, for addresses that this site never hands out."""
    return render(request, "400.html", {"reason": reason}, status=400)


def not_found(request: HttpRequest, reason: str) -> HttpResponse:
    """404 with the reason."""
    return render(request, "404.html", {"reason": reason}, status=404)


def forbidden(request: HttpRequest, reason: str) -> HttpResponse:
    """403 with the reason."""
    return render(request, "403.html", {"reason": reason}, status=403)
