"""``/api/v1/solver/``: whole games, next moves, the table of stages, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from analysis.recording import Level
from analysis.solver import Rules, Strength
from analysis.solver.match import Match
from analysis.solver.stages import SEED, read_stages
from replays.odds.calculator import calculator_client
from tests.cases import check_each_on_site

pytestmark = pytest.mark.django_db
GAMES, MOVES, STAGES = "/api/v1/solver/games/", "/api/v1/solver/moves/", "/api/v1/solver/stages/"
SMALL = {"level": "beginner", "rules": "win7", "stage": "careful", "seed": "4"}


def post(client: Client, body: Any) -> Any:
    return client.post(MOVES, body if isinstance(body, str) else json.dumps(body), content_type="application/json")


def assert_problem(response: Any, status: int, code: str) -> dict[str, Any]:
    assert response.status_code == status, response.content
    body: dict[str, Any] = response.json()
    assert body["code"] == code
    assert body["detail"]
    return body


# --- games ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", list(Strength))
@pytest.mark.parametrize("rules", [Rules.XP, Rules.WIN7])
def test_a_game_is_that_of_the_match(client: Client, stage: Strength, rules: Rules) -> None:
    match = Match(Level.BEGINNER, rules, stage, SEED)
    for number in (0, 3):
        query = {"level": "beginner", "rules": rules.value, "stage": stage.value, "seed": str(number)}
        game = client.get(GAMES, query).json()
        played, (board, _options) = match.play(number), match.deal(number)
        assert ["".join("*" if sign == "*" else "." for sign in row) for row in game["board"]] == [
            "".join("*" if mine else "." for mine in line) for line in board.mines.tolist()
        ]
        opened = [tuple(cell) for turn in game["turns"] for click in turn["clicks"] for cell in click["opened"]]
        assert len(opened) == len(set(opened)) == round(played.explored * (64 - 10))
        assert game["won"] == played.won


def test_the_same_address_shows_the_same_game(client: Client) -> None:
    one, two = (client.get(GAMES, SMALL) for _ in range(2))
    assert one.status_code == 200
    assert one.content == two.content
    assert one.json()["link"] == "http://testserver/tools/solver/?level=beginner&rules=win7&stage=careful&seed=4"
    assert client.get(GAMES, SMALL, headers={"If-None-Match": one.headers["ETag"]}).status_code == 304
    assert client.get(GAMES, SMALL | {"seed": "5"}).json()["board"] != one.json()["board"]


def test_moves_have_reasons_and_chances(client: Client) -> None:
    game = client.get(GAMES, SMALL | {"stage": "full"}).json()
    first, *others = game["turns"]
    assert (first["reason"], first["mine"], first["certain_safe"]) == ("first", 0.0, None)
    assert first["text"]
    certain = [turn for turn in others if turn["reason"] == "certain"]
    assert certain
    for turn in certain:
        assert turn["mine"] == 0
        assert turn["certain_safe"] == turn["cells"]
        assert sorted(cell for step in turn["steps"] for cell in step["safe"]) == turn["cells"]
        assert all(step["text"] for step in turn["steps"])


def test_the_rules_are_kept(client: Client) -> None:
    for seed in range(5):
        xp, win7 = (
            client.get(GAMES, {"level": "expert", "rules": rules, "stage": "surrender", "seed": str(seed)}).json()
            for rules in ("xp", "win7")
        )
        assert xp["board"][0][0] != "*"
        assert win7["board"][3][3] == "0"


def test_bad_parameters_of_a_game(client: Client) -> None:
    def is_refused(query: dict[str, str], name: str) -> None:
        assert list(assert_problem(client.get(GAMES, query), 400, "bad_parameter")["errors"]) == [name]

    cases = [
        ({"level": "custom"}, "level"), ({"level": "hard"}, "level"), ({"rules": "no-guess"}, "rules"),
        ({"stage": "best"}, "stage"), ({"seed": "-1"}, "seed"), ({"seed": "2147483648"}, "seed"), ({"seed": "x"}, "seed"),
        ({"sead": "1"}, "sead"),
    ]  # fmt: skip
    check_each_on_site(is_refused, cases)


# --- moves ------------------------------------------------------------------------------------------------------------


def test_a_certain_move(client: Client) -> None:
    move = post(client, {"rows": ["11.", "..."], "mines": 1, "stage": "careful"}).json()
    assert (move["cells"], move["reason"], move["mine"]) == ([[0, 2], [1, 2]], "certain", 0.0)
    assert move["certain_safe"] == [[0, 2], [1, 2]]
    assert [step["rule"] for step in move["steps"]] == ["md2"]
    assert "the 1 in row 1, column 2" in move["steps"][0]["text"]


@pytest.mark.parametrize(
    ("rows", "cell", "reason"),
    [(["...", "F..", "..."], [0, 0], "first"), (["F..", "...", "..."], [0, 1], "endgame")],
)
def test_a_flag_does_not_take_the_promise_of_the_first_click(
    client: Client, rows: list[str], cell: list[int], reason: str
) -> None:
    """Unless the cell itself is flagged."""
    move = post(client, {"rows": rows, "mines": 2}).json()
    assert (move["cells"], move["reason"], move["flag_use"]) == ([cell], reason, "trusted")
    assert (move["mine"] == 0) is (reason == "first")
    advice = client.get("/api/v1/probability/", {"position": "/".join(rows), "mines": "2", "advice": "true"}).json()[
        "advice"
    ]
    assert (advice["cells"], advice["reason"]) == (move["cells"], move["reason"])


def test_a_weaker_player_does_not_see_it(client: Client) -> None:
    move = post(client, {"rows": ["11.", "..."], "mines": 1, "stage": "novice"}).json()
    assert (move["reason"], move["steps"]) == ("chance", [])
    assert move["certain_safe"] == [[0, 2], [1, 2]]
    assert "random cell" in move["text"]


def test_a_move_trusts_flags_unless_they_contradict(client: Client) -> None:
    body = {"rows": ["2F.", "F..", "..."], "mines": 2, "stage": "novice"}
    trusted, ignored = post(client, body).json(), post(client, body | {"flags": "ignored"}).json()
    assert (trusted["flag_use"], trusted["reason"]) == ("trusted", "certain")
    assert len(trusted["cells"]) == len(trusted["certain_safe"]) - 5 == 1
    assert "2" in trusted["steps"][0]["text"]
    assert (ignored["flag_use"], ignored["reason"], ignored["certain_safe"][:1]) == ("ignored", "chance", [[0, 2]])
    wrong = post(client, body | {"rows": ["1F.", "F..", "..."]}).json()
    assert (wrong["flag_use"], wrong["reason"]) == ("contradictory", "chance")


def test_some_players_give_up(client: Client) -> None:
    move = post(client, {"rows": ["1.", ".."], "mines": 1, "stage": "logic"}).json()
    assert (move["cells"], move["reason"], move["mine"]) == ([], "give-up", 0.0)
    assert "gives up" in move["text"]


def test_a_seed_decides_a_guess_at_random(client: Client) -> None:
    body = {"rows": ["1...", "....", "...."], "mines": 2, "stage": "random"}
    moves = [post(client, body | {"seed": seed}).json()["cells"] for seed in range(12)]
    assert moves == [post(client, body | {"seed": seed}).json()["cells"] for seed in range(12)]
    assert len({str(cells) for cells in moves}) > 3


def test_the_first_move_follows_the_rules(client: Client) -> None:
    rows = ["." * 30] * 16
    xp, win7 = (post(client, {"rows": rows, "mines": 99, "rules": rules}).json() for rules in ("xp", "win7"))
    assert (xp["cells"], win7["cells"]) == ([[0, 0]], [[3, 3]])


def test_bad_positions(client: Client) -> None:
    def is_refused(body: Any, status: int, code: str) -> None:
        assert_problem(post(client, body), status, code)

    cases = [
        ("{", 400, "bad_request"),
        ({}, 400, "bad_request"),
        ({"rows": ["1.", ".."]}, 400, "bad_request"),
        ({"rows": ["1.", ".."], "mines": 1, "stage": "best"}, 400, "bad_request"),
        ({"rows": ["1.", ".."], "mines": 1, "rules": "no-guess"}, 400, "bad_request"),
        ({"rows": ["1.", ".."], "mines": 1, "seed": -1}, 400, "bad_request"),
        ({"rows": ["1.", "."], "mines": 1}, 400, "ragged_rows"),
        ({"rows": ["1.", ".."], "mines": 4}, 400, "too_many_mines"),
        ({"rows": ["." * 101] * 100, "mines": 1}, 400, "too_large"),
        ({"rows": ["8.", ".."], "mines": 1}, 422, "impossible_position"),
    ]
    check_each_on_site(is_refused, cases)


# --- limits -----------------------------------------------------------------------------------------------------------


def test_games_and_moves_are_counted_with_positions(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.odds.positions.budget.POSITION_LIMIT._rate", "2/day")
    assert client.get(GAMES, SMALL).status_code == 200
    assert post(client, {"rows": ["1.", ".."], "mines": 1}).status_code == 200
    assert int(client.get(GAMES, SMALL)["Retry-After"]) > 0
    assert post(client, {"rows": ["1.", ".."], "mines": 1}).status_code == 429
    assert client.get(STAGES).status_code == 200  # nothing is computed


def test_time_is_counted(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.odds.positions.budget.TIME_LIMIT._rate", "1/day")  # a millisecond
    assert client.get(GAMES, SMALL).status_code == 200
    assert_problem(client.get(GAMES, SMALL), 429, "too_many_requests")


def test_what_takes_too_long_is_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of the real process is cut so short that nothing fits into it."""
    monkeypatch.setattr(calculator_client, "CPU_SECONDS", 1e-6)
    large = {"level": "expert", "rules": "win7", "stage": "full", "seed": "1"}  # more than a tick of the system's clock
    assert_problem(client.get(GAMES, large), 422, "too_hard")
    assert client.get("/tools/solver/", large).status_code == 422


# --- the table --------------------------------------------------------------------------------------------------------


def test_the_table_is_the_file(client: Client) -> None:
    stages = client.get(STAGES).json()["stages"]
    file = read_stages()
    assert len(stages) == len(file)
    for row, stage in zip(stages, file, strict=True):
        assert (row["stage"], row["rules"]) == (stage.match.strength.value, stage.match.rules.value)
        assert (row["games"], row["wins"], row["commit"]) == (stage.score.games, stage.score.wins, stage.commit)
        assert row["win_rate"] == stage.score.wins / stage.score.games
        assert row["interval"] == pytest.approx(stage.score.interval)
        assert row["interval"][0] <= row["win_rate"] <= row["interval"][1]
        assert sum(row["lost_explored"]) == row["games"] - row["wins"]
        assert row["date"] == stage.date.isoformat()
    assert {row["seed"] for row in stages} == {SEED}


def test_the_index_links_to_it(client: Client) -> None:
    assert client.get("/api/v1/").json()["links"]["solver"].endswith(STAGES)
