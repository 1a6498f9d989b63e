"""The solver at work: its games move by move with reasons, and how strong each of its stages is."""
