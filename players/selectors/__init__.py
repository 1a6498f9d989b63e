"""Everything that reads accounts, players, names and boards."""

from players.boards import BoardKey, UnknownBoard, all_boards, board_key
from players.selectors.bests import PlayerBests, RankedBest, ask_player_bests, player_bests
from players.selectors.by_3bv import BvBest, best_by_3bv
from players.selectors.framed import open_framed, open_sub, rank_history
from players.selectors.history import HistoryRow, Step, board_progression, history_key, history_page, player_progression
from players.selectors.leaderboards import BoardPage, BoardRow, Top, combined_page, leaderboard_page, top_places
from players.selectors.people import (
    PlayerRow,
    account_token,
    ask_player_with_names,
    identities_of_account,
    names_to_claim,
    player_of_account,
    player_of_id,
    player_with_names,
    players_page,
)
from players.selectors.places import Jump, OpenBoard, open_board, percentile
from players.selectors.ranks import DEFAULT_SIZE, MAX_SIZE
from players.selectors.records import (
    Recorded,
    ask_player_records,
    board_of,
    latest_records,
    player_records,
    records_page,
)
from players.selectors.subs import MAX_SUB, MIN_SUB, SubStep, ask_sub_ladders, sub_ladder, sub_ladders

__all__ = [
    "DEFAULT_SIZE",
    "MAX_SIZE",
    "MAX_SUB",
    "MIN_SUB",
    "BoardKey",
    "BoardPage",
    "BoardRow",
    "BvBest",
    "HistoryRow",
    "Jump",
    "OpenBoard",
    "PlayerBests",
    "PlayerRow",
    "RankedBest",
    "Recorded",
    "Step",
    "SubStep",
    "Top",
    "UnknownBoard",
    "account_token",
    "all_boards",
    "ask_player_bests",
    "ask_player_records",
    "ask_player_with_names",
    "ask_sub_ladders",
    "best_by_3bv",
    "board_key",
    "board_of",
    "board_progression",
    "combined_page",
    "history_key",
    "history_page",
    "identities_of_account",
    "latest_records",
    "leaderboard_page",
    "names_to_claim",
    "open_board",
    "open_framed",
    "open_sub",
    "percentile",
    "player_bests",
    "player_of_account",
    "player_of_id",
    "player_progression",
    "player_records",
    "player_with_names",
    "players_page",
    "rank_history",
    "records_page",
    "sub_ladder",
    "sub_ladders",
    "top_places",
]
