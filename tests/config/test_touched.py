"""The tests that ``make test CHANGED=1`` runs."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.touched import MOST_ROOMS, PRODUCT, ROOT, touched_by


def test_a_view_touches_its_room_and_its_pages() -> None:
    found = touched_by(["replays/watch/film/views.py"])
    assert found is not None
    assert {"tests/replays/watch/film", "tests/e2e/test_film_page.py"} <= set(found)
    assert not [path for path in found if path.startswith(("tests/players", "tests/analysis"))]


def test_a_module_touches_the_rooms_that_import_it() -> None:
    found = touched_by(["replays/watch/review/selectors.py"])
    assert found is not None
    assert {"tests/replays/watch/review", "tests/replays/watch/training"} <= set(found)


def test_templates_scripts_and_styles_touch_their_room() -> None:
    for path in (
        "templates/replays/watch/film/film.html",
        "replays/static/watch/film/board.js",
        "replays/static/watch/film/look/film.css",
    ):
        found = touched_by([path])
        assert found is not None
        assert "tests/e2e/test_film_page.py" in found, path


def test_a_test_touches_itself_and_a_helper_the_tests_that_use_it() -> None:
    assert touched_by(["tests/config/test_touched.py"]) == ["tests/config/test_touched.py"]
    found = touched_by(["tests/naive_zini.py"])
    assert found
    assert all(path.startswith("tests/") for path in found)


def test_a_page_of_docs_touches_the_tests_that_name_it() -> None:
    assert "tests/config/test_deploy.py" in (touched_by(["docs/deploy.md"]) or [])


def test_what_everything_needs_touches_everything() -> None:
    assert touched_by(["pyproject.toml"]) is None
    assert touched_by(["players/models/__init__.py"]) is None, f"more than {MOST_ROOMS} rooms"


def test_no_module_of_the_site_is_passed_over() -> None:
    """Except what only declares, every file touches a test that exists."""
    files = subprocess.run(["git", "ls-files", *PRODUCT], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    modules = [
        name for name in files.splitlines()
        if name.endswith(".py") and "/migrations/" not in name and Path(ROOT, name).read_text().strip()
    ]  # fmt: skip
    assert len(modules) > 500
    touched = {name: touched_by([name]) for name in modules}
    assert [name for name, paths in touched.items() if paths == []] == []
    assert {path for paths in touched.values() for path in paths or [] if not Path(ROOT, path).exists()} == set()
