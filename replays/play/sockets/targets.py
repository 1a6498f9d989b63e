"""Targets of tickets: the feature that plays a purpose says what a request may ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from replays.play.sockets.tickets import Purpose
from replays.play.sockets.visitors import Visitor

#: Gets the fields of the request and the visitor, returns the target of the ticket; raises ``ApiError``,
#: ``not_playable`` where the values do not fit each other or nothing like that is played.
TargetOf: TypeAlias = Callable[[Mapping[str, Any], Visitor], dict[str, Any]]
_targets: dict[str, TargetOf] = {}


def register_target(purpose: Purpose, function: TargetOf) -> None:
    """Called by ``replays.play.apps`` when Django is ready."""
    _targets[purpose] = function


def target_of(purpose: Purpose) -> TargetOf | None:
    return _targets.get(purpose)
