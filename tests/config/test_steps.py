"""The steps before a start of the site."""

from __future__ import annotations

import gettext
import os
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

from config.site import preparing

CATALOGUE = """\
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\n"

msgid "Mines"
msgstr "地雷"
"""


@pytest.fixture
def catalogue(tmp_path: Path, settings: Settings) -> Path:
    source = tmp_path / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True)
    source.write_text(CATALOGUE)
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    return source


def test_catalogues_are_compiled_without_gettext_programs(catalogue: Path) -> None:
    preparing.compile_translations()
    with catalogue.with_suffix(".mo").open("rb") as file:
        assert gettext.GNUTranslations(file).gettext("Mines") == "地雷"


def test_a_changed_catalogue_is_compiled_again(catalogue: Path) -> None:
    preparing.compile_translations()
    catalogue.write_text(CATALOGUE.replace("地雷", "雷"))
    later = catalogue.with_suffix(".mo").stat().st_mtime + 10

    os.utime(catalogue, (later, later))
    preparing.compile_translations()
    with catalogue.with_suffix(".mo").open("rb") as file:
        assert gettext.GNUTranslations(file).gettext("Mines") == "雷"


@pytest.mark.django_db
def test_prepare_does_every_step(tmp_path: Path, settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    settings.STATIC_ROOT = tmp_path / "static"
    call_command("prepare")
    assert (settings.STATIC_ROOT / "admin").is_dir()
    assert capsys.readouterr().out.count("done in") == 3
