from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from replays.models.replay import Replay


class GameLink(models.Model):
    """Two analysed replays that are one play, or two on one board; which of them stands is derived (``replays.trust.equals``).

    ``first`` arrived first: it has the lower number.  ``first_stands``: what only the moment shows in which both met, and
    nothing that anybody does later may take away: the first had been on the boards, final, for two weeks, both are of
    one uploader, or the first had as many links as a game may put in dispute.
    """

    class Kind(models.TextChoices):
        SAME_GAME = "same_game", _("the same game")
        SAME_CLICKS = "same_clicks", _("the same clicks")
        SEAL_REUSED = "seal_reused", _("the same seal")
        SAME_BOARD = "same_board", _("the same board")
        SIMILAR_CLICKS = "similar_clicks", _("similar clicks")

    first = models.ForeignKey(Replay, models.CASCADE, related_name="+", db_index=False)
    second = models.ForeignKey(Replay, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=14, choices=Kind)
    made_at = models.DateTimeField()
    first_stands = models.BooleanField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["first", "second"], name="one_link_of_a_pair"),
            models.CheckConstraint(condition=models.Q(first__lt=models.F("second")), name="link_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.first_id} {self.kind} {self.second_id}"
