from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_noop as _

from analysis.formulas import BadFormula
from analysis.statistics import BY_NAME
from players.models import User
from players.templatetags.led import clock_text
from players.web.api import Values
from players.web.clock import counts_from_one, shown_text
from players.web.links import absolute_address
from replays.models import Replay
from replays.odds.positions.position_texts import FLAGS, RULES, rule_text
from replays.watch.film.counters import counters, own_formula
from replays.watch.film.selectors import film_version, odds_version

#: What each key does, by the actions of ``film/keys.js``.
_KEYS: Final = {
    "toggle": _("play or pause"),
    "previous": _("previous click"),
    "next": _("next click"),
    "back": _("skip back 1 second (more at higher speeds)"),
    "forward": _("skip ahead 1 second (more at higher speeds)"),
    "back5": _("skip back 5 seconds"),
    "forward5": _("skip ahead 5 seconds"),
    "previousEvent": _("previous event"),
    "nextEvent": _("next event"),
    "slower": _("slower"),
    "faster": _("faster"),
    "normal": _("normal speed"),
    "previousGuess": _("previous guess"),
    "nextGuess": _("next guess"),
    "nextMoment": _("next comment in the review"),
    "previousMoment": _("previous comment in the review"),
    "begin": _("beginning"),
    "end": _("end"),
    "tenth": _("jump to that tenth of the game (5 = halfway)"),
    "trail": _("change the cursor trail: 2 seconds, since the last click, all, none"),
    "heat": _("heat map of the cursor"),
    "odds": _("mine chances"),
    "openings": _("openings and islands"),
    "zini": _("ZiNi route"),
    "bv": _("3BV marks"),
    "full": _("full screen"),
    "copy": _("copy the link to this moment"),
    "help": _("show this list"),
}
#: Of every page that plays films.
PLAYER_TEXTS: Final = {
    "play": _("Play"),
    "pause": _("Pause"),
    "trouble": _("We couldn't load the replay. Try again later."),
    "missing": _("The file of this replay is lost, so we can't play it."),
    "busy": _("Too many requests. Try again in a minute."),
    "damaged": _("The replay was damaged in transit."),
    "version": _("This replay doesn't match the page. Reload the page."),
    "badTime": _("“%(text)s” is not a time. Enter seconds (62.5) or minutes and seconds (1:02.5)."),
}
_TEXTS: Final = {
    "left": _("left at row %(row)s, column %(column)s"),
    "right": _("right-click at row %(row)s, column %(column)s"),
    "chord": _("chord at row %(row)s, column %(column)s"),
    "wasted": _("no effect"),
    "copied": _("Copied."),
    "remove": _("Remove"),
    "enough": _("You can't add more rows."),
    "notStored": _("Your settings couldn't be saved to your account."),
    "oddsFailed": _("We couldn't load the mine probabilities. Try again later."),
    "reviewFailed": _("We couldn't load the review. Try again later."),
    "noClick": _("This game has no click %(number)s."),
    "others": _("other cells %(chance)s"),
    "uncounted": _("This position has too many possible layouts to count here."),
}
#: Of ``film/position.js``: what the next click risked.
_POSITION: Final = {
    "click": _("Click %(number)s of %(count)s, %(time)s s"),
    "first": _("the first click is safe by the rules"),
    "certain": _("provably safe"),
    "guess": _("a guess: risk %(risk)s, lowest possible risk %(least)s"),
    "needless": _("a needless guess: risk %(risk)s, but this rule shows a safe cell: %(rule)s"),
    "chord": _("a chord"),
    "mine": _("hit a mine"),
    "noEvidence": _("Flags never change a click's risk or luck."),
    "summary": _("guesses: %(guesses)s, needless: %(needless)s; chance of survival: %(luck)s"),
    "none": _("We couldn't compute the risks in this game."),
    "too_wide": _("Counting the layouts of this position would take too long."),
    "busy": _("Too many requests. Try again later."),
    "trouble": _("We couldn't show this position. Try again later."),
}
_LED_PLACES: Final = 3
_OVER: Final = {"won": _("the game is won"), "lost": _("the game is lost"), "unfinished": _("the recording ends")}


