"""The review of a replay: guesses, wasted clicks, missed chords, slow stretches, and four scores (``analysis.review``)."""
