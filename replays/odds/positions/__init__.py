"""The probability tool: exact mine probabilities of a position, with reasons, as page and API; and the 1-and-2 page.

``positions`` parses and limits positions, ``results`` evaluates them, ``drawing`` and ``texts`` prepare what pages show.
Nothing here uses the database.
"""
