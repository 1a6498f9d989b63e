from __future__ import annotations

from typing import Final

from players.web.parameters import form_of, query_of, text
from replays.browse.search.selectors import MAX_CHARS

_Q: Final = text(
    "q",
    most_chars=MAX_CHARS,
    description="Any part of a player's name; the number of a replay, or the first 8 or more hexadecimal digits of the "
    "SHA-256 of its file or of its game hash; words of a level and a statistic, as “expert stnb” or “sub 60”.",
)
SearchForm = form_of(_Q)
SearchQuery = query_of(_Q)
