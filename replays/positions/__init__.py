"""Positions: exact probabilities of any position, with reasons, and a classic question; pages and API.

``positions`` reads what is given and knows the limits, ``answers`` answers, ``drawing`` and ``texts`` show it to people.
Nothing here touches the database.
"""
