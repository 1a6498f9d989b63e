"""The domain: computes statistics from recordings.  Plain Python, numpy and numba; imports no web framework."""

import os

# numba reads this when it is imported, which is later.
os.environ.setdefault(
    "NUMBA_CACHE_LOCATOR_CLASSES",
    ",".join(f"analysis.kernel_cache.{name}" for name in ("NamedFolder", "BesideTheSource", "HomeFolder")),
)
