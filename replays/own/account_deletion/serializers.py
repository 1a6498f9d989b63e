from __future__ import annotations

from rest_framework import serializers

from players.web.api import Values


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
