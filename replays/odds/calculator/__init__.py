"""Computations of visitors that may take up to a second: in a process of low priority, one at a time.

``server`` is that process, ``client`` calls it.  In a web process such a computation would hold the interpreter lock,
or a processor, while other visitors wait for their pages.
"""
