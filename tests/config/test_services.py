"""The services that other tests use."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client

from players.models import Player, User
from tests.services import Broker


def test_accounts_are_three_people(owner: User, other_player: User, staff: User, anonymous: Client) -> None:
    assert User.objects.count() == 3
    assert set(Player.objects.values_list("user", flat=True)) == {owner.pk, other_player.pk}
    assert staff.is_staff
    assert not anonymous.session.keys()


def test_clearing_the_cache_leaves_queued_work_alone(broker: Broker) -> None:
    import redis

    queue = redis.Redis.from_url(settings.CELERY_BROKER_URL)
    queue.lpush("celery", "work")
    cache.set("page", 1)
    cache.clear()
    assert queue.llen("celery") == 1
    assert cache.get("page") is None
    queue.close()


def test_a_stopped_broker_comes_back_on_its_port(broker: Broker) -> None:
    import redis

    client = redis.Redis.from_url(broker.url)
    assert client.ping()
    broker.stop()
    with pytest.raises(redis.ConnectionError):
        client.ping()
    broker.start()
    assert client.ping()
    client.close()
