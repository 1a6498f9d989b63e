"""Scripts and styles as they are collected: minified, hashed and compressed."""

from __future__ import annotations

import gzip
import json
import posixpath
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.http import HttpResponse
from pytest_django import Settings
from rjsmin import jsmin
from whitenoise.middleware import WhiteNoiseMiddleware

from config.static_files import StaticFilesStorage, short_style
from tests.cases import check_each

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "replays" / "static"
OURS = sorted(path for app in ("config", "players", "replays") for path in (ROOT / app / "static").rglob("*.js"))
SOURCES = {path.as_posix().partition("/static/")[2]: path for path in OURS}
NAMES = [path.as_posix().rpartition("/static/")[2] for path in OURS]


def collected(folder: Path, *names: str) -> StaticFilesStorage:
    """The files in ``folder``, as ``collectstatic`` leaves them there."""
    storage = StaticFilesStorage(location=folder, base_url="/static/")
    paths: dict[str, Any] = {}
    for finder in finders.get_finders():
        for name, source in finder.list([]):
            if name in names:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source.path(name), folder / name)
                paths[name] = (source, name)
    assert set(paths) == set(names)
    for _name, _hashed, processed in storage.post_process(paths):
        assert not isinstance(processed, Exception)
    return storage


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> StaticFilesStorage:
    """All of our scripts, collected."""
    return collected(tmp_path_factory.mktemp("static"), *NAMES)


def test_our_scripts_are_minified_before_they_are_hashed_and_compressed(tmp_path: Path) -> None:
    name = "watch/film/decode.js"
    storage = collected(tmp_path, name)
    text = (STATIC / name).read_text()
    script = jsmin(text)
    assert text.startswith("// ")
    assert "// " not in script
    for served in (name, storage.stored_name(name)):
        assert (tmp_path / served).read_text() == script
        assert gzip.decompress((tmp_path / f"{served}.gz").read_bytes()).decode() == script
    assert storage.stored_name(name) == storage.hashed_name(name) != name


def test_scripts_import_others_by_hashed_names(scripts: StaticFilesStorage) -> None:
    folder = Path(scripts.location)

    def imports_by_hashed_names(name: str) -> None:
        named, hashed = (named_in((folder / at).read_text(), name) for at in (name, scripts.stored_name(name)))
        assert hashed == [scripts.hashed_files[other] for other in named]
        assert all((folder / other).is_file() for other in hashed)
        computed = re.findall(r"\bimport\((?!\").*?\)", (folder / name).read_text())
        allowed = ["import(address+again)"] if name == "watch/film/viewer.js" else []
        assert computed == allowed, "no pattern can follow it"

    assert len(NAMES) > 50
    check_each(imports_by_hashed_names, NAMES)


def named_in(text: str, name: str) -> list[str]:
    """The scripts that this one, of that name, imports or names to be imported."""
    return [
        posixpath.normpath(f"{posixpath.dirname(name)}/{at}") for at in re.findall(r"[\"\'`](\.[^\"\'`\n]*\.js)", text)
    ]


def test_hashed_scripts_are_cached_for_ever(scripts: StaticFilesStorage, settings: Settings) -> None:
    settings.STATIC_ROOT = scripts.location
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "config.static_files.StaticFilesStorage"}}
    served = WhiteNoiseMiddleware(lambda _request: HttpResponse()).files
    for name, hashed in scripts.hashed_files.items():
        old, new = (dict(served[f"/static/{at}"].get_response("HEAD", {}).headers) for at in (name, hashed))
        assert old["Cache-Control"] == "max-age=60, public"
        assert new["Cache-Control"] == "max-age=315360000, public, immutable"


def test_scripts_of_packages_stay_as_they_are(tmp_path: Path) -> None:
    name = "admin/js/core.js"
    collected(tmp_path, name)
    found = finders.find(name)
    assert isinstance(found, str)
    assert (tmp_path / name).read_bytes() == Path(found).read_bytes()


def test_styles_lose_comments_and_white_space_alone(tmp_path: Path) -> None:
    name = "web/layout.css"
    storage = collected(tmp_path, name)
    found = finders.find(name)
    assert isinstance(found, str)
    text, short = Path(found).read_text(), (tmp_path / storage.stored_name(name)).read_text()
    assert len(short) < 0.9 * len(text)
    assert "/*" not in short
    assert short.count("{") == short.count("}") == re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL).count("{")
    assert gzip.decompress((tmp_path / f"{storage.stored_name(name)}.gz").read_bytes()).decode() == short


def test_a_style_keeps_what_its_spaces_mean() -> None:
    style = """
      /* a "comment" */
      .a :is(b, c)  > d , .e:hover { margin: 0 -4px ; width: calc(100% - 2px); }
      @media (width > 1px) and (hover) { .f::after { content: "; /* no */ {  } " attr(x); } }
    """
    assert short_style(style) == (
        ".a :is(b,c) > d,.e:hover{margin: 0 -4px;width: calc(100% - 2px);}"
        '@media (width > 1px) and (hover){.f::after{content: "; /* no */ {  } " attr(x);}}'
    )
    assert short_style(short_style(style)) == short_style(style)


def test_collecting_again_changes_nothing(scripts: StaticFilesStorage) -> None:
    folder = Path(scripts.location)
    before = {path.name: path.read_bytes() for path in folder.rglob("*.js")}
    assert collected(folder, *NAMES).hashed_files == scripts.hashed_files
    assert {path.name: path.read_bytes() for path in folder.rglob("*.js")} == before


def test_no_template_stands_inside_of_a_template() -> None:
    """In such text rjsmin, which reads no grammar, takes spaces away."""
    assert [str(script) for script in OURS if re.search(r"\$\{[^}`]*`", script.read_text())] == []


def imported(name: str) -> set[str]:
    """A script and what it imports before it runs, and so on."""
    found, todo = set(), [name]
    while todo:
        script = todo.pop()
        found.add(script)
        names = re.findall(r'^import .* from "(.*)";$', SOURCES[script].read_text(), re.MULTILINE)
        todo += [
            at for at in (posixpath.normpath(f"{posixpath.dirname(script)}/{one}") for one in names) if at not in found
        ]
    return found


def test_scripts_of_the_first_view_of_a_film(scripts: StaticFilesStorage) -> None:
    """At most 12 KiB travel; each is asked for at once, before one of them is read."""
    names = imported("watch/film/viewer.js")
    sizes = {name: Path(scripts.path(f"{scripts.stored_name(name)}.gz")).stat().st_size for name in names}
    assert sum(sizes.values()) <= 12 * 1024, sizes
    page = (ROOT / "templates" / "replays" / "watch" / "film" / "_film_scripts.html").read_text()
    assert set(re.findall(r'rel="modulepreload" href="{% static "(\S+)" %}"', page)) == names - {"watch/film/viewer.js"}


def test_scripts_of_its_use_are_asked_for_at_once() -> None:
    viewer = (STATIC / "watch" / "film" / "viewer.js").read_text()
    listed = re.search(r"^const USED = (\[.*\]);$", viewer, re.MULTILINE)
    assert listed is not None
    needed = imported("watch/film/use.js") - imported("watch/film/viewer.js")
    assert {posixpath.normpath(f"watch/film/{name}") for name in json.loads(listed[1])} == needed
    assert json.loads(listed[1])[0] == "./use.js"
