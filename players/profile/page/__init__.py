"""The page of a player: personal bests with ranks, sub ladder, best by 3BV, latest records and replays."""
