"""Encodings of names inside replays: people choose another one than our guess."""
