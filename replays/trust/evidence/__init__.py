"""Evidence in the files of replays, kept and compared: evidence classes, equal plays, the date that counts."""
