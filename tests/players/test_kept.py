"""Parts of templates that are drawn once."""

from __future__ import annotations

from typing import Any

from django.template import Context, Template
from django.utils import translation

from players.templatetags import kept


class Counter:
    """Counts how often a template shows it."""

    def __init__(self) -> None:
        self.shown = 0

    def __str__(self) -> str:
        self.shown += 1
        return "<&>"


def drawn(template: Template, **context: Any) -> str:
    return template.render(Context(context))


def test_a_part_is_drawn_once_for_its_keys_and_language() -> None:
    template = Template("{% load kept %}{{ level }} {% kept level style.name %}{{ level }}{{ counter }}{% endkept %}")
    counter = Counter()
    for _ in range(3):
        for level in ("expert", "beginner"):
            for style in ({"name": "NF"}, {"name": "FL"}, {}):
                assert drawn(template, level=level, style=style, counter=counter) == f"{level} {level}&lt;&amp;&gt;"
    assert counter.shown == 2 * 3
    with translation.override("zh-hans"):
        drawn(template, level="expert", style={}, counter=counter)
    assert counter.shown == 2 * 3 + 1


def test_parts_of_a_page_do_not_mix() -> None:
    template = Template("{% load kept %}{% kept %}one {{ name }}{% endkept %}, {% kept %}two {{ name }}{% endkept %}")
    assert drawn(template, name="a") == "one a, two a"
    assert drawn(template, name="b") == "one a, two a", "what a part depends on must be named"


def test_the_language_of_a_part_is_that_of_the_visitor() -> None:
    template = Template("{% load kept i18n %}{% kept %}{% translate 'Replays' %}{% endkept %}")
    with translation.override("en"):
        english = drawn(template)
    with translation.override("zh-hans"):
        chinese = drawn(template)
    with translation.override("en"):
        assert drawn(template) == english
    assert english != chinese


def test_no_visitor_can_make_it_keep_without_end() -> None:
    template = Template("{% load kept %}{% kept n %}{{ n }}{% endkept %}")
    for n in range(3 * kept._KEPT):
        assert drawn(template, n=n) == str(n)
    (node,) = template.nodelist.get_nodes_by_type(kept.KeptNode)
    assert isinstance(node, kept.KeptNode)
    assert len(node.kept) <= kept._KEPT
