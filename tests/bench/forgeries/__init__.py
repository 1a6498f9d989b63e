"""Forgeries of real games: which are stopped before they rank, which are only found, which are missed.

python -m tests.bench.forgeries            200 forgeries of 20 shared games, each with a new random seal
python -m tests.bench.forgeries --all      every kind of every game, with new seals and with the old ones
python -m tests.bench.forgeries --copy-first  thirty copies of each kind that come before their originals, on a site
python -m tests.bench.forgeries --similar  200 a level with clicks in another order and a mine moved, and honest pairs
"""
