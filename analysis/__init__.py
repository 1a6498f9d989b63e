"""The domain: recordings in, numbers out.  Plain Python, numpy and numba; imports no web framework."""
