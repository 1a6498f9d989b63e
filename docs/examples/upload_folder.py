"""Upload the replays of a folder to a Sweepbook site, and those that a clone saves there later.

    SWEEPBOOK_TOKEN=swb_… python upload_folder.py https://sweepbook.example replays/          # goes on and watches
    SWEEPBOOK_TOKEN=swb_… python upload_folder.py https://sweepbook.example replays/ --once   # ends after all files

A token with the scope `upload` is made on the account page.  It may be stopped at any moment: the site is asked first which
files it has, by their SHA-256, so nothing is sent twice; but for sets of replays (EVFS), of which the site knows the replays
alone.  Nothing but Python 3.11 is needed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import time
import uuid
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

ENDINGS = {".avf", ".mvf", ".rmv", ".evf", ".evfs", ".rawvf"}
SET = ".evfs"  # of replays, which the limit of one does not bind
LARGEST_BYTES = 5 * 1024 * 1024
#: Files of one request, and how long a file must be unchanged: a clone may still be writing it.
FILES = 20
SETTLED_SECONDS = 2.0
WAIT_SECONDS = 5.0
#: How often --once looks for the end of files that somebody is writing.
MOST_LOOKS = 15

#: A file as it was looked at: path, size and time of the last change.
Seen = tuple[Path, int, int]


class Site:
    def __init__(self, address: str, token: str) -> None:
        self.api, self.token = f"{address.rstrip('/')}/api/v1/", token

    def post(self, path: str, body: bytes, content_type: str) -> Any:
        """The answer of the API, also to files that it refuses; waits while the site is busy, away, or wants no more today."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": content_type}
        while True:
            try:
                with urlopen(Request(f"{self.api}{path}", body, headers), timeout=120) as answer:
                    return json.load(answer)
            except HTTPError as error:
                problem = error.read()
                if error.code == 400 and b'"receipts"' in problem:
                    return json.loads(problem)  # it refused every file, each for a reason
                if error.code not in (429, 502, 503, 504, 507):
                    raise SystemExit(f"{error.code}: {problem.decode(errors='replace')}") from error
                time.sleep(float(error.headers.get("Retry-After") or WAIT_SECONDS))
            except (URLError, TimeoutError, ConnectionError, HTTPException):  # away, perhaps amid an answer
                time.sleep(WAIT_SECONDS)

    def known(self, hashes: list[str]) -> set[str]:
        """Those of the files that the site has."""
        body = json.dumps({"sha256": hashes}).encode()
        return {row["sha256"] for row in self.post("me/known-files/", body, "application/json")["known"]}

    def upload(self, files: list[tuple[str, bytes]]) -> list[Any]:
        """The receipt of each file."""
        boundary = uuid.uuid4().hex
        parts = [
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{quoted(name)}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n".encode()
            + data
            + b"\r\n"
            for name, data in files
        ]
        body = b"".join(parts) + f"--{boundary}--\r\n".encode()
        receipts: list[Any] = self.post("replays/", body, f"multipart/form-data; boundary={boundary}")["receipts"]
        return receipts


def quoted(name: str) -> str:
    """A file name inside quotes of a header, as browsers write it."""
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def looked_at(folder: Path, done: set[Seen]) -> tuple[list[Seen], list[Path]]:
    """Return the replay files to send, and those that somebody may still be writing; names what no site takes."""
    found, written = [], []
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in ENDINGS or not path.is_file():
            continue
        with suppress(FileNotFoundError):  # gone meanwhile
            state = path.stat()
            seen = (path, state.st_size, state.st_mtime_ns)
            if seen in done:
                continue
            if abs(time.time() - state.st_mtime) <= SETTLED_SECONDS:  # a file from the future is no new one
                written.append(path)
            elif state.st_size > 0 and (state.st_size <= LARGEST_BYTES or path.suffix.lower() == SET):
                found.append(seen)
            else:
                print(path, "is passed over:", "larger than 5 MiB" if state.st_size else "empty", flush=True)
                done.add(seen)
    return found, written


def send(site: Site, files: list[Seen]) -> None:
    """Upload those of ``files`` that the site does not have, and say what became of each."""
    data = dict[Path, bytes]()
    for path, _size, _changed in files:
        with suppress(FileNotFoundError):  # gone since it was listed
            data[path] = path.read_bytes()
    if not data:
        return
    hashes = {path: hashlib.sha256(content).hexdigest() for path, content in data.items()}
    known = site.known(list(hashes.values()))
    new = [path for path in data if hashes[path] not in known]
    receipts = site.upload([(path.name, data[path]) for path in new]) if new else []
    for receipt in receipts:  # one for each file, but one for each replay of a set
        print(receipt["name"], receipt["outcome"], receipt["html_url"] or receipt["message"], flush=True)
    for path in data.keys() - set(new):
        print(path, "is there already", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("site")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--once", action="store_true", help="end after all files")
    options = parser.parse_args()
    if not (token := os.environ.get("SWEEPBOOK_TOKEN", "")):
        raise SystemExit("Set SWEEPBOOK_TOKEN to a token with the scope “upload”.")
    site, done = Site(options.site, token), set[Seen]()
    looks = 0
    while True:
        files, written = looked_at(options.folder, done)
        if files := files[:FILES]:
            send(site, files)
            done.update(files)
        elif not options.once:
            time.sleep(WAIT_SECONDS)
        elif written and looks < MOST_LOOKS:
            if looks == 0:
                print(len(written), "files have just changed, so they are sent in a moment", flush=True)
            looks += 1
            time.sleep(SETTLED_SECONDS)
        else:
            for path in written:
                print(path, "is not sent: somebody is still writing it", flush=True)
            if not done and not written:
                print(options.folder, "has no replay files", flush=True)
            break


if __name__ == "__main__":
    main()
