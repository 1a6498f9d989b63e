from __future__ import annotations

from rest_framework import serializers

from analysis.multiplayer.laying import MAX_AREA, MAX_CELLS, MAX_MODULUS, MAX_START_NUMBER
from players.web.api import PageSerializer, Values
from players.web.json_bodies import JsonBody
from replays.play.laying.serializers import LayingParametersSerializer
from replays.play.models import Room, RoomBoard, RoomPlayer
from replays.play.models.rooms import MAX_ROOM_NAME


class RoomSettingsSerializer(JsonBody[Room]):
    """The settings that the maker of a room chooses."""

    name = serializers.CharField(max_length=MAX_ROOM_NAME, help_text="Name of the room.")
    rows = serializers.IntegerField(required=False, min_value=1, max_value=MAX_CELLS, help_text="Rows of the board.")
    columns = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_CELLS, help_text="Columns of the board."
    )
    area = serializers.IntegerField(required=False, min_value=1, max_value=MAX_AREA, help_text="Side of an area.")
    area_mines = serializers.IntegerField(required=False, min_value=0, help_text="Mines of a whole area.")
    modulus = serializers.IntegerField(
        required=False,
        min_value=2,
        max_value=MAX_MODULUS,
        help_text="Modulus of the sequence of numbers that lays boards.",
    )
    sealed = serializers.BooleanField(
        required=False,
        help_text="The mines stay on the server, which is the default. In an open room (false) every browser gets the "
        "start number, and so knows all mines.",
    )
    flags = serializers.BooleanField(required=False, help_text="Only with sealed, and then the default.")
    chords = serializers.BooleanField(required=False, help_text="Only with sealed, and then the default.")
    coop = serializers.BooleanField(required=False, help_text="One score together.")
    guests = serializers.BooleanField(required=False, help_text="Guests may play.")
    listed = serializers.BooleanField(required=False, help_text="The room is listed publicly.")
    next_board = serializers.ChoiceField(Room.Next.choices, required=False, help_text="When the next board begins.")


class RoomRequestSerializer(RoomSettingsSerializer):
    """A new room."""

    start_number = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MAX_START_NUMBER,
        help_text="Of the first board; null: random.",
    )


class RoomPlayerSerializer(serializers.Serializer[RoomPlayer]):
    """A player of the running board."""

    number = serializers.IntegerField(help_text="Number of the player on this board.")
    name = serializers.CharField(help_text="Name of the player.")
    user = serializers.IntegerField(
        source="user_id", allow_null=True, help_text="Number of the account; null for guests."
    )
    hue = serializers.IntegerField(allow_null=True, help_text="Hue of the player's colour; null until it is dealt.")
    shade = serializers.IntegerField(allow_null=True, help_text="Shade of the player's colour; null until it is dealt.")
    score = serializers.IntegerField(help_text="Points on this board.")
    blasts = serializers.IntegerField(help_text="Mines that the player hit.")


class RoomSerializer(RoomSettingsSerializer):
    """A room; neither the mines of its running board nor its start number."""

    slug = serializers.CharField(help_text="Name of the room in its address.")
    state = serializers.ChoiceField(Room.State.choices, help_text="Whether the room is open.")
    epoch = serializers.IntegerField(help_text="Of the running board, as stored in the last second.")
    here = serializers.IntegerField(help_text="Players with an open socket, as stored in the last second.")
    safe_cells = serializers.IntegerField(help_text="Cells without a mine, of every board of the room.")
    open_cells = serializers.IntegerField(
        default=0, help_text="Those of the running board that are open, as stored in the last second."
    )
    created_at = serializers.DateTimeField()
    used_at = serializers.DateTimeField(help_text="When somebody last played here.")


class RoomDetailSerializer(RoomSerializer):
    """A room with its players."""

    players = RoomPlayerSerializer(many=True, help_text="Players of the running board.")


class RoomPageSerializer(PageSerializer):
    """Open rooms that are listed."""

    rows = RoomSerializer(many=True)


class RoomBoardSerializer(serializers.Serializer[RoomBoard]):
    """A board that has ended."""

    epoch = serializers.IntegerField(help_text="Number of the board in its room.")
    end = serializers.ChoiceField(
        [RoomBoard.End.FINISHED.value, RoomBoard.End.LEFT.value], help_text="How the board ended."
    )
    started_at = serializers.DateTimeField(help_text="When the board began.")
    ended_at = serializers.DateTimeField()
    elapsed_ms = serializers.IntegerField(help_text="Length of the game.")
    number = serializers.IntegerField(help_text="Accepted moves.")


class RoomBoardPageSerializer(PageSerializer):
    """The boards of a room that have ended, the newest first."""

    rows = RoomBoardSerializer(many=True)


class ScoreSerializer(serializers.Serializer[Values]):
    """A player of a board that has ended."""

    player = serializers.IntegerField(help_text="The number in the log.")
    name = serializers.CharField(help_text="Name of the player.")
    user = serializers.IntegerField(allow_null=True, help_text="Number of the account; null for guests.")
    hue = serializers.IntegerField(help_text="Hue of the player's colour.")
    shade = serializers.IntegerField(help_text="Shade of the player's colour.")
    score = serializers.IntegerField(help_text="Points on this board.")
    blasts = serializers.IntegerField(help_text="Mines that the player hit.")


class FinishedBoardSerializer(RoomBoardSerializer):
    """A finished board of any listed room."""

    slug = serializers.CharField(source="room.slug", help_text="Of its room.")
    name = serializers.CharField(source="room.name", help_text="Name of the room.")
    rows = serializers.IntegerField(source="room.rows", help_text="Rows of the board.")
    columns = serializers.IntegerField(source="room.columns", help_text="Columns of the board.")
    winner = ScoreSerializer(allow_null=True, help_text="The best player; null where all have one score together.")


class FinishedBoardPageSerializer(PageSerializer):
    """Finished boards of listed rooms, the newest first."""

    rows = FinishedBoardSerializer(many=True)


class RoomBoardDetailSerializer(RoomBoardSerializer):
    """A board that has ended, with everything needed to watch it again."""

    laying = LayingParametersSerializer(help_text="The parameters of the board.")
    flags = serializers.BooleanField(help_text="Whether flags were allowed.")
    chords = serializers.BooleanField(help_text="Whether chords were allowed.")
    players = ScoreSerializer(many=True, help_text="Players with their scores.")
    moves = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(), min_length=4, max_length=4),
        help_text="By stamp from 1: player, kind (0 open, 1 flag set or taken away, 2 chord), cell (row * columns + column), ms.",
    )


class CommandSerializer(JsonBody[Values]):
    """A command that the owner of a room gives."""

    do = serializers.ChoiceField(["restart", "close", "mute", "unmute", "kick"], help_text="The command.")
    player = serializers.IntegerField(
        required=False, default=0, min_value=0, max_value=2**16 - 1, help_text="Number of the player to mute or remove."
    )
