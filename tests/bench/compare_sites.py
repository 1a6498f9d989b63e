"""``python -m tests.bench.compare_sites OLD NEW``: compares the responses of two sites with the same data.

Follows the links of the pages of the site at address OLD, requests from both sites each page and for the endpoints of the
API that belong to it, and prints what differs.  Pages are compared as parsed trees: white space, tokens, ids, classes
and names of static files do not count.  Exits with 1 if
anything differs.
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from html import unescape
from html.parser import HTMLParser
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin, urlsplit
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

_LINK: Final = re.compile(r"""(?:href|action)="(/[^"#]*)""")
_API: Final = "/api/v1"
#: Pages of one pattern (numbers left out) that are compared at most: the twentieth page of a player tells little more.
_OF_ONE_KIND: Final = 12
#: What may differ from one answer to the next.
_CHANGING: Final = (
    (re.compile(r'(name="csrfmiddlewaretoken" value=|"X-CSRFToken": ?|nonce=)"[^"]*"'), r'\1""'),
    (re.compile(r"/static/([\w/.-]+?)\.[0-9a-f]{12}\.(\w+)"), r"/static/\1.\2"),
)
#: Attributes that only style sheets and scripts of the same page use, as ``data-…``.
_INNER: Final = {
    "class", "id", "for", "list", "aria-labelledby", "aria-describedby", "aria-controls", "nonce",
}  # fmt: skip
#: Endpoints by the page that shows the same, as templates of the groups that the page's path has.
_ENDPOINTS: Final = (
    (re.compile(r"/replays/(\d+)/"), ("/replays/{0}/", "/replays/{0}/luck/", "/replays/{0}/position/?event=25", "/replays/{0}/rawvf", "/replays/{0}/file")),
    (re.compile(r"/players/(\d+)/"), ("/players/{0}/",)),
    (re.compile(r"/players/(\d+)/by-3bv/([\w-]+)/(\w+)/"), ("/players/{0}/by-3bv/{1}/{2}/",)),
    (re.compile(r"/players/(\d+)/progress/([\w-]+)/(\w+)/"), ("/players/{0}/progress/{1}/{2}/", "/players/{0}/ranks/{1}/{2}/")),
    (re.compile(r"(/(?:leaderboards|records|players|replays|statistics)/.*)"), ("{0}",)),
)  # fmt: skip


class Site:
    """One of both sites, and the session of a visitor on it."""

    def __init__(self, address: str, login: tuple[str, str] | None) -> None:
        self._address = address.rstrip("/")
        self._opener: OpenerDirector = build_opener(HTTPCookieProcessor(CookieJar()))
        if login is not None:
            self._sign_in(*login)

    def get(self, path: str) -> tuple[int, str]:
        """Status and body of the answer."""
        return self._open(Request(self._address + path))

    def _open(self, request: Request) -> tuple[int, str]:
        try:
            with self._opener.open(request, timeout=120) as answer:
                return answer.status, answer.read().decode("utf-8", "replace")
        except HTTPError as error:
            return error.code, error.read().decode("utf-8", "replace")

    def _sign_in(self, name: str, password: str) -> None:
        _status, page = self.get("/sign-in/")
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        assert token is not None, "no form to sign in with"
        body = urlencode({"login": name, "password": password, "csrfmiddlewaretoken": token[1]}).encode()
        status, _page = self._open(Request(f"{self._address}/sign-in/", body, {"Referer": f"{self._address}/sign-in/"}))
        assert status == 200, f"signing in was answered with {status}"


def same_text(body: str, address: str) -> str:
    """``body`` without what may change from one answer, or from one address, to the next."""
    for pattern, stand_in in _CHANGING:
        body = pattern.sub(stand_in, body)
    return body.replace(address.rstrip("/"), "").replace(urlsplit(address).netloc, "").strip()


