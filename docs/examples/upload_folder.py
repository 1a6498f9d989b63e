"""Upload the replays of a folder to a Sweepbook site, and those that a clone saves there later.

    SWEEPBOOK_TOKEN=swb_… python upload_folder.py https://sweepbook.example replays/          # goes on and watches
    SWEEPBOOK_TOKEN=swb_… python upload_folder.py https://sweepbook.example replays/ --once   # ends after all files

A token with the scope `upload` is made on the account page.  It may be stopped at any moment: what the site has is not sent
again, since it is asked by the SHA-256 of each file first.  Nothing but Python 3.11 is needed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import time
import uuid
from collections.abc import Iterable, Iterator
from itertools import batched
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen
