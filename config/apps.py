from __future__ import annotations

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Holds the commands that run the whole site."""

    name = "config"
    verbose_name = "Sweepbook"

    def ready(self) -> None:
        from config.checks import consistency, services  # noqa: F401 - registers them
