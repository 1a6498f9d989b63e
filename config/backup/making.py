"""Making a backup while the site serves.

The files come first, then the tables, then the files that came meanwhile: every file that a row of the backup refers to
is in it, except those that the site itself had no longer.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from config.backup import tables
from config.backup.folder import BackupError, Folder, Manifest, hashes_in, in_batches
from config.site.supervisor import Say
from replays.models import file_store, store_mark

_SHOWN: Final = 5


def make(root: Path, say: Say) -> None:
    """Write a backup to ``root``, or bring the one that is there up to date."""
    usual = os.umask(0o077)
    try:
        _make(root, say)
    finally:
        os.umask(usual)


def _make(root: Path, say: Say) -> None:
    if not store_mark.is_visible():
        raise BackupError(store_mark.NOT_VISIBLE)
    folder = Folder(root)
    with folder.opened_to_write():
        now = datetime.now(UTC)
        target = root / f"database-{now:%Y%m%dT%H%M%S%f}"
        target.mkdir()
        early = root / "files.early"
        tables.write_hashes(early)
        copied = _copy_files(folder, early)[0]
        early.unlink()
        contents, sequences = tables.save(target, folder.list_of(target.name))
        more, missing = _copy_files(folder, folder.list_of(target.name))
        count = sum(1 for _ in hashes_in(folder.list_of(target.name))) - len(missing)
        manifest = Manifest(
            now.isoformat(timespec="seconds"), _revision(), applied_migrations(), target.name,
            _parts(target), contents, sequences, count, missing, digest_of_secret(),
        )  # fmt: skip
        folder.write_manifest(manifest)
        folder.prune(manifest)
    rows = sum(content.rows for content in contents.values())
    say(f"{rows} rows of {len(contents)} tables and {count} files are saved; {copied + more} files are new.")
    if missing:
        shown = ", ".join(missing[:_SHOWN])
        say(f"WARNING: the site itself has no whole file for {len(missing)} hashes: {shown}{' …'[: len(missing)]}")


def _copy_files(folder: Folder, hashes: Path) -> tuple[int, list[str]]:
    """Return how many were copied, and the hashes of those that the site lacks, too."""
    copied, missing = 0, []
    for batch in in_batches(sha256 for sha256 in hashes_in(hashes) if not folder.has(sha256)):
        found: dict[str, bytes] = {}
        for sha256 in batch:
            try:
                found[sha256] = file_store.get(sha256)
            except (file_store.FileMissingError, file_store.FileDamagedError):
                missing.append(sha256)
        folder.put(found)
        copied += len(found)
    return copied, missing


def _parts(target: Path) -> dict[str, str]:
    """Sync the files to disk as well."""
    digests = {}
    for path in sorted(target.iterdir()):
        with path.open("rb") as file:
            os.fsync(file.fileno())
        digests[path.name] = file_store.digest_of_file(path)
    return digests


def applied_migrations() -> list[list[str]]:
    return sorted([app, name] for app, name in MigrationRecorder(connection).applied_migrations())


def digest_of_secret() -> str:
    """Return what tells whether two sites have the same SECRET_KEY, and nothing else of it."""
    return hmac.new(settings.SECRET_KEY.encode(), b"config.backup", hashlib.sha256).hexdigest()


def _revision() -> str:
    try:
        done = subprocess.run(
            ["git", "rev-parse", "HEAD"],  # noqa: S607 - the git of whoever runs the command
            cwd=settings.BASE_DIR,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:  # there is no git
        return ""
    return done.stdout.strip()
