"""docs/deploy/install.sh: the steps that need no root and no systemd, in a fresh folder; and the units that it installs."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from config.env import VARIABLES
from tests.config.test_deploy import ROOT, UNITS

HOST = "site.example"
SCRIPT = UNITS / "install.sh"
PARTS = ("web", "worker", "beat", "referee")
_SYSTEMD = shutil.which("systemd-analyze")
#: Exposure by `systemd-analyze security`, from 0 to 10; without the drop-in it is 9.2.
MOST_EXPOSED = 2.0


def install(folder: Path, *steps: str, host: str = HOST) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"SWEEPBOOK_ROOT": str(folder)}
    done = subprocess.run(
        [str(SCRIPT), host, *steps], env=environment, capture_output=True, text=True, check=False, cwd="/"
    )
    assert done.returncode == 0, done.stderr
    return done


def settings_file(folder: Path) -> Path:
    return folder / "etc" / "sweepbook" / "sweepbook.env"


def units_below(folder: Path) -> Path:
    return folder / "etc" / "systemd" / "system"


def test_the_settings_are_those_of_a_public_site(tmp_path: Path) -> None:
    install(tmp_path, "folders", "settings")
    file = settings_file(tmp_path)
    given = dict(line.split("=", 1) for line in file.read_text().splitlines() if not line.startswith("#"))
    assert given.keys() <= {variable.name for variable in VARIABLES}
    assert re.fullmatch(r"[0-9a-f]{96}", given["SECRET_KEY"])
    assert (given["ALLOWED_HOSTS"], given["HTTPS"], given["NUM_PROXIES"]) == (HOST, "true", "1")
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "var" / "lib" / "sweepbook").stat().st_mode) == 0o700


def test_a_second_run_keeps_the_secret(tmp_path: Path) -> None:
    install(tmp_path, "folders", "settings", "certificate")
    before = settings_file(tmp_path).read_text()
    key = (tmp_path / "etc" / "sweepbook" / "tls" / "privkey.pem").read_bytes()
    assert "stays as it is" in install(tmp_path, "folders", "settings", "certificate").stdout
    assert settings_file(tmp_path).read_text() == before
    assert (tmp_path / "etc" / "sweepbook" / "tls" / "privkey.pem").read_bytes() == key


def test_two_sites_have_two_secrets(tmp_path: Path) -> None:
    for name in ("a", "b"):
        install(tmp_path / name, "folders", "settings")
    assert (
        settings_file(tmp_path / "a").read_text().splitlines()[1]
        != settings_file(tmp_path / "b").read_text().splitlines()[1]
    )


@pytest.mark.parametrize("host", ["", "-h", "a b", "a;reboot", "$(reboot)", "a/../b", "a|b", "example.org\nx"])
def test_a_host_that_is_none_is_refused(tmp_path: Path, host: str) -> None:
    """It gets into the settings and into the configuration of nginx."""
    command = [str(SCRIPT), host, "folders", "settings"]
    done = subprocess.run(
        command, env=os.environ | {"SWEEPBOOK_ROOT": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_step_is_refused_before_the_first(tmp_path: Path) -> None:
    command = [str(SCRIPT), HOST, "folders", "everything"]
    done = subprocess.run(
        command, env=os.environ | {"SWEEPBOOK_ROOT": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, list(tmp_path.iterdir())) == (2, [])
    assert "STEPS: packages" in done.stdout


def test_the_document_names_every_step() -> None:
    [steps] = re.findall(r"^STEPS=\((.+)\)$", SCRIPT.read_text(), re.MULTILINE)
    document = (ROOT / "docs" / "deploy.md").read_text()
    assert [step for step in steps.split() if f"| `{step}` |" not in document] == []


def test_the_units_run_the_code_of_this_folder_as_a_user_of_their_own(tmp_path: Path) -> None:
    install(tmp_path, "units")
    for part in PARTS:
        text = (units_below(tmp_path) / f"sweepbook-{part}.service").read_text()
        assert f"ExecStart={ROOT}/.venv/bin/" in text
        assert "/srv/" not in text
    common = (units_below(tmp_path) / "sweepbook-.service.d" / "hardening.conf").read_text().splitlines()
    assert f"WorkingDirectory={ROOT}" in common
    assert {"User=sweepbook", "NoNewPrivileges=true", "ProtectSystem=strict", "PrivateTmp=true"} <= set(common)
    named = [line.split("=", 1)[1] for line in common if line.startswith("Environment=")]
    assert f"ENV_FILE={settings_file(tmp_path)}" in named
    assert f"NUMBA_CACHE_DIR={tmp_path}/var/cache/sweepbook/kernels" in named


def test_nothing_is_written_into_the_folder_of_the_code() -> None:
    """ProtectSystem=strict forbids it: the clock's file and the kernels have places of their own."""
    beat = (UNITS / "sweepbook-beat.service").read_text()
    assert "--schedule /var/lib/sweepbook/beat" in beat
    common = (UNITS / "hardening.conf").read_text()
    assert "StateDirectory=sweepbook\n" in common
    assert "CacheDirectory=sweepbook\n" in common


def test_the_command_runs_manage_py_with_the_settings_of_the_site(tmp_path: Path) -> None:
    install(tmp_path, "command")
    text = (tmp_path / "usr" / "local" / "bin" / "sweepbook").read_text()
    assert f"cd {ROOT}\n" in text
    assert f"ENV_FILE={settings_file(tmp_path)} " in text
    assert 'manage.py "$@"' in text


@pytest.mark.skipif(_SYSTEMD is None, reason="systemd-analyze is not installed")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    install(tmp_path, "units")
    folder = units_below(tmp_path)
    environment = os.environ | {"SYSTEMD_UNIT_PATH": f"{folder}:"}
    files = [str(path) for path in sorted(folder.glob("sweepbook-*.*")) if path.is_file()]
    assert len(files) == len(PARTS) + 1
    done = subprocess.run(
        [str(_SYSTEMD), "verify", *files], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@pytest.mark.skipif(_SYSTEMD is None, reason="systemd-analyze is not installed")
@pytest.mark.parametrize("part", PARTS)
def test_the_units_are_shut_in(tmp_path: Path, part: str) -> None:
    install(tmp_path, "units")
    folder = units_below(tmp_path)
    done = subprocess.run(
        [str(_SYSTEMD), "security", "--offline=true", f"--threshold={MOST_EXPOSED * 10:.0f}",
         str(folder / f"sweepbook-{part}.service")],
        env=os.environ | {"SYSTEMD_UNIT_PATH": f"{folder}:"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-500:] + done.stderr
