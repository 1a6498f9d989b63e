from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from tqdm import tqdm

from analysis.recording import LEVEL_SHAPES
from analysis.solver import NoSuchBoard, Rules, Strength
from analysis.solver.match import BINS, Game, Match, Score

_WIDTH = 40  # characters of the longest bar
_STOPPED = 130  # the exit code that shells report after Ctrl-C


class Command(BaseCommand):
    help = (
        "Let the solver play games on boards that follow from a seed: the same games whatever --jobs is. Shows the win "
        "rate with Wilson's interval of 95%, milliseconds a game, and how much of the board was open in lost games. "
        "Ctrl-C ends the match and shows the games that were played."
    )
    requires_system_checks: list[str] = []  # it needs neither the site nor its database

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--games", type=_count, default=1000)
        parser.add_argument("--level", choices=[level.value for level in LEVEL_SHAPES], default="expert")
        parser.add_argument(
            "--rules", choices=[rules.value for rules in Rules], default=Rules.XP.value,
            help="xp: the first cell is safe; win7: it opens an area; no-guess: and no guess is needed",
        )  # fmt: skip
        parser.add_argument(
            "--strength", choices=[strength.value for strength in Strength], default=Strength.FULL.value,
            help="from the weakest to the strongest",
        )  # fmt: skip
        parser.add_argument("--jobs", type=_count, default=1, help="processes that play")
        parser.add_argument("--seed", type=_seed, default=0, help="another seed, other games")
        parser.add_argument("--json", action="store_true", dest="as_json", help="write the result as JSON")

    def handle(
        self,
        *,
        games: int,
        level: str,
        rules: str,
        strength: str,
        jobs: int,
        seed: int,
        as_json: bool,
        verbosity: int,
        **_others: object,
    ) -> None:
        shape = next(shape for shape in LEVEL_SHAPES if shape.value == level)
        match = Match(shape, Rules(rules), Strength(strength), seed)
        played: list[Game] = []
        stopped = False
        try:
            self._play(match, played, games, jobs, hidden=verbosity == 0)
        except KeyboardInterrupt:
            stopped = True
        except NoSuchBoard as error:
            raise CommandError(str(error)) from error
        if played:
            score = Score.of(played)
            self.stdout.write(_as_json(match, score, stopped) if as_json else _as_text(match, score))
        if stopped:
            text = ngettext("Stopped after %(games)s game.", "Stopped after %(games)s games.", len(played))
            self.stderr.write(text % {"games": len(played)})
            sys.exit(_STOPPED)

    def _play(self, match: Match, played: list[Game], games: int, jobs: int, *, hidden: bool) -> None:
        """``played`` has the games before an interruption, and gets the new ones."""
        with tqdm(total=games, unit=_(" games"), file=sys.stderr, disable=hidden) as bar:
            wins = 0
            for chunk in match.games(games, jobs):
                played += chunk
                wins += sum(game.won for game in chunk)
                bar.set_postfix_str(f"{100 * wins / len(played):.2f}%", refresh=False)
                bar.update(len(chunk))


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ArgumentTypeError(_("expected at least 1"))
    return number


def _seed(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ArgumentTypeError(_("expected 0 or more"))
    return number


def _as_json(match: Match, score: Score, stopped: bool) -> str:
    return json.dumps(
        {
            "level": match.level.value,
            "rules": match.rules.value,
            "strength": match.strength.value,
            "seed": match.seed,
            "games": score.games,
            "wins": score.wins,
            "win_rate": score.win_rate,
            "interval": score.interval,
            "guesses_a_game": score.guesses_a_game,
            "ms_a_game": score.ms_a_game,
            "lost_explored": score.lost_explored,
            "stopped": stopped,
        },
        indent=2,
    )


def _as_text(match: Match, score: Score) -> str:
    low, high = score.interval
    title = f"{match.level}, {match.rules}, {match.strength}, seed {match.seed}"
    won = _("won %(wins)s of %(games)s games: %(rate)s%%, 95%% interval [%(low)s, %(high)s]") % {
        "wins": score.wins, "games": score.games, "rate": f"{100 * score.win_rate:.2f}",
        "low": f"{100 * low:.2f}", "high": f"{100 * high:.2f}",
    }  # fmt: skip
    pace = _("%(guesses)s guesses and %(ms)s ms per game") % {
        "guesses": f"{score.guesses_a_game:.2f}", "ms": f"{score.ms_a_game:.2f}",
    }  # fmt: skip
    lines = [title, won, pace]
    if any(score.lost_explored):
        lines += [_("share of the board opened in lost games:"), *_bars(score.lost_explored)]
    return "\n".join(lines)


def _bars(counts: tuple[int, ...]) -> list[str]:
    step, most = 100 // BINS, max(counts)
    return [
        f"{index * step:4} – {(index + 1) * step:3}% {count:8}  {'█' * round(_WIDTH * count / most)}"
        for index, count in enumerate(counts)
    ]
