"""Pages let go of what they were made of."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template import TemplateDoesNotExist, engines
from django.template.loader import get_template
from django.test import RequestFactory


class Row:
    """Something that a page shows."""

    def __str__(self) -> str:
        return "a row"


def drawn(source: str, **more: Any) -> tuple[str, weakref.ref[Row]]:
    row = Row()
    text = engines["django"].from_string(source).render({"row": row, **more}, _request())
    return text, weakref.ref(row)


def _request() -> Any:
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    return request


def test_a_page_keeps_nothing_alive() -> None:
    gc.disable()  # else luck could free it
    try:
        text, row = drawn(
            "{% for each in rows %}{{ each }}{% endfor %}{% with other=row %}{{ other }}{% endwith %}", rows=[1]
        )
        assert text == "1a row"
        assert row() is None
    finally:
        gc.enable()


def test_nor_does_one_that_fails() -> None:
    with pytest.raises(TemplateDoesNotExist, match=r"nowhere\.html"):
        drawn("{% include 'nowhere.html' %}")
    with pytest.raises(TemplateDoesNotExist, match=r"nowhere\.html"):
        get_template("nowhere.html")


def test_the_context_of_the_caller_stays() -> None:
    context = {"row": Row()}
    template = engines["django"].from_string("{{ row }}")
    assert [template.render(context, _request()) for _ in range(2)] == ["a row", "a row"]
    assert set(context) == {"row"}
