from __future__ import annotations

from rest_framework import serializers

from players.web.api import Values
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


class DeletionRequestSerializer(serializers.Serializer[Values]):
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


class ExportSerializer(serializers.Serializer[Values]):
    """The data of an account; each list has the rows of one kind.  For the schema: the file is written as a stream."""

    account = serializers.DictField(help_text="Name, address, preferences and player.")
    email_addresses = serializers.ListField(child=serializers.DictField(), help_text="E-mail addresses of the account.")
    tokens = serializers.ListField(child=serializers.DictField(), help_text="Without their keys, which nobody has.")
    names = serializers.ListField(child=serializers.DictField(), help_text="Names in replays that the account owns.")
    claims = serializers.ListField(child=serializers.DictField(), help_text="Claims of names.")
    uploads = serializers.ListField(child=serializers.DictField(), help_text="Each with the address of its file.")
    batches = serializers.ListField(child=serializers.DictField(), help_text="Batches of uploads.")
    live_games = serializers.ListField(child=serializers.DictField(), help_text="Single games that were played here.")
    boards_played = serializers.ListField(
        child=serializers.DictField(), help_text="How many of them ended how, by level."
    )
    rooms = serializers.ListField(child=serializers.DictField(), help_text="Rooms that the account made.")
    room_totals = serializers.ListField(child=serializers.DictField(), help_text="Totals of the account in rooms.")
    comments = serializers.ListField(child=serializers.DictField(), help_text="Comments of the account.")
    likes = serializers.ListField(child=serializers.DictField(), help_text="Replays that the account likes.")
    reports = serializers.ListField(child=serializers.DictField(), help_text="What you reported.")
    bans = serializers.ListField(child=serializers.DictField(), help_text="Bans of the account.")
    ban_appeals = serializers.ListField(child=serializers.DictField(), help_text="Your appeals against them.")
    decisions = serializers.ListField(
        child=serializers.DictField(), help_text="What moderators decided about your things."
    )
    objections = serializers.ListField(child=serializers.DictField(), help_text="Objections to games.")
    appeals = serializers.ListField(child=serializers.DictField(), help_text="Appeals against judgements.")
