"""Settings, URLs and server processes; no rules of the site."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