def film_data(replay: Replay, *, account: User | None = None) -> dict[str, object]:
    """For ``film/viewer.js``, as JSON.  ``account``: whose settings hold."""
    arguments = [replay.pk]
    return {
        "film": f"{reverse('replay-film', args=arguments)}?v={film_version(replay)}",
        "odds": f"{reverse('replay-odds', args=arguments)}?v={odds_version(replay)}",
        "route": reverse("replay-route", args=arguments),
        "review": reverse("api-replay-review", args=arguments),
        "luck": reverse("api-replay-luck", args=arguments),
        "position": reverse("api-replay-position", args=arguments),
        "page": replay.get_absolute_url(),
        "embed": embed_code(replay),
        "name": f"replay-{replay.pk}",
        **game_data(replay, account=account),
    }


def game_data(replay: Replay, *, account: User | None) -> dict[str, object]:
    """For the same, what does not need the replay to have an address."""
    return {
        "formula": reverse("film-formula"),
        **({"settings": settings_of(account), "account": reverse("api-viewer-settings")} if account else {}),
        "hash": (replay.game_hash or "")[:8],
        "counters": {**counters(replay), "first": int(counts_from_one())},
        "texts": {
            **translated(PLAYER_TEXTS | _TEXTS),
            **_counted(),
            "keys": translated(_KEYS),
            "position": {
                **translated(_POSITION),
                "flags": translated({use.value: text for use, text in FLAGS.items()}),
                "rules": {rule.value: rule_text(rule) for rule in RULES},
            },
            "over": translated(_OVER),
        },
    }


def led_texts(replay: Replay) -> dict[str, str]:
    """Return what the displays over the film show at the end: mines left and the time, of at least three places each."""
    left = (replay.mines or 0) - int(replay.statistic("flags") or 0)
    time = shown_text(BY_NAME["time"], replay.statistic("time") or 0, precision_ms=replay.time_precision_ms)
    return {"led_mines": f"{left:0{_LED_PLACES}}", "led_time": clock_text(time)}


def settings_of(user: User) -> Values:
    """The settings for ``film/viewer.js``; formulas with their trees.  {}: nothing was ever set."""
    values: Values = dict(user.viewer_settings)
    formulas = values.pop("formulas", None)
    if formulas is not None:
        values["own"] = [row for text in formulas if (row := _own_row(text)) is not None]  # type: ignore[attr-defined]
    return values


def _own_row(text: str) -> Values | None:
    """A formula with its tree; None if it uses a name that the registry has lost since it was stored."""
    try:
        return {"text": text, "tree": own_formula(text)}
    except BadFormula:
        return None


def embed_code(replay: Replay) -> str:
    address = absolute_address(reverse("replay-embed", args=[replay.pk]))
    return format_html(
        '<iframe src="{}" width="720" height="640" allow="fullscreen; clipboard-write" title="Sweepbook #{}"></iframe>',
        address,
        replay.pk,
    )


def _counted() -> dict[str, dict[str, str]]:
    """Return texts with a number, by the plural category of the number: no language of the site has a third one."""
    return {
        "place": _forms(lambda number: ngettext(
            "%(number)s of %(count)s click, %(time)s s", "%(number)s of %(count)s clicks, %(time)s s", number
        )),
        "opens": _forms(lambda number: ngettext("opens %(cells)s cell", "opens %(cells)s cells", number)),
        "route": _forms(lambda number: ngettext(
            "step %(step)s of %(steps)s, %(clicks)s click", "step %(step)s of %(steps)s, %(clicks)s clicks", number
        )),
    }  # fmt: skip


def _forms(text: Callable[[int], str]) -> dict[str, str]:
    return {"one": text(1), "other": text(2)}


def translated(texts: dict[str, str]) -> dict[str, str]:
    return {name: gettext(text) for name, text in texts.items()}
