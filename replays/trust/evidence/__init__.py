"""What the files of replays prove, kept and compared: evidence classes, equal plays, the date that counts."""
