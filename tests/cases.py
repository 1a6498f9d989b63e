"""Many cases in one test: each is tried, and the message names all that fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone, translation

from tests.caches import clear_caches
from tests.transactions import undone


def check_each(check: Callable[..., object], cases: Iterable[Any]) -> None:
    """Call ``check`` for each of ``cases`` and fail with all that fail; a plain tuple is the arguments of one call."""
    __tracebackhide__ = True
    faults = []
    for case in cases:
        fault = _fault_of(check, case if type(case) is tuple else (case,))
        if fault is not None:
            faults.append(f"{case!r}: {fault}")
    if faults:
        raise AssertionError("\n".join([f"{len(faults)} cases fail:", *faults]))


def check_each_on_site(check: Callable[..., object], cases: Iterable[Any]) -> None:
    """Do the same where ``check`` visits the site: each case finds the rows of before, and nothing in a cache."""
    __tracebackhide__ = True

    def alone(*case: Any) -> None:
        clear_caches()
        try:
            with undone():
                check(*case)
        finally:
            translation.activate(settings.LANGUAGE_CODE)
            timezone.deactivate()

    check_each(alone, cases)


def _fault_of(check: Callable[..., object], case: tuple[Any, ...]) -> str | None:
    try:
        check(*case)
    except (Exception, pytest.fail.Exception) as error:
        return f"{type(error).__name__}: {error}"
    return None
