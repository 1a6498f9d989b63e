"""Descriptions of fields that mean the same wherever they are; the ``help_text`` of a field goes before."""

from __future__ import annotations

from typing import Final

#: By name of a property.
PROPERTIES: Final = {
    "achieved_at": "When it was achieved.",
    "cell": "Row and column, from 0.",
    "created_at": "When it was made.",
    "ended_at": "When it ended; null if it has not.",
    "id": "Number in addresses; it never changes.",
    "level": "Level of the game.",
    "mode": "Rules of the game.",
    "number": "Row and column of the number, from 0.",
    "player": "The player.",
    "rank": "Rank; equal values share one.",
    "replay": "The replay.",
    "result": "How the game ended.",
    "rows": "The rows of the list.",
    "statistic": "Public name of the statistic, as in `/api/v1/statistics/`.",
    "style": "NF: without a flag; FL: with flags.",
    "text": "As pages show it.",
    "uploaded_at": "When it was uploaded.",
    "value": "Exact value.",
}

#: By name of a parameter in the path; parameters of the query have their own.
PATH_PARAMETERS: Final = {
    "epoch": "Number of the board in its room.",
    "id": "Number of what the address names.",
    "level": "The level.",
    "n": "The N of sub-N: seconds, counted from 1.",
    "slug": "Name of the room in its address.",
    "event": "Place of the click among the events of the file, from 0.",
    "statistic": "Public name of the statistic, as in `/api/v1/statistics/`.",
}
