"""Numbers in the tabs of moderators."""

from __future__ import annotations

from django import template
from django.template import Context

from players.web.users import signed_in_user
from replays.trust.versions.selectors import new_version_count

register = template.Library()


@register.simple_tag(takes_context=True)
def new_versions(context: Context) -> int:
    """Return how many new versions of programs wait for the visitor."""
    return new_version_count(signed_in_user(context["request"]))
