"""Rooms: many players on one board, in the web process that holds their sockets."""
