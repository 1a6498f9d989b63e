"""The film of a game: everything that a viewer shows, counted by the click machine, so that the viewer counts nothing.

film = film_of(analysis)
encode(film)            # the bytes that a page loads
"""

from __future__ import annotations

from analysis.film.encoding import encode as encode
from analysis.film.film import Film as Film
from analysis.film.film import film_of as film_of
