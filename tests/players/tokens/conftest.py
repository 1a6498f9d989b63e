from tests.replays.conftest import ingest, store  # noqa: F401 - fixtures
