"""The settings that are read from environment variables, in one table.

``.env.example`` documents the same names; a test compares the two.  All that cannot be read is told at once, one line each,
and ends the process (:func:`require_readable`).
"""

from __future__ import annotations

import difflib
import math
import os
import re
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass
from email.utils import parseaddr
from pathlib import Path
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from analysis.limits import LEAST_COMPLETION_PERCENT
from config import redis_urls

BASE_DIR = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Variable:
    """``default``: None where the application has one."""

    name: str
    read: Callable[[str], Any]
    default: Any
    doc: str


def _boolean(text: str) -> bool:
    lowered = text.strip().lower()
    if lowered in {"1", "true", "yes", "on"}:
        return True
    if lowered in {"0", "false", "no", "off", ""}:
        return False
    raise ValueError("expected true or false")


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


Limit: TypeAlias = tuple[str, str, str, float]  # level, statistic, "<" or ">", bound

_MINIMUM_3BV = {"beginner": 2, "beginner-9x9": 2, "intermediate": 30, "expert": 100}


def _levels(text: str) -> dict[str, int]:
    """``beginner=2,expert=100`` as a mapping; a level that is not named keeps its default."""
    given = {name.strip(): _natural(number) for name, number in (pair.split("=") for pair in _words(text))}
    if unknown := given.keys() - _MINIMUM_3BV.keys():
        raise ValueError(f"no such level: {', '.join(sorted(unknown))}")
    return _MINIMUM_3BV | given


def _completion(text: str) -> int:
    percent = int(text)
    if not LEAST_COMPLETION_PERCENT <= percent <= 99:
        raise ValueError(f"expected a number from {LEAST_COMPLETION_PERCENT} to 99")
    return percent


_LIMIT = re.compile(r"([\w-]+)\.(\w+)\s*([<>])\s*(\S+)", re.ASCII)
_NONE = "none"


def _list_of(read: Callable[[list[str]], Any]) -> Callable[[str], Any]:
    """A parser of lists; the word ``none`` is an empty list, since an empty text means the default."""
    return lambda text: read([] if text.strip() == _NONE else _words(text))


def _formats(words: list[str]) -> list[str]:
    from analysis.formats import FORMATS  # late: most starts need neither the registry nor numpy

    known = [module.NAME for module in FORMATS]
    if unknown := set(words) - set(known):
        raise ValueError(f"no such format: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    return words


def _limits(words: list[str]) -> list[Limit]:
    """``expert.time<20,expert.bvs>10`` as rows of level, statistic, sign and bound."""
    return [_limit(word) for word in words]


def _limit(text: str) -> Limit:
    from analysis.statistics import BY_ANY_NAME  # late, as above

    match = _LIMIT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text} is not of the form level.statistic<number or level.statistic>number")
    level, statistic, sign, number = match.groups()
    if level not in _MINIMUM_3BV:
        raise ValueError(f"no such level: {level}; there are {', '.join(_MINIMUM_3BV)}")
    row = BY_ANY_NAME.get(statistic)
    if row is None or not row.stored:
        raise ValueError(f"no such statistic: {statistic}")
    bound = float(number)
    if not math.isfinite(bound):
        raise ValueError(f"{text} has no finite number")
    return level, row.name, sign, bound


def _provisional_limits(words: list[str]) -> list[Limit]:
    """Read :func:`_limits` of ranked statistics that a game has when it is stored, each towards its better end."""
    from analysis.statistics import BY_NAME, StatKind

    found = _limits(words)
    for level, statistic, sign, _bound in found:
        row = BY_NAME[statistic]
        if not row.ranked or row.kind is StatKind.LUCK or level not in row.levels:
            raise ValueError(f"{statistic} has no board on {level}, or is known only after a game has its place")
        if (sign == "<") is not (row.better == "low"):
            raise ValueError(f"{level}.{statistic}{sign}: the better values of {statistic} are on the other side")
    if len({limit[:2] for limit in found}) < len(found):
        raise ValueError("one limit for each level and statistic")
    return found


