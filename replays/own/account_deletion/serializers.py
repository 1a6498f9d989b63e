from __future__ import annotations

from rest_framework import serializers

from players.web.api import Values
from players.web.json_bodies import JsonBody
from replays.models import AccountDeletion
from replays.own.account_deletion.selectors import Effects


class EffectsSerializer(serializers.Serializer[Effects]):
    """The effects that deleting the account would have."""

    uploads = serializers.IntegerField(help_text="Number of uploads.")
    ranked = serializers.IntegerField(help_text="Uploads that count on leaderboards.")
    kept = serializers.IntegerField(help_text="Uploads that stay either way: staff decided not to accept them.")
    unread = serializers.IntegerField(help_text="Uploads that are deleted either way: they were rejected.")
    played = serializers.IntegerField(help_text="Single games that were played here.")
    names = serializers.ListField(child=serializers.CharField(), help_text="Names in replays that become free.")
    claims = serializers.IntegerField(help_text="Claims that wait, and end.")
    comments = serializers.IntegerField(help_text="Number of comments that would be deleted.")
    likes = serializers.IntegerField(help_text="Number of likes that would be deleted.")
    tokens = serializers.IntegerField(help_text="Number of API tokens that would end.")


class DeletionRequestSerializer(JsonBody[Values]):
    """The choice of what becomes of the uploads, and proof that the owner asks."""

    uploads = serializers.ChoiceField(
        choices=AccountDeletion.Uploads.values,
        help_text="leave: replays stay, without the account; delete: they go, with their places.",
    )
    password = serializers.CharField(required=False, trim_whitespace=False, help_text="Of accounts that have one.")
    code = serializers.CharField(required=False, help_text="Of the second factor, of accounts that have one.")
    final = serializers.BooleanField(help_text="True: this cannot be undone.")


class DeletionSerializer(serializers.Serializer[AccountDeletion]):
    """A deletion that has begun; the account is closed."""

    uploads = serializers.ChoiceField(choices=AccountDeletion.Uploads.values, help_text="What becomes of the uploads.")
    asked_at = serializers.DateTimeField(help_text="When the deletion was requested.")


def _rows(words: str) -> serializers.ListField:
    """A list of rows of one kind."""
    return serializers.ListField(child=serializers.DictField(), help_text=words)


class ExportSerializer(serializers.Serializer[Values]):
    """The data of an account; each list has the rows of one kind.  For the schema: the file is written as a stream."""

    account = serializers.DictField(help_text="Name, address, preferences and player.")
    email_addresses = _rows("E-mail addresses of the account.")
    tokens = _rows("Without their keys, which nobody has.")
    names = _rows("Names in replays that the account owns.")
    claims = _rows("Claims of names.")
    uploads = _rows("Each with the address of its file.")
    sendings = _rows("Files that others had sent before.")
    contests = _rows("Games that the account said are its own.")
    batches = _rows("Batches of uploads.")
    live_games = _rows("Single games that were played here.")
    boards_played = _rows("How many of them ended how, by level.")
    rooms = _rows("Rooms that the account made.")
    room_totals = _rows("Totals of the account in rooms.")
    training_cards = _rows("Slips that the account repeats.")
    training_days = _rows("Days on which it repeated slips.")
    comments = _rows("Comments of the account.")
    likes = _rows("Replays that the account likes.")
    reports = _rows("What you reported.")
    bans = _rows("Bans of the account.")
    ban_appeals = _rows("Your appeals against them.")
    decisions = _rows("What moderators decided about your things.")
    appeals = _rows("Appeals against judgements.")
