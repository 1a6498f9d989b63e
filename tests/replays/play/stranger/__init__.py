"""A client of live play whose author never saw the site's code: it was written from ``docs/play-protocol.md`` alone, and must
stay so.

Where it fails, either the site or the document is wrong; the client is mended only by what the document then says.  So
nothing here but ``conftest.py``, which starts the site, imports anything of ours (``test_wire.py`` looks).
"""
