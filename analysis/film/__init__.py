"""The film of a game: everything that a viewer shows, counted by the click machine, so that the viewer counts nothing.

film = film_of(analysis)
encode(film)            # the bytes that a page loads
encode_odds(odds_of(film))    # the chances of mines at every moment, likewise
"""

from __future__ import annotations

from analysis.film.encoding import FILM_VERSION as FILM_VERSION
from analysis.film.encoding import encode as encode
from analysis.film.film import Film as Film
from analysis.film.film import film_of as film_of
from analysis.film.film_odds import ODDS_VERSION as ODDS_VERSION
from analysis.film.film_odds import OddsPack as OddsPack
from analysis.film.film_odds import encode_odds as encode_odds
from analysis.film.film_odds import odds_of as odds_of
