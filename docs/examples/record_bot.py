"""Print each new site record of a Sweepbook site once, as it comes in, and each that is taken back.

    python record_bot.py https://sweepbook.example last_place.txt

It listens to the site's events and remembers its place in a file, so that it may be killed at any moment: it prints what
it missed when it runs again.  The place is written after the line, so the last line may come twice, and none is missing.
Nothing but Python 3.11 is needed.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

WAIT_SECONDS = 3.0


def events(site: str, place: str) -> Iterator[dict[str, str]]:
    """The events after ``place`` ("": from now on), each with its fields; ends when the connection does."""
    headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": place} if place else {})
    request = Request(f"{site.rstrip('/')}/api/v1/events/?kinds=record", headers=headers)
    with urlopen(request, timeout=60) as stream:
        fields: dict[str, str] = {}
        for line in stream:
            text = line.decode().rstrip("\n")
            if not text:
                yield fields
                fields = {}
            elif not text.startswith(":"):
                name, _, value = text.partition(": ")
                fields[name] = value


def listen(site: str, state: Path) -> None:
    """Print events until the connection ends."""
    place = state.read_text() if state.exists() else ""
    for event in events(site, place):
        name, row = event.get("event"), json.loads(event.get("data", "{}"))
        if name == "record":
            print(row["level"], row["statistic"], row["style"], row["text"], row["player"]["name"], flush=True)
        elif name in ("withdrawn", "restored"):  # its game was frozen or deleted, or counts again
            print(name, row["level"], row["statistic"], row["style"], row["replay"]["id"], flush=True)
        if "id" in event:
            remember(state, event["id"])


def remember(state: Path, place: str) -> None:
    """Write the place, whole or not at all: a bot that is killed while it writes must not begin anew."""
    new = state.with_name(f"{state.name}.new")
    new.write_text(place)
    new.replace(state)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("site")
    parser.add_argument("state", type=Path)
    options = parser.parse_args()
    while True:
        try:
            listen(options.site, options.state)
            time.sleep(WAIT_SECONDS)  # as the stream says itself (``retry``)
        except HTTPError as error:
            if error.code == 410:  # away for more than a month: from now on
                options.state.unlink(missing_ok=True)
            elif error.code not in (429, 502, 503, 504):
                raise
            time.sleep(float(error.headers.get("Retry-After") or WAIT_SECONDS))
        except (URLError, TimeoutError, ConnectionError, HTTPException):  # away, perhaps amid an event
            time.sleep(WAIT_SECONDS)


if __name__ == "__main__":
    main()
