"""The deletion of an account with very many uploads, and likes and comments in lists of a large site.

    python -m tests.bench.bench_account [--replays 1000000] [--games 50000]

A PostgreSQL is filled by ``python -m tests.bench.load``.  The first player's games become the uploads of the account, which
owns the player's name.  Shown are the seconds of a whole deletion, how long its longest transaction and its longest run
took, and the time of the first page of lists with and without the counts of likes and comments, of which there are as many
as replays.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.bench.bench_boards import _environment, filled

_PLAYER = 1
_TIMES = 20


def main() -> None:
    parser = argparse.ArgumentParser(description="The deletion of an account with very many uploads.")
    parser.add_argument("--replays", type=int, default=1_000_000)
    parser.add_argument("--games", type=int, default=50_000)
    parser.add_argument("--players", type=int, default=20_000)
    parser.add_argument("--uploads", choices=["leave", "delete"], default="delete")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/tmp")))  # sockets want short paths
        url = stack.enter_context(filled(home, arguments.players, arguments.replays, f"--of-first={arguments.games}"))
        os.environ.update(_environment(url, home))
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        import django

        django.setup()
        _lists()
        _deletion(arguments.uploads)


def _lists() -> None:
    from django.db import connection

    from replays.browse.lists.filters import _LINE
    from replays.models import Replay
    from replays.models.reactions import with_reactions

    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO players_user (username, password, is_superuser, first_name, last_name, email, is_staff, is_active,"
            " date_joined, language, time_zone, clock, viewer_settings, looks_written, looks_folded)"
            " SELECT 'fan ' || n, '', false, '', '', '', false, true, now(), '', 'UTC', 'zero', '{}', '', ''"
            " FROM generate_series(1, 100) n"
        )
        for table, columns, values in (
            ("replays_like", "replay_id, user_id, created_at", "r.id, u.id, now()"),
            (
                "replays_comment",
                "replay_id, user_id, created_at, text, hidden_reason",
                "r.id, u.id, now(), 'Seen.', ''",
            ),
        ):
            cursor.execute(
                f"INSERT INTO {table} ({columns}) SELECT {values} FROM replays_replay r"  # noqa: S608 - ours
                " JOIN players_user u ON (r.id + u.id) % 100 = 0 ON CONFLICT DO NOTHING"
            )
        cursor.execute("VACUUM (ANALYZE)")
    lines = Replay.objects.select_related("player").only(*_LINE)
    sys.stdout.write("the first page of lists: ms without and with likes and comments (median)\n")
    lists: dict[str, Callable[[Any], Any]] = {
        "newest": lambda rows: rows.order_by("-id"),
        "fastest of a level": lambda rows: rows.filter(level="expert", status="done", time__isnull=False).order_by("time", "id"),
        "of a player": lambda rows: rows.filter(player=_PLAYER).order_by("-id"),
        "wins of a year": lambda rows: rows.filter(win=True, style="NF", level="expert", status="done").order_by("-id"),
    }  # fmt: skip
    for name, listed in lists.items():
        plain = _median(lambda listed=listed: list(listed(lines)[:51]))  # type: ignore[misc]
        counted = _median(lambda listed=listed: list(listed(with_reactions(lines))[:51]))  # type: ignore[misc]
        sys.stdout.write(f"  {name:<24}{plain:8.1f}{counted:8.1f}\n")
    newest = with_reactions(Replay.objects.order_by("-id"))[:50]
    assert {vars(row)["likes_count"] for row in newest} == {1}, "one for every replay"


def _median(work: Callable[[], object]) -> float:
    times = []
    for _ in range(_TIMES):
        started = time.perf_counter()
        work()
        times.append(1_000 * (time.perf_counter() - started))
    return sorted(times)[_TIMES // 2]


def _deletion(uploads: str) -> None:
    from django.db import connection

    from players.leaderboards.services import rebuild_boards
    from players.models import Identity, PersonalBest, Player, User
    from replays.models import Replay
    from replays.own.account_deletion import erasing
    from replays.own.account_deletion.erasing import erase
    from replays.own.account_deletion.services import account_close

    user = User.objects.create_user("leaving", "leaving@example.org", "x")
    Player.objects.filter(pk=_PLAYER).update(user=user)
    Identity.objects.filter(player=_PLAYER).update(claimant=user, state="claimed")
    uploaded = Replay.objects.filter(player=_PLAYER).update(uploader=user)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE) replays_replay")
    started = time.perf_counter()
    account_close(user, uploads)
    closed = time.perf_counter() - started
    steps: dict[str, list[float]] = {}

    def timed(name: str, step: Callable[[Any], int]) -> Callable[[Any], int]:
        def work(deletion: Any) -> int:
            begun = time.perf_counter()
            try:
                return step(deletion)
            finally:
                steps.setdefault(name, []).append(time.perf_counter() - begun)

        return work

    erasing._STEPS = {name: timed(name, step) for name, step in erasing._STEPS.items()}  # type: ignore[misc]
    runs = []
    more = True
    while more:
        begun = time.perf_counter()
        more = erase(user.pk)
        runs.append(time.perf_counter() - begun)
    sys.stdout.write(
        f"{uploads}, {uploaded:,} uploads: closed in {1_000 * closed:.0f} ms, erased in {sum(runs):.1f} s, {len(runs)} runs, "
        f"the longest {max(runs):.1f} s\n"
    )
    for name, times in sorted(steps.items(), key=lambda item: -sum(item[1]))[:5]:
        sys.stdout.write(f"  {name:<32}{len(times):6d} times{sum(times):9.1f} s{1_000 * max(times):9.0f} ms at most\n")
    assert not Replay.objects.filter(uploader=user).exists()
    left = set(PersonalBest.objects.filter(player=_PLAYER).values_list("statistic", "level", "style", "value"))
    rebuild_boards([_PLAYER])
    assert left == set(PersonalBest.objects.filter(player=_PLAYER).values_list("statistic", "level", "style", "value"))


if __name__ == "__main__":
    main()
