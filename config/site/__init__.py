"""`make run`: the whole site on one machine, as one supervisor and its child processes."""
