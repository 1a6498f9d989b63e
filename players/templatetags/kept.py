"""Parts of pages that are the same for everybody: drawn once a process, and not for each visitor."""

from __future__ import annotations

from typing import Any, Final

from django import template
from django.template import Context, Node, NodeList
from django.template.base import FilterExpression, Parser, Token
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

#: What one part keeps at most: keys may come from addresses that visitors make up.
_KEPT: Final = 200


class KeptNode(Node):
    """A part of a template, and what became of it by language and keys.

    Threads that draw the same at once all draw the same, so the last one may win.
    """

    def __init__(self, nodelist: NodeList, keys: list[FilterExpression]) -> None:
        self.nodelist = nodelist
        self.keys = keys
        self.kept: dict[tuple[Any, ...], SafeString] = {}

    def render(self, context: Context) -> SafeString:
        key = (get_language(), *(key.resolve(context) for key in self.keys))
        drawn = self.kept.get(key)
        if drawn is None:
            drawn = self.nodelist.render(context)
            if len(self.kept) >= _KEPT:
                self.kept.clear()
            self.kept[key] = drawn
        return drawn


@register.tag
def kept(parser: Parser, token: Token) -> KeptNode:
    """``{% kept style level %}…{% endkept %}``: draw this once for each language, style and level.

    All that the part depends on must be named, and must not be chosen freely by visitors.
    """
    _name, *keys = token.split_contents()
    nodelist = parser.parse(("endkept",))
    parser.delete_first_token()
    return KeptNode(nodelist, [parser.compile_filter(key) for key in keys])
