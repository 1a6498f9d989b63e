"""Django's templates, which let go of what a page was made of as soon as it is drawn."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.template import TemplateDoesNotExist
from django.template.backends.django import DjangoTemplates, Template, reraise
from django.template.context import make_context
from django.utils.safestring import SafeString


class ReleasedTemplate(Template):
    """A template whose context is emptied when it is drawn.

    A context refers to itself through its layers, so without this the rows of every page, a thousand objects of a few
    hundred kilobytes, wait until Python looks for such circles: for milliseconds, in the middle of another page.
    """

    def render(self, context: dict[str, Any] | None = None, request: HttpRequest | None = None) -> SafeString:
        """The page."""
        layers = make_context(context, request, autoescape=self.backend.engine.autoescape)
        try:
            return self.template.render(layers)
        except TemplateDoesNotExist as error:
            reraise(error, self.backend)
            raise
        finally:
            layers.dicts.clear()


class ReleasingTemplates(DjangoTemplates):
    """The engine of the site."""

    def from_string(self, template_code: str) -> Template:
        """The template of that text."""
        return ReleasedTemplate(self.engine.from_string(template_code), self)

    def get_template(self, template_name: str) -> Template:
        """The template of that name; raises ``TemplateDoesNotExist``."""
        return ReleasedTemplate(super().get_template(template_name).template, self)
