"""The site that the stranger plays on; all that is known of ours here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from players.models import User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from tests.e2e.site import running_site
from tests.replays.play.referee.conftest import valkey as valkey
from tests.replays.play.rooms.conftest import RunningReferee
from tests.replays.play.rooms.conftest import referee as referee


@pytest.fixture
def address(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of the site, which no worker stands behind."""
    monkeypatch.setattr("replays.play.tickets_api.TICKET_LIMIT._rate", "10000/minute")
    monkeypatch.setattr("replays.play.solo.playing.outcomes._PATIENCE_SECONDS", 3)
    with running_site() as site:
        yield site.url


@pytest.fixture
def address_with_rooms(referee: RunningReferee, address: str) -> str:
    """The same, with what decides the moves of rooms."""
    return address


@pytest.fixture
def token(owner: User) -> str:
    """The API token of an account."""
    return token_create(owner, "stranger", [Scope.UPLOAD])[1]
