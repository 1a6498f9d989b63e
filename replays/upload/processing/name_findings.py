"""Findings on the names inside replays, which keep a game off the boards until staff have seen it."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.names import hidden_characters, shown_name
from analysis.recording import Finding
from players.people.selectors import look_alikes
from replays.models import Replay


def add_name_findings(replays: Sequence[Replay]) -> None:
    """Put the findings on the names of ``replays`` in front of those that their files gave."""
    others = look_alikes({replay.identifier for replay in replays if replay.identifier})
    for replay in replays:
        found = []
        if hidden_characters(replay.identifier):
            text = f"The name holds characters that are not visible: {shown_name(replay.identifier)}."
            found.append(Finding("name_hidden_characters", text))
        if other := others.get(replay.identifier):
            text = f"The name looks like that of player #{other.pk}, {other.shown_name}."
            found.append(Finding("name_look_alike", text))
        replay.findings = [*({"code": finding.code, "text": finding.text} for finding in found), *replay.findings]
