from __future__ import annotations

from typing import Final

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from analysis.recording import Level
from players.web.api import KnownChoiceField, PageSerializer, ReplayRefSerializer, TextField
from players.web.links import replay_address
from replays.play.models import LiveGame
from replays.play.solo.unranked_reasons import reason_text
from replays.trust.judging.serializers import FindingSerializer

#: A game that is not decided has none.
RESULTS: Final = [(value, label) for value, label in LiveGame.Result.choices if value]


class LiveGameSerializer(serializers.Serializer[LiveGame]):
    """A game in the list of one's own games."""

    id = serializers.UUIDField(help_text="Game ID.")
    level = serializers.ChoiceField(choices=[level.value for level in Level])
    rows = serializers.IntegerField(help_text="Rows of the board.")
    columns = serializers.IntegerField(help_text="Columns of the board.")
    mines = serializers.IntegerField(help_text="Mines of the whole board.")
    rules = serializers.ChoiceField(choices=LiveGame.Rules.choices, help_text="How the first click is treated.")
    state = serializers.ChoiceField(choices=LiveGame.State.choices, help_text="How far the game is.")
    result = KnownChoiceField(RESULTS, help_text="Null unless it was decided.")
    reason = TextField(help_text="The code why it cannot rank; null if it can.")
    reason_text = serializers.SerializerMethodField(help_text="The same as a sentence; null if it can rank.")
    created_at = serializers.DateTimeField(help_text="When the board was committed to.")
    started_at = serializers.DateTimeField(allow_null=True, help_text="When the first cell was opened.")
    ended_at = serializers.DateTimeField(allow_null=True)
    time_ms = serializers.IntegerField(allow_null=True, help_text="The time that counts.")
    bv = serializers.IntegerField(allow_null=True, help_text="3BV of the board, once the game has ended.")
    bv_done = serializers.SerializerMethodField(help_text="How much of it was solved.")
    replay = ReplayRefSerializer(source="replay_id", allow_null=True, help_text="Its replay.")
    replay_url = serializers.SerializerMethodField(help_text="The page of its replay; null without one.")
    html_url = serializers.SerializerMethodField(help_text="The page of the game.")

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_bv_done(self, game: LiveGame) -> int | None:
        done: int | None = game.counts.get("bvdone")
        return done

    def get_reason_text(self, game: LiveGame) -> str | None:
        return reason_text(game.reason) or None

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_replay_url(self, game: LiveGame) -> str | None:
        return None if game.replay_id is None else replay_address(game.replay_id)

    def get_html_url(self, game: LiveGame) -> str:
        return reverse("play-game", args=[game.pk])


class ProvenanceSerializer(serializers.Serializer[LiveGame]):
    """The values with which anybody can draw the board of a game again: see `/play/verify/`."""

    game = serializers.UUIDField(source="id", help_text="Game ID.")
    html_url = serializers.SerializerMethodField(help_text="The page of the game.")
    commit = serializers.CharField(help_text="Sent before the first click: SHA-256 of the secret, hexadecimal.")
    secret = serializers.SerializerMethodField(help_text="Hexadecimal; null until the game has ended.")
    nonce = serializers.SerializerMethodField(help_text="What the browser chose, hexadecimal.")
    first_cell = serializers.IntegerField(allow_null=True, help_text="row × columns + column.")
    attempt = serializers.SerializerMethodField(
        help_text="Which board it is of those tried, from 0; 0 except without guesses; null until the game has ended."
    )
    server_span_us = serializers.IntegerField(allow_null=True, help_text="The time by the clock of the site, in µs.")
    client_span_ms = serializers.IntegerField(allow_null=True, help_text="The time by the clock of the browser.")
    jitter_ms = serializers.IntegerField(allow_null=True, help_text="How much both may differ.")

    def get_html_url(self, game: LiveGame) -> str:
        return reverse("play-game", args=[game.pk])

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_secret(self, game: LiveGame) -> str | None:
        return game.secret_hex or None

    def get_nonce(self, game: LiveGame) -> str:
        return game.nonce_hex

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_attempt(self, game: LiveGame) -> int | None:
        return game.attempt if game.has_ended else None


class LiveGameDetailSerializer(LiveGameSerializer):
    """A game with what proves its board and its time."""

    player = serializers.SerializerMethodField(help_text="The name of the account; null for guests.")
    provenance = ProvenanceSerializer(source="*", help_text="What proves the board and the time.")
    findings = FindingSerializer(many=True, help_text="What a judge should know.")

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_player(self, game: LiveGame) -> str | None:
        return None if game.user is None else game.user.username


class LiveGamePageSerializer(PageSerializer):
    """A page of one's own games; a cursor is null where the list ends."""

    rows = LiveGameSerializer(many=True)
