"""axe-core finds nothing serious or critical on any kind of page, light, dark and on a phone."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Page, expect

from analysis import fair
from analysis.recording import Level
from players.models import Player, User
from replays.models import Replay
from replays.play.models import LiveGame
from tests.e2e.conftest import Visit, sign_in
from tests.e2e.site import Site
from tests.e2e.test_browser import put
from tests.factories import stored_replay
from tests.pages.conftest import MakePlayers, board_of, make_players, rank  # noqa: F401 - a fixture
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file

pytestmark = pytest.mark.usefixtures("luck_compiled")

#: Pages for everybody; ``{player}`` has games on every level, ``{replay}`` was read from a file.
PUBLIC = (
    "/",
    "/leaderboards/",
    "/leaderboards/expert/time/?value=45",
    "/leaderboards/expert/bvs/?period=2024&min_3bv=3&best_of=1",
    "/leaderboards/expert/time/?period=abc&value=x",
    "/leaderboards/combined/time/",
    "/leaderboards/sub/expert/60/",
    "/leaderboards/expert/time/?columns=gap,bv,bvs,style,trend,date,age,film",
    "/leaderboards/countries/expert/time/",
    "/leaderboards/improvements/expert/",
    "/leaderboards/expert/time/history/",
    "/records/",
    "/records/holders/",
    "/players/",
    "/players/{player}/",
    "/players/{player}/charts/calendar/",
    "/players/{player}/charts/pair/",
    "/players/{player}/charts/ladder/",
    "/players/{player}/versus/{ranked_player}/",
    "/players/{player}/by-3bv/expert/time/",
    "/players/{player}/progress/expert/time/",
    "/replays/",
    "/replays/{replay}/",
    "/replays/{suspicious}/",
    "/replays/{replay}/comments/",
    "/compare/",
    "/compare/?a={replay}",
    "/compare/?a={replay}&b={other}&t=5",
    "/compare/?a={replay}&b={replay}&layout=ghost&t=5",
    "/embed/replays/{replay}/",
    "/embed/replays/{replay}/?t=1&layers=zini,odds",
    "/statistics/",
    "/search/?q=time",
    "/tools/",
    "/tools/probability/",
    "/tools/probability/?position=1x/..&mines=1",
    "/tools/one-and-two/",
    "/tools/laying/",
    "/tools/laying/?step=1",
    "/play/rooms/",
    "/upload/",
    "/help/",
    "/help/replay-files/",
    "/help/ranking/",
    "/help/glossary/",
    "/help/about/",
    "/help/privacy/",
    "/help/licence/",
    "/help/evidence/",
    "/play/",
    "/play/beginner/",
    "/play/expert/?rules=no-guess",
    "/play/custom/?rows=3&columns=3&mines=99",
    "/play/games/{live}/",
    "/play/verify/?game={live}",
    "/sign-in/",
    "/sign-up/",
    "/account/deleted/",
    "/nothing-here/",
)
#: Pages of a signed-in member of the staff who owns a player with games.
PRIVATE = (
    "/",
    "/account/uploads/",
    "/account/uploads/?state=rejected",
    "/leaderboards/expert/time/",
    "/leaderboards/expert/time/?player={player}",
    "/play/expert/",
    "/account/",
    "/upload/",
    "/replays/?uploader=me&status=any",
    "/replays/{suspicious}/",
    "/replays/{ranked}/object/",
    "/staff/judgements/",
)
LOOKS = {
    "light": {"width": 1280, "color_scheme": "light"},
    "dark": {"width": 1280, "color_scheme": "dark"},
    "phone": {"width": 390, "height": 844, "color_scheme": "light"},
}
#: What axe looks for.  The structure of a page is the same in both colour schemes, and its colours are the same at both
#: widths: all rules run in light, only contrast in dark, all but contrast on a phone.
RULES: dict[str, dict[str, Any]] = {
    "light": {},
    "dark": {"runOnly": ["color-contrast"]},
    "phone": {"rules": {"color-contrast": {"enabled": False}}},
}
_BAD = {"serious", "critical"}


@pytest.fixture
def tolerated() -> list[str]:
    return ["status of 4", "Status Error Code 4"]  # a browser tells every refusal on its console


@pytest.fixture
def places(make_players: MakePlayers, staff: User, store: Path) -> dict[str, object]:  # noqa: F811 - the fixtures
    """A small site in which every part of a page shows something: numbers for the addresses above."""
    first, *_others = make_players(12)
    owned = Player.objects.create(name="Owner of the page", user=staff)
    common: dict[str, Any] = {"board": board_of(Level.EXPERT), "uploader": staff}
    rank(*(stored_replay(owned, time_ms=time_ms, bv=bv, **common) for time_ms, bv in ((61_000, 150), (60_000, 160))))
    stored_replay(owned, ranked=False, win=False, result=Replay.Result.LOST, **common)
    limit = {"statistic": "time", "sign": "<", "bound": 40, "value": 35}
    suspicious = stored_replay(
        owned, ranked=False, judgement=Replay.Judgement.SUSPICIOUS, judgement_code="limit", judgement_params=limit,
        findings=[{"code": "unfinished", "text": "The recording ends before the game is decided."}], **common,
    )  # fmt: skip
    game, other = put(game_file(1, Level.EXPERT)), put(game_file(2))
    ranked = Replay.objects.filter(player=first, ranked=True).first()
    assert ranked is not None
    ended_game(staff)
    live = ended_game(None)
    return {
        "live": live.pk,
        "ranked": ranked.pk,
        "player": first.pk,
        "replay": game.pk,
        "other": other.pk,
        "suspicious": suspicious.pk,
        "ranked_player": owned.pk,
    }


def ended_game(user: User | None) -> LiveGame:
    """A lost game of Expert that was played here, by a guest or by an account."""
    name, secret, now = uuid.uuid4(), bytes(range(32)), timezone.now()
    return LiveGame.objects.create(
        id=name, user=user, level="expert", rows=16, columns=30, mines=99, rules="xp", secret=secret, nonce=bytes(16),
        commit=fair.commitment(str(name), secret), first_cell=0, state=LiveGame.State.OVER, result="lost", created_at=now,
        started_at=now, ended_at=now, cell_px=24, time_ms=12_345, bv=150, counts={"bvdone": 20}, seen_at=now,
    )  # fmt: skip


def troubles(page: Page, path: str, look: str) -> list[str]:
    """What axe finds serious or critical on the page at ``path``, all of it opened."""
    page.goto(path)
    film = page.locator("[data-film]")
    if film.count():
        film.evaluate("(root) => { root.viewer.use(); }")
        expect(page.locator("[data-film][data-odds], [data-film][data-state=failed]")).to_have_count(1)
        position = page.locator("[data-part=position]")
        if position.is_visible():
            position.evaluate("(details) => { details.open = true; }")
            expect(page.locator("[data-part=position][data-event]")).to_have_count(1)
    if page.locator("[data-compare]").count():
        expect(page.locator("[data-compare][data-state=ready]")).to_have_count(1)
    page.evaluate(
        "document.querySelectorAll('[data-chart-slot]').forEach((one) => one.dispatchEvent(new CustomEvent('near')))"
    )
    expect(page.locator("[data-chart-slot], .htmx-request")).to_have_count(0)
    page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    found = Axe().run(page, options={"resultTypes": ["violations"], **RULES[look]}).response["violations"]
    return [
        f"{path}: {rule['id']}: {node['target']}: {node['failureSummary']}"
        for rule in found
        if rule["impact"] in _BAD
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("look", LOOKS)
def test_no_page_has_serious_troubles(
    asgi_site: Site, visit: Visit, places: dict[str, object], staff: User, look: str
) -> None:
    page = visit("/", **LOOKS[look])
    found = [trouble for path in PUBLIC for trouble in troubles(page, path.format(**places), look)]
    sign_in(page, staff)
    found += [trouble for path in PRIVATE for trouble in troubles(page, path.format(**places), look)]
    assert "\n".join(found) == ""
