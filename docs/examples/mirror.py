"""Keep a copy of everything public on a Sweepbook site in one SQLite file, and follow its changes.

    python mirror.py https://sweepbook.example copy.sqlite3          # goes on until it is stopped
    python mirror.py https://sweepbook.example copy.sqlite3 --once   # ends when the copy is up to date

It may be stopped at any moment and goes on where it was: rows and the place in the feed are written together.  Nothing but
Python 3.11 is needed.  A row is stored as the API has it, but for the player of a replay or a record, of whom the number is
stored: names change on their own and are in the table of players.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import time
from collections.abc import Iterator
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import urlopen

PAGE = 200
#: How long to wait where the site does not say, and between two looks at a feed that has nothing new.
WAIT_SECONDS = 5.0
TABLES = {"replay": "replays", "player": "players", "record": "records"}
#: Every list that the first copy reads.  Records have one for each kind and style.
LISTS = [
    ("replay", {"sort": "oldest"}),
    ("player", {}),
    *(("record", {"kind": kind, "style": style}) for kind in ("site", "personal") for style in ("all", "NF", "FL")),
]


class Gone(Exception):
    """The site cannot go on from a place that it gave: it no longer has the changes since (410), or was updated (400)."""


class Site:
    def __init__(self, address: str) -> None:
        self.api = f"{address.rstrip('/')}/api/v1/"

    def get(self, path: str, **query: object) -> Any:
        """The answer of the API; waits while the site is busy or away."""
        address = f"{self.api}{path}?{urlencode(query)}"
        while True:
            try:
                with urlopen(address, timeout=60) as answer:
                    return json.load(answer)
            except HTTPError as error:
                if error.code == 410 or (error.code == 400 and b'"bad_cursor"' in error.read()):
                    raise Gone from error
                if error.code not in (429, 502, 503, 504):
                    raise
                time.sleep(float(error.headers.get("Retry-After") or WAIT_SECONDS))
            except (URLError, TimeoutError, ConnectionError, HTTPException):  # away, perhaps amid an answer
                time.sleep(WAIT_SECONDS)


class Copy:
    def __init__(self, path: str) -> None:
        self.database = sqlite3.connect(path)
        for table in TABLES.values():
            self.database.execute(f"CREATE TABLE IF NOT EXISTS {table} (id INTEGER PRIMARY KEY, row TEXT NOT NULL)")
        self.database.execute("CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT)")
        self.database.commit()

    def state(self) -> dict[str, str]:
        return dict(self.database.execute("SELECT name, value FROM state"))

    def remember(self, **values: str) -> None:
        self.database.executemany("REPLACE INTO state VALUES (?, ?)", values.items())

    def put(self, thing: str, rows: list[Any]) -> None:
        texts = [
            (number_of(thing, row), json.dumps(stored(thing, row), ensure_ascii=False, sort_keys=True)) for row in rows
        ]
        self.database.executemany(f"REPLACE INTO {TABLES[thing]} VALUES (?, ?)", texts)

    def drop(self, thing: str, ids: set[int]) -> None:
        self.database.executemany(f"DELETE FROM {TABLES[thing]} WHERE id = ?", [(one,) for one in ids])

    def empty(self) -> None:
        for table in (*TABLES.values(), "state"):
            self.database.execute(f"DELETE FROM {table}")
        self.database.commit()


def stored(thing: str, row: Any) -> Any:
    """Return what the copy holds of a row of the API."""
    return row if thing == "player" else {**row, "player": row["player"] and row["player"]["id"]}


def number_of(thing: str, row: Any) -> int:
    number: int = row["player"]["id"] if thing == "player" else row["id"]
    return number


def begin(site: Site, copy: Copy) -> None:
    """Copy every list, from where an earlier run was stopped.  What changes meanwhile is in the feed."""
    state = copy.state()
    if "after" not in state:
        copy.remember(after=site.get("changes/")["after"], list="0", cursor="")
        copy.database.commit()
        state = copy.state()
    for number in range(int(state["list"]), len(LISTS)):
        thing, query = LISTS[number]
        cursor = copy.state()["cursor"]
        while True:
            try:
                page = site.get(f"{TABLES[thing]}/", size=PAGE, cursor=cursor, **query)
            except Gone:
                if not cursor:
                    raise
                cursor = ""  # the list once more: what is there already is written again
                continue
            copy.put(thing, page["rows"])
            cursor = page["next_cursor"] or ""
            copy.remember(list=str(number if cursor else number + 1), cursor=cursor)
            copy.database.commit()
            if not cursor:
                break


def follow(site: Site, copy: Copy) -> bool:
    """Apply one page of the feed; returns whether more is there.  Applying it twice does no harm."""
    page = site.get("changes/", after=copy.state()["after"], size=PAGE)
    for thing in TABLES:
        ids = {row["thing_id"] for row in page["rows"] if row["thing"] == thing}
        if ids:
            rows = list(fetched(site, thing, ids))
            copy.put(thing, rows)
            copy.drop(thing, ids - {number_of(thing, row) for row in rows})  # deleted, or no longer public
    copy.remember(after=page["after"])
    copy.database.commit()
    return bool(page["more"])


def fetched(site: Site, thing: str, ids: set[int]) -> Iterator[Any]:
    """The rows as they are now: a page of the feed names at most as many as a list takes."""
    yield from site.get(f"{TABLES[thing]}/", ids=",".join(map(str, sorted(ids))), size=PAGE)["rows"]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("site")
    parser.add_argument("file")
    parser.add_argument("--once", action="store_true", help="end when the copy is up to date")
    options = parser.parse_args()
    site, copy = Site(options.site), Copy(options.file)
    while True:
        try:
            begin(site, copy)
            while follow(site, copy):
                pass
        except Gone:
            copy.empty()
            continue
        if options.once:
            break
        time.sleep(WAIT_SECONDS)


if __name__ == "__main__":
    main()
