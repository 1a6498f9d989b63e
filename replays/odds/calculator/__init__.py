"""Computations of visitors that may take up to a second: in a process of low priority, one at a time.

``calculator_process`` is that process, ``calculator_client`` calls it.  In a web process such a computation would hold
the interpreter lock, or a processor, while other visitors wait for their pages.
"""
