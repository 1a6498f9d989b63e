"""Numbers of likes and comments of replays, for lists.

They are counted with the rows of the page, in the same statement, from the indexes of both tables: a column that holds
the number would have to be kept right under concurrent writes, and each like would write a row of seventy columns.
"""

from __future__ import annotations

from typing import Final

from django.db.models import Count, IntegerField, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from replays.models import Comment, Like, Replay

#: Comments that staff did not hide.
SHOWN: Final = Q(hidden_at=None)


def with_reactions(replays: QuerySet[Replay]) -> QuerySet[Replay]:
    """``replays`` with ``likes_count`` and ``comments_count``, without comments that staff hid, the same for everybody.

    Counted for the rows of the page alone if an index gives their order, as for all lists.
    """
    return replays.annotate(
        likes_count=_count(Like.objects.all()), comments_count=_count(Comment.objects.filter(SHOWN))
    )


def likes_count(replay: Replay) -> int:
    return Like.objects.filter(replay=replay).count()


def comments_count(replay: Replay) -> int:
    """Leave out those that staff hid."""
    return Comment.objects.filter(SHOWN, replay=replay).count()


def _count(rows: QuerySet[Model]) -> Coalesce:
    of_replay = rows.filter(replay=OuterRef("pk")).order_by().values("replay")
    return Coalesce(Subquery(of_replay.annotate(number=Count("pk")).values("number")), 0, output_field=IntegerField())
