"""Forgeries of real games: which are stopped before they rank, which are only found, which are missed.

python -m tests.bench.forgeries            200 forgeries of 20 shared games, each with a new random seal
python -m tests.bench.forgeries --all      every kind of every game, with new seals and with the old ones
"""
