"""Triggers that write the feed of changes (``players.models.Change``) and ``updated_at`` columns.

Games, players and records are written in some thirty places, many of them statements for thousands of rows.  A trigger
sees each of them, also one that is written next year, and its entry commits or fails with the row.

The triggers are not made by a migration: ``install`` runs after each ``migrate``, so that a change of what is followed
needs none.  It does nothing where the triggers are as they should be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from django.apps import AppConfig
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.signals import post_migrate, pre_migrate

_FEED: Final = "players_change"
_PREFIX: Final = "feed_"


@dataclass(frozen=True, slots=True)
class Followed:
    """A table whose rows are public things, each with an ``updated_at``.

    ``public``: the condition under which a row is public, with ``{row}`` for the row.  ``private``: columns that no
    public answer shows.  ``identity``: a text that stays the same when a row is deleted and stored again, with ``{row}``.
    """

    table: str
    thing: str
    private: tuple[str, ...] = ()
    public: str = "TRUE"
    identity: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A table whose rows show in public rows of another one, of which ``column`` holds the id: likes of a replay.

    A row that moves to another one is told of both.  ``row``: the condition on the rows that show, with ``{row}`` for the row.
    ``when``: the condition under which an update is told, and nothing else is.  ``ids``: a query of the ids, in place of ``column``.
    """

    table: str
    thing: str
    column: str
    row: str = "TRUE"
    when: str = ""
    ids: str = ""


def follow(app: AppConfig, *tables: Followed | Part) -> None:
    """Install the triggers of ``tables`` after each migration of ``app``; called when the app is ready."""

    def installed(using: str, **_signal: object) -> None:
        install(connections[using], tables)

    def cleared(using: str, plan: Iterable[tuple[Any, bool]] = (), **_signal: object) -> None:
        if any(backwards for _migration, backwards in plan):
            remove(connections[using], tables)

    # Tables are found by name and not through models, which may be newer than the database.
    uid = f"changes of {app.name}"
    pre_migrate.connect(cleared, sender=app, weak=False, dispatch_uid=uid)
    post_migrate.connect(installed, sender=app, weak=False, dispatch_uid=uid)


def install(connection: BaseDatabaseWrapper, tables: Sequence[Followed | Part]) -> None:
    """Make the triggers of ``tables``, unless the database has them as they should be."""
    present = set(connection.introspection.table_names())
    for one in tables:
        if not {_FEED, one.table} <= present:
            continue
        statements = _statements(one)
        mark = sha256("".join(statements).encode()).hexdigest()[:16]
        name = f"{_prefix(one)}_{mark}"
        if any(found.startswith(name) for found in _names(connection, one)):
            continue
        with transaction.atomic(connection.alias), connection.cursor() as cursor:
            for statement in [*_removal(connection, one), *statements]:
                cursor.execute(statement.replace("{name}", name))


def remove(connection: BaseDatabaseWrapper, tables: Sequence[Followed | Part]) -> None:
    present = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        for one in tables:
            if one.table in present:
                for statement in _removal(connection, one):
                    cursor.execute(statement)


def _prefix(one: Followed | Part) -> str:
    return f"{_PREFIX}{one.table}_{one.thing}"


def _names(connection: BaseDatabaseWrapper, one: Followed | Part) -> list[str]:
    sql = "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND tgname LIKE %s"
    with connection.cursor() as cursor:
        cursor.execute(sql, [one.table, f"{_prefix(one)}%"])
        return [name for (name,) in cursor.fetchall()]


def _removal(connection: BaseDatabaseWrapper, one: Followed | Part) -> list[str]:
    return [f"DROP TRIGGER IF EXISTS {name} ON {one.table}" for name in _names(connection, one)]


