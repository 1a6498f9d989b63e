from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from django.core.cache import cache
from django.core.management import call_command
from django.db.migrations.loader import MigrationLoader

from config.backup import tables
from config.backup.folder import BackupError, Folder, Manifest, hashes_in, in_batches
from config.backup.making import applied_migrations, digest_of_secret
from config.site.alone import only_one_prepares
from config.site.supervisor import Say
from players.db.changes import begin_anew
from players.models import Player, User
from replays.models import Replay, file_store, store_mark
from replays.play.models import LiveGame, Room

_SHOWN: Final = 20


def restore(root: Path, say: Say, *, verify: bool) -> None:
    """Change nothing unless the backup is whole and fits."""
    folder = Folder(root)
    manifest = folder.read_manifest()
    _check_fit(manifest)
    _raise_if(list(_damaged(folder, manifest)), f"The backup in {root} is damaged")
    with only_one_prepares():
        call_command("migrate", interactive=False, verbosity=0)
        _check_empty()
        for batch in in_batches(_present(folder, manifest)):
            file_store.put_many({sha256: data for sha256 in batch if (data := folder.get(sha256)) is not None})
        tables.load(folder.root / manifest.database, manifest.sequences)
        store_mark.put_back()
        cache.clear()
    say(f"The backup of {manifest.made_at} is restored: {manifest.files} files, {len(manifest.tables)} tables.")
    if manifest.secret != digest_of_secret():
        say("WARNING: SECRET_KEY is not that of the backup: second factors cannot be read, and sessions end.")
    if verify:
        _raise_if(list(_differences(folder, manifest)), "The site differs from the backup")
        say("Verified: every table has the rows of the backup, and every file its hash.")
    begin_anew()  # last: it adds a row


def _raise_if(found: list[str], what: str) -> None:
    if found:
        more = f" … and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        raise BackupError(f"{what}: {', '.join(found[:_SHOWN])}{more}.")


def _check_fit(manifest: Manifest) -> None:
    ours = {(app, name) for app, name in MigrationLoader(None).disk_migrations}
    theirs = {(app, name) for app, name in manifest.migrations}
    if ours != theirs:
        names = ", ".join(".".join(key) for key in sorted(ours ^ theirs)[:_SHOWN])
        raise BackupError(
            f"The backup was made by another version, whose migrations differ ({names}). Check out that version"
            f" ({manifest.revision or 'git does not know which'}), restore with it, and update afterwards."
        )


def _check_empty() -> None:
    if applied_migrations() != sorted([app, name] for app, name in MigrationLoader(None).disk_migrations):
        raise BackupError("The database has migrations that this version does not know.")
    if held := [model.__name__ for model in (User, Player, Replay, LiveGame, Room) if model.objects.exists()]:
        raise BackupError(f"The site is not empty ({', '.join(held)}): a backup is restored into an empty one alone.")


def _present(folder: Folder, manifest: Manifest) -> Iterator[str]:
    missing = set(manifest.missing)
    return (sha256 for sha256 in hashes_in(folder.list_of(manifest.database)) if sha256 not in missing)


def _damaged(folder: Folder, manifest: Manifest) -> Iterator[str]:
    for name, digest in manifest.parts.items():
        if file_store.digest_of_file(folder.root / manifest.database / name) != digest:
            yield f"{manifest.database}/{name}"
    if not folder.list_of(manifest.database).is_file():
        return
    count = 0
    for sha256 in _present(folder, manifest):
        count += 1
        if folder.get(sha256) is None:
            yield f"files/{file_store.path_of(sha256)}"
    if count != manifest.files:
        yield f"{count} files in place of {manifest.files}"


def _differences(folder: Folder, manifest: Manifest) -> Iterator[str]:
    now = tables.contents()
    for table in sorted(now.keys() | manifest.tables.keys()):
        if now.get(table) != manifest.tables.get(table):
            yield f"table {table}"
    for sha256 in _present(folder, manifest):
        try:
            file_store.get(sha256)
        except (file_store.FileMissingError, file_store.FileDamagedError):
            yield f"file {sha256}"
