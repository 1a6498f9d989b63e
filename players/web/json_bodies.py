from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, TypeVar

from django.http import QueryDict
from django.utils.translation import gettext as _
from rest_framework import serializers

from analysis.errors import excerpt

T = TypeVar("T")
#: The type of a field's values in JSON, and the field's own word for another; lists are looked into, and fields that are
#: not named look themselves.
_TYPES: Final[tuple[tuple[type[serializers.Field[Any, Any, Any, Any]], type | tuple[type, ...], str], ...]] = (
    (serializers.BooleanField, bool, "invalid"),
    (serializers.IntegerField, (int, float), "invalid"),
    (serializers.FloatField, (int, float), "invalid"),
    (serializers.CharField, str, "invalid"),
    (serializers.ChoiceField, str, "invalid_choice"),
)


#: What a form has besides its fields.
_CSRF_FIELD: Final = "csrfmiddlewaretoken"
#: Of the unknown fields of a body, those that are named.
_MOST_NAMED: Final = 10


def refuse_unknown(given: Iterable[object], known: Collection[str]) -> None:
    """Raise ``ValidationError`` for names that nothing reads: a misspelt field must not seem to be stored."""
    unknown = [excerpt(str(name)) for name in given if name not in known and name != _CSRF_FIELD]
    if unknown:
        raise serializers.ValidationError({name: [_("Unknown field.")] for name in unknown[:_MOST_NAMED]})


class JsonBody(serializers.Serializer[T]):
    """A body whose values have the JSON types that the schema names: the framework alone takes 0 as a text, and "on" as true.

    All values of forms are texts, so those are read as the framework reads them.  Unknown fields are refused.
    """

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields; those with choices name them where they refuse a value."""
        fields = super().get_fields()
        for field in (getattr(one, "child", one) for one in fields.values()):
            if isinstance(field, serializers.ChoiceField):
                known = ", ".join(map(str, field.choices)).replace("{", "{{").replace("}", "}}")
                field.error_messages["invalid_choice"] = _("Choose one of: %(choices)s.") % {"choices": known}
        return fields

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            refuse_unknown(data, self.fields)
        if isinstance(data, Mapping) and not isinstance(data, QueryDict):
            found = {name: _errors(field, data.get(name)) for name, field in self.fields.items()}
            if wrong := {name: errors for name, errors in found.items() if errors}:
                raise serializers.ValidationError(wrong)
        return super().to_internal_value(data)


def _errors(field: Any, value: object) -> Any:
    """Return errors about the type of ``value``, as the framework words them; nothing if the field may go on to read it."""
    if value is None:
        return None
    if isinstance(field, serializers.ListField) and isinstance(value, list):
        return next(({place: errors} for place, one in enumerate(value) if (errors := _errors(field.child, one))), None)
    for kind, types, word in _TYPES:
        if isinstance(field, kind):
            right = isinstance(value, types) and (types is bool or not isinstance(value, bool))
            return None if right else [field.error_messages[word].format(input=value)]
    return None