def endpoints_of(page: str) -> Iterator[str]:
    """The addresses of the API that show what the page at this path shows."""
    path, _, query = page.partition("?")
    for pattern, templates in _ENDPOINTS:
        if match := pattern.fullmatch(path):
            for template in templates:
                yield _API + template.format(*match.groups()) + (f"?{query}" if query else "")


def links_in(page: str, body: str) -> Iterator[str]:
    """The addresses of this site to which a page leads."""
    for address in _LINK.findall(body):
        target = urljoin(page, unescape(address))
        if not target.startswith(("/static/", "/sign-out", "/account/language", "/admin/")):
            yield target


def kind_of(address: str) -> str:
    """Addresses that differ in numbers, cursors or values alone are of one kind."""
    path, _, query = address.partition("?")
    names = ",".join(sorted(part.partition("=")[0] for part in query.split("&") if part))
    return re.sub(r"\d+", "0", path) + "?" + names


def compare(
    old: Site, new: Site, addresses: tuple[str, str], starts: Iterable[str], limit: int
) -> Iterator[tuple[str, str]]:
    """(address, what differs: "" if nothing) of each page and endpoint, ``limit`` at most."""
    waiting, seen, kinds = deque(starts), set(starts), Counter[str]()
    done = 0
    while waiting and done < limit:
        address = waiting.popleft()
        kind = kind_of(address)
        if kinds[kind] >= _OF_ONE_KIND:
            continue
        kinds[kind] += 1
        done += 1
        (old_status, old_body), (new_status, new_body) = old.get(address), new.get(address)
        yield (
            address,
            _difference(
                f"{old_status}\n{same_text(old_body, addresses[0])}",
                f"{new_status}\n{same_text(new_body, addresses[1])}",
            ),
        )
        if not address.startswith(_API) and old_status == 200:
            for target in [*links_in(address, old_body), *endpoints_of(address)]:
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)


def _difference(old: str, new: str) -> str:
    if old == new:
        return ""
    if old.partition("\n")[2][:1] in "{[" and new.partition("\n")[2][:1] in "{[":
        old, new = _json_lines(old), _json_lines(new)
    return "\n".join(difflib.unified_diff(_lines(old), _lines(new), "old", "new", lineterm="", n=1))


def _json_lines(text: str) -> str:
    status, _, body = text.partition("\n")
    try:
        value: Any = json.loads(body)
    except ValueError:
        return text
    return f"{status}\n{json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False)}"


def _lines(text: str) -> list[str]:
    if not text.partition("\n")[2].lstrip().lower().startswith("<!doctype html"):
        return text.splitlines()
    tree = _Tree()
    tree.feed(text)
    tree.close()
    return tree.lines


class _Tree(HTMLParser):
    """The elements and texts of a page, a line each; white space at the ends of texts and between elements is left out."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        kept = sorted(
            f'{name}="{" ".join((value or "").split())}"'
            for name, value in attrs
            if name not in _INNER and not name.startswith("data-") and not (value or "").startswith(("#", "/static/"))
        )
        self.lines.append(f"<{' '.join([tag, *kept])}>")

    def handle_endtag(self, tag: str) -> None:
        self.lines.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if text := " ".join(data.split()):
            self.lines.append(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--limit", type=int, default=3_000)
    parser.add_argument("--login", help="name:password, to compare what an account sees")
    parser.add_argument("--addresses", type=Path, help="a file of further addresses, one a line")
    options = parser.parse_args()
    login = tuple(options.login.split(":", 1)) if options.login else None
    starts = ["/", f"{_API}/schema"]
    if options.addresses:
        starts += options.addresses.read_text().split()
    sites = Site(options.old, login), Site(options.new, login)
    compared, differing = 0, []
    for address, difference in compare(*sites, (options.old, options.new), starts, options.limit):
        compared += 1
        if difference:
            differing.append(address)
            print(f"=== {address}\n{difference}\n", flush=True)
    print(f"{compared} answers compared, {len(differing)} differ", *differing, sep="\n")
    sys.exit(bool(differing))


if __name__ == "__main__":
    main()
