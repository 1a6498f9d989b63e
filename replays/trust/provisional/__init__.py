"""Provisional games: they have their place on the boards, and become final when staff accept them or time has passed."""