def _statements(one: Followed | Part) -> list[str]:
    if isinstance(one, Part):
        return _statements_of_part(one)
    same = " ".join(f"was.{column} := NEW.{column};" for column in (*one.private, "updated_at"))
    known = one.identity and _IDENTITY.format(old=one.identity.format(row="OLD"), new=one.identity.format(row="NEW"))
    log = _LOG.format(
        thing=one.thing, old=one.public.format(row="OLD"), new=one.public.format(row="NEW"), identity=known
    )
    name, table, stamp = _prefix(one), one.table, _STAMP.format(same=same)
    return [
        f"CREATE OR REPLACE FUNCTION {name}_log() RETURNS trigger LANGUAGE plpgsql AS $body$ {log} $body$",
        f"CREATE TRIGGER {{name}} AFTER INSERT OR UPDATE OR DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION {name}_log()",
        f"CREATE OR REPLACE FUNCTION {name}_stamp() RETURNS trigger LANGUAGE plpgsql AS $body$ {stamp} $body$",
        f"CREATE TRIGGER {name}_stamp BEFORE UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION {name}_stamp()",
    ]


def _statements_of_part(one: Part) -> list[str]:
    """A trigger for each kind of write: its condition is tested without a call, for most rows of bests show nowhere."""
    name, ids = _prefix(one), one.ids or f"SELECT {{row}}.{one.column}"
    old, new = one.row.format(row="OLD"), one.row.format(row="NEW")
    log = _PART_LOG.format(thing=one.thing, column=one.column, old=ids.format(row="OLD"), new=ids.format(row="NEW"))
    conditions = {"INSERT": new, "UPDATE": f"(({old}) OR ({new})) AND OLD IS DISTINCT FROM NEW", "DELETE": old}
    if one.when:
        conditions = {"UPDATE": one.when}
    triggers = [
        f"CREATE TRIGGER {{name}}_{event.lower()} AFTER {event} ON {one.table} FOR EACH ROW WHEN ({condition})"
        f" EXECUTE FUNCTION {name}_log()"
        for event, condition in conditions.items()
    ]
    function = f"CREATE OR REPLACE FUNCTION {name}_log() RETURNS trigger LANGUAGE plpgsql AS $body$ {log} $body$"
    return [function, *triggers]


#: The clock, not the time of the transaction: of two updates of a row, the later one has the later stamp.
_STAMP: Final = """
DECLARE was record;
BEGIN
    was := OLD; {same}
    IF was IS DISTINCT FROM NEW THEN NEW.updated_at := clock_timestamp(); ELSE NEW.updated_at := OLD.updated_at; END IF;
    RETURN NEW;
END"""
_LOG: Final = """
DECLARE was boolean := FALSE; shown boolean := FALSE; pk bigint; stamp timestamptz := clock_timestamp(); known text := '';
BEGIN
    IF TG_OP <> 'INSERT' THEN was := {old}; pk := OLD.id; END IF;
    IF TG_OP <> 'DELETE' THEN shown := {new}; pk := NEW.id; stamp := NEW.updated_at; END IF;
    IF TG_OP = 'UPDATE' THEN
        IF OLD.updated_at = NEW.updated_at THEN RETURN NULL; END IF;
    END IF;
    {identity}
    IF was OR shown THEN
        INSERT INTO players_change (thing, thing_id, kind, updated_at, identity) VALUES ('{thing}', pk,
            CASE WHEN TG_OP = 'DELETE' THEN 'deleted' WHEN NOT shown THEN 'hidden' WHEN was THEN 'changed' ELSE 'created' END,
            stamp, known);
    END IF;
    RETURN NULL;
END"""
#: What came for the first time is told without its identity.
_IDENTITY: Final = """
    IF TG_OP = 'DELETE' THEN known := {old}; END IF;
    IF TG_OP = 'INSERT' THEN
        IF EXISTS (SELECT FROM players_change WHERE identity = {new} AND identity <> '') THEN known := {new}; END IF;
    END IF;"""
_PART_LOG: Final = """
BEGIN
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO players_change (thing, thing_id, kind) SELECT '{thing}', of.id, 'changed' FROM ({new}) AS of(id);
    END IF;
    IF TG_OP = 'UPDATE' THEN
        IF OLD.{column} = NEW.{column} THEN RETURN NULL; END IF;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO players_change (thing, thing_id, kind) SELECT '{thing}', of.id, 'changed' FROM ({old}) AS of(id);
    END IF;
    RETURN NULL;
END"""
