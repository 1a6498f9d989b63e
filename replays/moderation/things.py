"""The things that people report: what they are called, where they are, and what can be decided about each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from analysis.names import shown_name
from players.decision_log import Kind, Rule
from players.models import MAX_ID, Player
from players.people.selectors import player_of_id
from players.web.links import player_address, replay_address
from replays.models import Comment, Replay
from replays.play.models import Room
from replays.play.rooms.selectors import room_or_404
from replays.trust.judging.permissions import replay_or_404
from replays.watch.comments.selectors import comment_or_404

#: What can be reported about each kind.
RULES: Final[dict[Kind, tuple[Rule, ...]]] = {
    Kind.REPLAY: (Rule.CHEATING, Rule.THEFT, Rule.NAME, Rule.OTHER),
    Kind.COMMENT: (Rule.ABUSE, Rule.SPAM, Rule.PRIVATE, Rule.OTHER),
    Kind.NAME: (Rule.NAME, Rule.PRIVATE, Rule.OTHER),
    Kind.ROOM: (Rule.NAME, Rule.ABUSE, Rule.SPAM, Rule.OTHER),
}
#: What moderators can do about each kind, besides nothing and a ban.
ACTIONS: Final[dict[str, tuple[tuple[str, object], ...]]] = {
    Kind.REPLAY: (("freeze", gettext_lazy("Freeze the replay")), ("delete", gettext_lazy("Delete the replay"))),
    Kind.COMMENT: (("hide", gettext_lazy("Hide the comment")),),
    Kind.NAME: (("rename", gettext_lazy("Rename the player")),),
    Kind.ROOM: (("close", gettext_lazy("Close the room")),),
}
_EXCERPT: Final = 200
_MAX_DIGITS: Final = 20


@dataclass(frozen=True, slots=True)
class Reported:
    """``about_id``: the account whose thing it is."""

    kind: Kind
    number: int
    about_id: int | None
    title: str
    text: str
    address: str

    @property
    def excerpt(self) -> str:
        return self.text if len(self.text) <= _EXCERPT else self.text[:_EXCERPT] + "…"


def thing_or_404(request: HttpRequest, kind: str, key: str) -> Reported:
    """Return what the visitor can see there; ``key``: the slug of a room, else a number."""
    if kind == Kind.ROOM:
        return _of_room(room_or_404(key[:16]))
    if not (key.isascii() and key.isdigit() and len(key) < _MAX_DIGITS and int(key) <= MAX_ID):
        raise Http404(_("There's nothing here to report."))
    if kind == Kind.REPLAY:
        replay = replay_or_404(request, int(key))
        if replay.status == Replay.Status.DONE:
            return _of_replay(replay)
    if kind == Kind.COMMENT:
        return _of_comment(comment_or_404(request, int(key)))
    if kind == Kind.NAME:
        try:
            return _of_player(player_of_id(int(key)))
        except Player.DoesNotExist as error:
            raise Http404(_("This player doesn't exist.")) from error
    raise Http404(_("There's nothing here to report."))


def things_of(wanted: Iterable[tuple[str, int]]) -> dict[tuple[str, int], Reported]:
    """Those that still exist; a statement for each kind."""
    numbers: dict[str, list[int]] = defaultdict(list)
    for kind, number in wanted:
        numbers[kind].append(number)
    found: list[Reported] = []
    for kind, some in numbers.items():
        found += _of_kind(kind, some)
    return {(thing.kind.value, thing.number): thing for thing in found}


def _of_kind(kind: str, numbers: Collection[int]) -> list[Reported]:
    if kind == Kind.REPLAY:
        rows = Replay.objects.filter(pk__in=numbers).select_related("player")
        return [_of_replay(row) for row in rows.only("judgement", "uploader", "player__name", "player__user")]
    if kind == Kind.COMMENT:
        return [_of_comment(row) for row in Comment.objects.filter(pk__in=numbers).select_related("user")]
    if kind == Kind.NAME:
        return [_of_player(row) for row in Player.objects.filter(pk__in=numbers)]
    if kind == Kind.ROOM:
        return [_of_room(row) for row in Room.objects.filter(pk__in=numbers)]
    return []


def _of_replay(row: Replay) -> Reported:
    about = row.uploader_id
    if about is None and row.player is not None:
        about = row.player.user_id
    title = _("Replay #%(number)s") % {"number": row.pk}
    text = f"{row.player.shown_name if row.player else '–'} · {row.get_judgement_display()}"
    return Reported(Kind.REPLAY, row.pk, about, title, text, replay_address(row.pk))


def _of_comment(row: Comment) -> Reported:
    title = _("Comment on replay #%(number)s") % {"number": row.replay_id}
    address = f"{reverse('replay-comments', args=[row.replay_id])}#comment-{row.pk}"
    return Reported(Kind.COMMENT, row.pk, row.user_id, title, row.shown_text, address)


def _of_player(row: Player) -> Reported:
    title = _("Player #%(number)s") % {"number": row.pk}
    return Reported(Kind.NAME, row.pk, row.user_id, title, row.shown_name, player_address(row.pk))


def _of_room(row: Room) -> Reported:
    title = _("Room") if row.state == Room.State.OPEN else f"{_('Room')} · {row.get_state_display()}"
    return Reported(Kind.ROOM, row.pk, row.owner_id, title, shown_name(row.name), row.get_absolute_url())
