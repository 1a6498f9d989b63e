"""Players, boards and records as JSON.  Values are exact; ``text`` is what a page would show."""

from players.serializers.boards import (
    BoardIndexRowSerializer,
    BoardIndexSerializer,
    BoardPageSerializer,
    BoardRowSerializer,
    JumpSerializer,
    OpenBoardSerializer,
    PlacedRowSerializer,
    board_index_row,
    board_page,
    open_board,
)
from players.serializers.common import BoardProblemSerializer, PlayerRefSerializer, ValueSerializer
from players.serializers.history import HistoryPageSerializer, RankHistorySerializer, StepSerializer, history_page
from players.serializers.people import (
    BvBestSerializer,
    By3bvSerializer,
    IdentitySerializer,
    PlayerBestSerializer,
    PlayerDetailSerializer,
    PlayerListRowSerializer,
    PlayerPageSerializer,
    SubStepSerializer,
    by_3bv,
    player_detail,
    player_list_row,
)
from players.serializers.records import HoldersSerializer, RecordPageSerializer, RecordSerializer
from players.serializers.registry import StatisticSerializer, StatisticsSerializer

__all__ = [
    "BoardIndexRowSerializer",
    "BoardIndexSerializer",
    "BoardPageSerializer",
    "BoardProblemSerializer",
    "BoardRowSerializer",
    "BvBestSerializer",
    "By3bvSerializer",
    "HistoryPageSerializer",
    "HoldersSerializer",
    "IdentitySerializer",
    "JumpSerializer",
    "OpenBoardSerializer",
    "PlacedRowSerializer",
    "PlayerBestSerializer",
    "PlayerDetailSerializer",
    "PlayerListRowSerializer",
    "PlayerPageSerializer",
    "PlayerRefSerializer",
    "RankHistorySerializer",
    "RecordPageSerializer",
    "RecordSerializer",
    "StatisticSerializer",
    "StatisticsSerializer",
    "StepSerializer",
    "SubStepSerializer",
    "ValueSerializer",
    "board_index_row",
    "board_page",
    "by_3bv",
    "history_page",
    "open_board",
    "player_detail",
    "player_list_row",
]
