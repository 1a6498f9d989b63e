"""Tools for thinking about the game: exact probabilities of a position, classic questions, and matches of the solver.

``positions`` reads what is asked and knows the limits, ``answers`` answers, ``drawing`` and ``texts`` show it to people;
``views`` and ``api`` are the two ways in.  Nothing here touches the database.
"""