def _address(*schemes: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        parts = urlsplit(text)
        if parts.scheme not in schemes:
            raise ValueError(f"expected an address that begins with {', '.join(f'{name}://' for name in schemes)}")
        _ = parts.port  # raises ValueError if it is no number
        return text

    return read


def _postgresql(text: str) -> str:
    if urlsplit(text).scheme not in {"postgres", "postgresql"}:
        raise ValueError("PostgreSQL alone is supported, as postgres:// or postgresql://")
    if not urlsplit(text).path.strip("/"):
        raise ValueError("it names no database")
    return _address("postgres", "postgresql")(text)


def _redis(text: str) -> str:
    _address("redis", "rediss", *redis_urls.SOCKETS)(text)
    parts = urlsplit(text)
    if not (parts.path.strip("/") if parts.scheme in redis_urls.SOCKETS else parts.hostname):
        raise ValueError("it names no server")
    if not redis_urls.has_plain_database(text):
        raise ValueError("the database is a number")
    return text


def _site(text: str) -> str:
    parts = urlsplit(_address("http", "https")(text))
    if not parts.hostname or parts.query or parts.fragment:
        raise ValueError("expected a scheme and a host, as https://sweepbook.example")
    return text


def _mail_server(text: str) -> str:
    parts = urlsplit(_address(*environ.Env.EMAIL_SCHEMES)(text))
    if parts.scheme.startswith("smtp") and not parts.hostname:
        raise ValueError("it names no server")
    return text


def _sender(text: str) -> str:
    if not all(parseaddr(text)[1].partition("@")):
        raise ValueError("expected an e-mail address")
    return text


_HOST = re.compile(r"\.?[\w-]+(\.[\w-]+)*\.?|\[[0-9a-f:.]+\]", re.ASCII | re.IGNORECASE)


def _hosts(text: str) -> list[str]:
    """Read names of hosts; ``.example.org`` is one with all its subdomains."""
    if wrong := [host for host in _words(text) if not _HOST.fullmatch(host)]:
        raise ValueError(f"{', '.join(wrong)}: expected names alone, without scheme, port, path or *")
    return _words(text)


def _origins(text: str) -> list[str]:
    """Read origins; ``https://*.example.org`` is those of all its subdomains."""
    for origin in _words(text):
        parts = urlsplit(_address("http", "https")(origin))
        if not parts.hostname or parts.path or parts.query:
            raise ValueError(f"{origin}: expected a scheme and a host, as https://sweepbook.example")
    return _words(text)


def _folder(text: str) -> Path:
    """Read a folder that is there, or can be made, and that this process may write to."""
    path = Path(text).resolve()
    there = next(one for one in (path, *path.parents) if one.exists())
    if not there.is_dir():
        raise ValueError(f"{there} is no folder")
    if not os.access(there, os.W_OK | os.X_OK):
        raise ValueError(f"{there} may not be written to")
    return Path(text)


_ENV_FILE = BASE_DIR / ".env"


def _file(text: str) -> Path:
    path = Path(text).resolve()
    if not path.exists() and path != _ENV_FILE:
        raise ValueError("there is no such file")
    return Path(text)


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError("expected at least 1")
    return number


def _natural(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError("expected 0 or more")
    return number


_LICENCES = ("", "CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0")


def _licence(text: str) -> str:
    if text not in _LICENCES:
        raise ValueError("unknown licence")
    return text


def _log_format(text: str) -> str:
    if text not in {"text", "json"}:
        raise ValueError("expected text or json")
    return text


def _log_level(text: str) -> str:
    if text not in {"DEBUG", "INFO", "WARNING", "ERROR"}:
        raise ValueError("unknown level")
    return text


VARIABLES: tuple[Variable, ...] = (
    Variable("ENV_FILE", _file, _ENV_FILE, "file with NAME=value lines that are read before these variables"),
    Variable("DEBUG", _boolean, False, "Django's debug pages; never on a public site"),
    Variable("SECRET_KEY", str, "", "signs sessions and cursors; required unless DEBUG is on or `make run` made one"),
    Variable("SECRET_KEY_FALLBACKS", _words, [], "former values of SECRET_KEY, by which sessions and cursors are still known, as key,…"),
    Variable("ALLOWED_HOSTS", _hosts, ["localhost", "127.0.0.1", "[::1]"], "host names that the site answers to"),
    Variable("CSRF_TRUSTED_ORIGINS", _origins, [], "origins (https://…) that may post forms, behind a proxy"),
    Variable("HTTPS", _boolean, False, "the site is reached over https: secure cookies, HSTS, proxy header trusted"),
    Variable("HSTS_SUBDOMAINS", _boolean, False, "with HTTPS: browsers use https for all subdomains, too, for a year"),
    Variable("DATA_DIR", _folder, BASE_DIR / "var", "folder of the database of `make run`, replay files, broker data and logs"),
    Variable("DATABASE_URL", _postgresql, "", "PostgreSQL as postgres://user:password@host/name, by a socket postgres://user@%2Fvar%2Frun%2Fpostgresql/name; empty: the embedded one of `make run`"),
    Variable("REDIS_URL", _redis, "", "broker as redis://:password@host:port/0 or unix:///path?db=0; empty: the embedded Valkey of `make run`"),
    Variable("CACHE_URL", _redis, "", "cache, best on a server of its own that may forget; empty: database 1 of REDIS_URL"),
    Variable("NUM_PROXIES", _natural, 0, "proxies in front of the site, each of which appends to X-Forwarded-For; 0: the header is ignored"),
    Variable("FILTERED_BOARDS_MB", _count, 256, "megabytes of sub-N boards, boards of periods … that one process may keep"),
    Variable("REPLAY_BUCKET", str, "", "S3 bucket for replay files (needs django-storages[s3]); empty: DATA_DIR/replays"),
    Variable("MINIMUM_3BV", _levels, _MINIMUM_3BV,
             "smallest 3BV of a ranked game by level, as level=number,…"),
    Variable("MINIMUM_COMPLETION", _completion, 50,
             f"smallest completion of a lost game on boards of lost games, in per cent, {LEAST_COMPLETION_PERCENT} to 99"),
    Variable("JUDGE_FINDINGS", _list_of(list), None,
             "findings that make a game suspicious, as code,…; none: no finding does"),
    Variable("JUDGE_LIMITS", _list_of(_limits), None,
             "values that no player reaches, as level.statistic<number or >number,…; none: no limits"),
    Variable("RANK_OPEN_FORMATS", _list_of(_formats), [],
             "formats whose files are ranked although they prove nothing, as rawvf,…; none: staff must accept each"),
    Variable("PROVISIONAL_LIMITS", _list_of(_provisional_limits), None,
             "results so good that the game is provisional on any board, as level.statistic<number or >number,…; none: none is for that"),
    Variable("PROVISIONAL_DAYS", _natural, 14, "days after which a provisional game is final; 0: no game is provisional"),
    Variable("UPLOAD_QUOTA_FILES", _count, 20000, "replay files that one account may send in a day"),
    Variable("UPLOAD_QUOTA_MB", _count, 1024, "megabytes of new files that one account may store in a day"),
    Variable("MINIMUM_FREE_MB", _natural, 200, "with fewer megabytes free on the disk of DATA_DIR, uploads are refused and /healthz says degraded"),
    Variable("RANK_LEFT_CHORDS", _boolean, False, "games played here in which the left button alone opens neighbours are ranked"),
    Variable("RANK_TOUCH", _boolean, False, "games played here by touch are ranked"),
    Variable("KEPT_MB", _natural, 512, "megabytes of films, odds, reviews and luck that are kept beside the replay files; 0: each is computed again"),
    Variable("CLIPS_MB", _natural, 256, "megabytes of clips that are kept; those that were not asked for longest go first"),
    Variable("PLAY_SOCKETS_OF_ADDRESS", _count, 40, "sockets of live play that one address may have open"),
    Variable("STAFF_SECOND_FACTOR", _boolean, True, "staff need a second factor before they may act as staff; they are asked to set it up when they sign in"),
    Variable("ANONYMOUS_UPLOADS", _boolean, False, "accept uploads from visitors who are not signed in"),
    Variable("WORKER_PROCESSES", _count, 1, "analysis processes of the worker that `make run` starts"),
    Variable("DEFAULT_FROM_EMAIL", _sender, "sweepbook@localhost", "sender of account e-mail"),
    Variable("EMAIL_URL", _mail_server, "consolemail://", "how account e-mail is sent, as smtp+tls://user:password@host:587; consolemail:// sends none"),
    Variable("SITE_URL", _site, "http://localhost:8000", "public address of the site, for feeds and e-mail"),
    Variable("SITE_CONTACT", str, "", "how to reach who runs the site (an e-mail address, a name …), for the pages about it and about privacy"),
    Variable("DATA_LICENCE", _licence, "", "licence of the numbers that the site computes: CC0-1.0, CC-BY-4.0 or CC-BY-SA-4.0; empty: none is named"),
    Variable("DUMP_DIR", _folder, None, "folder of the dumps of public data that /data/ offers; empty: DATA_DIR/dumps"),
    Variable("DUMPS_KEPT", _natural, 3, "dumps of public data that are kept, one a night; 0: none is made"),
    Variable("LOG_LEVEL", _log_level, "INFO", "DEBUG, INFO, WARNING or ERROR"),
    Variable("LOG_FORMAT", _log_format, "text", "text, or json: one object a line"),
    Variable("LOG_REQUESTS", _boolean, True, "one line for each request, socket and task; `make run` writes none"),
    Variable("METRICS_TOKEN", str, "", "with it, as a bearer token, /metrics is read from other machines, too; empty: from this machine alone"),
)  # fmt: skip
_BY_NAME = {variable.name: variable for variable in VARIABLES}


def value(name: str) -> Any:
    variable = _BY_NAME[name]
    text = environ.Env.ENVIRON.get(name, "")
    if text == "":
        return variable.default
    try:
        return variable.read(text)
    except (ValueError, TypeError) as error:
        shown = _PASSWORD.sub("//…@", text)
        raise ImproperlyConfigured(f"{name}={shown!r} cannot be read: {error}. It is {variable.doc}.") from error


_PASSWORD: Final = re.compile(r"//[^/]*@")
#: `manage.py check` tells what is in :data:`wrong` among all else that it finds, and ends with it.
checking = False
wrong: list[str] = []


def refuse(*lines: str) -> None:
    """End the process with ``lines``; `manage.py check` goes on, to tell all at once."""
    if lines and not checking:
        sys.exit("\n".join(lines))
    wrong.extend(lines)


def require_readable() -> None:
    """Refuse variables that cannot be read, and go on with their defaults."""
    wrong.clear()
    lines = []
    for variable in VARIABLES:
        try:
            value(variable.name)
        except ImproperlyConfigured as error:
            lines.append(" ".join(str(error).split()))
            del environ.Env.ENVIRON[variable.name]
    refuse(*lines)


_LINE: Final = re.compile(r"^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=", re.MULTILINE | re.ASCII)
_ALIKE: Final = 0.8


def misspelt() -> dict[str, str]:
    """Return names in the environment and the file that nobody reads, with the variable that each is like."""
    return {name: near for name in environ.Env.ENVIRON if (near := _near(name))}


def unknown_in_file() -> list[str]:
    """Return names in the file that nobody reads and that are like none."""
    file = value("ENV_FILE")
    names = _LINE.findall(file.read_text(errors="replace")) if file.is_file() else []
    return [name for name in names if name not in _BY_NAME and not _near(name)]


def _near(name: str, known: Collection[str] = _BY_NAME.keys()) -> str:
    if name in known:
        return ""
    return next(iter(difflib.get_close_matches(name.upper(), known, 1, _ALIKE)), "")


# A missing file is fine, unless it was named: then `require_readable` tells of it.  The process environment wins.
environ.Env.read_env(environ.Env.ENVIRON.get("ENV_FILE") or _BY_NAME["ENV_FILE"].default)
