"""The proxy of docs/deploy/nginx.conf accepts what the site accepts, waits as long, and limits what the site does one by one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import resolve
from limits import parse

from analysis.limits import ARCHIVE_MAX_BYTES, FORM_BYTES, SMALL_BODY_BYTES, WATCHED_BYTES, WATCHED_FORM_BYTES
from config.http import application, bodies, lanes, protocols
from replays.play.sockets.connection import ANSWER_SECONDS, PING_SECONDS
from replays.watch.film.services import FILM_LIMIT
from tests.config.test_deploy import UNITS
from tests.config.test_install import install

CONFIGURATION = (UNITS / "nginx.conf").read_text()


def values(directive: str, text: str = CONFIGURATION) -> list[str]:
    return re.findall(rf"^\s*{directive} ([^;]+);", text, re.MULTILINE)


def locations(text: str = CONFIGURATION) -> dict[str, str]:
    """The content of each location that passes requests on."""
    blocks = re.findall(r"^    location (.+?) \{\n(.*?)^    \}", text, re.MULTILINE | re.DOTALL)
    return {name: block for name, block in blocks if "proxy_pass" in block}


def upload_location() -> tuple[str, str]:
    return next((name, block) for name, block in locations().items() if "client_max_body_size" in block)


def test_bodies_have_the_limits_of_the_site() -> None:
    watched = WATCHED_BYTES + WATCHED_FORM_BYTES
    uploaded = ARCHIVE_MAX_BYTES + FORM_BYTES
    assert values("client_max_body_size") == [str(SMALL_BODY_BYTES), str(uploaded), str(watched)]
    name, block = upload_location()
    pattern = re.compile(name.removeprefix("~ "))
    assert all(pattern.search(path) for path in bodies.UPLOAD_PATHS)
    assert not pattern.search("/api/v1/replays/1/")
    assert values("proxy_request_buffering", block) == ["off"], (
        "a stranger's body would be on the disk before it is refused"
    )


def test_files_that_are_watched_are_not_on_the_disk_of_the_proxy() -> None:
    [(name, block)] = [(name, block) for name, block in locations().items() if "watch" in name]
    pattern = re.compile(name.removeprefix("~ "))
    assert all(pattern.search(path) for path in bodies.WATCH_PATHS)
    assert not pattern.search("/replays/1/watch/")
    assert values("proxy_request_buffering", block) == ["off"]
    assert values("proxy_max_temp_file_size", block) == ["0"], "a long answer would be on the disk until it is read"


def test_a_slow_reader_takes_little_of_the_disk_of_the_proxy() -> None:
    """Unlimited, each would have a gigabyte of an archive there."""
    assert values("proxy_max_temp_file_size", locations()["/data/"]) == ["0"]
    assert resolve("/data/files/2026-01.tar").url_name == "data-file"
    assert re.findall(r"^    proxy_max_temp_file_size (\d+)m;", CONFIGURATION, re.MULTILINE) == ["16"]


def test_what_the_proxy_refuses_is_named_as_the_site_names_it() -> None:
    """Else a program gets a page of nginx in place of a problem."""
    for status, name in (("413", "too_large"), ("429", "too_many")):
        assert f"error_page {status} = @{name};" in CONFIGURATION
        [body] = re.findall(rf"location @{name} \{{.*?return {status} '(.+?)';", CONFIGURATION, re.DOTALL)
        assert json.loads(body)["status"] == int(status)
    assert json.loads(re.findall(r"return 413 '(.+?)';", CONFIGURATION)[0])["code"] == "body_too_large"


def test_pages_of_other_origins_read_what_the_proxy_refuses() -> None:
    """Without the header a browser tells them of an error of the network, and they try again at once."""
    for name, exposed in (("too_large", []), ("too_many", ["Retry-After"])):
        [block] = re.findall(rf"location @{name} \{{(.*?)^    \}}", CONFIGURATION, re.DOTALL | re.MULTILINE)
        assert values("add_header Access-Control-Allow-Origin", block) == ["* always"]
        assert values("add_header Access-Control-Expose-Headers", block) == [f"{header} always" for header in exposed]


def test_slow_visitors_have_the_time_of_the_site() -> None:
    assert values("client_body_timeout") == [f"{bodies._IDLE_SECONDS:.0f}s"]
    assert values("client_header_timeout") == [f"{protocols.HEAD_SECONDS:.0f}s"]
    assert values("send_timeout") == [f"{application.SEND_SECONDS}s"]


def test_what_is_computed_has_a_rate_of_its_own() -> None:
    [(name, block)] = [(name, block) for name, block in locations().items() if "zone=computed" in block]
    assert name == f"~ {lanes.COMPUTED_PATHS.pattern}"
    [rate] = re.findall(r"zone=computed:\S+ rate=(\d+)r/s", CONFIGURATION)
    assert int(rate) * 60 == parse(FILM_LIMIT.rate).amount
    assert values("limit_req", block) == ["zone=computed burst=60 nodelay"]


def test_forms_with_a_password_and_the_schema_have_rates_of_their_own() -> None:
    [(name, block)] = [(name, block) for name, block in locations().items() if "zone=passwords" in block]
    assert name == f"~ {lanes.PASSWORD_PATHS.pattern}"
    assert values("limit_req", block) == ["zone=pages burst=200 nodelay", "zone=passwords burst=10 nodelay"]
    assert resolve("/api/v1/schema").url_name == "api-schema"
    assert values("limit_req", locations()["= /api/v1/schema"]) == ["zone=schema burst=5 nodelay"]


def test_an_address_may_have_all_its_sockets() -> None:
    [most] = values("limit_conn")
    assert int(most.split()[1]) >= 2 * settings.PLAY_SOCKETS_OF_ADDRESS


def test_a_silent_socket_outlives_its_pings() -> None:
    block = locations()["/ws/"]
    [seconds] = values("proxy_read_timeout", block)
    assert int(seconds.removesuffix("s")) > ANSWER_SECONDS + max(PING_SECONDS)
    assert "Upgrade $http_upgrade" in block


@pytest.mark.parametrize("location", sorted(locations()))
def test_no_location_lets_a_visitor_choose_an_address(location: str) -> None:
    """A location with a header of its own inherits none of the others."""
    block = locations()[location]
    if "proxy_set_header" in block:
        assert "X-Forwarded-For $proxy_add_x_forwarded_for" in block
        assert "X-Forwarded-Proto $scheme" in block
        assert "Host $host" in block


def test_no_query_is_logged() -> None:
    """It may have a secret."""
    [log] = re.findall(r"^log_format (.*?);", CONFIGURATION, re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"\$(\w+)", log))
    assert not named & {"request", "request_uri", "args", "query_string", "http_referer", "http_cookie", "uri"}
    assert len(values("access_log")) == CONFIGURATION.count("server {")


@pytest.mark.skipif(shutil.which("nginx", path="/usr/sbin:/usr/bin") is None, reason="nginx is not installed")
def test_nginx_accepts_it(tmp_path: Path) -> None:
    install(tmp_path, "folders", "certificate", "nginx")
    main = tmp_path / "nginx.conf"
    main.write_text(
        f"pid {tmp_path}/pid; error_log stderr;\nevents {{}}\nhttp {{ include {tmp_path}/etc/nginx/sites-enabled/*; }}\n"
    )
    nginx = shutil.which("nginx", path="/usr/sbin:/usr/bin")
    done = subprocess.run([str(nginx), "-t", "-c", str(main)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "warn" not in done.stderr
