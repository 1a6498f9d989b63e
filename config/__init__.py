"""Settings, addresses and servers: wires everything, decides nothing."""

from config import kernel_cache

kernel_cache.choose()  # before anything imports numba

from config.celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]
