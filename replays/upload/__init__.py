"""From a file to its numbers: receiving, one's own uploads and batches, analysing, settling."""
