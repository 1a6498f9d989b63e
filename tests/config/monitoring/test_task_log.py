"""One line a task, with its name and id; of its arguments only numbers."""

from __future__ import annotations

import logging

from celery import shared_task

from players.web import counters
from tests.config.monitoring.conftest import Lines

logger = logging.getLogger(__name__)


@shared_task(name="tests.works")
def works(ids: list[int], secret: str) -> None:
    logger.warning("in the task")


@shared_task(name="tests.fails")
def fails(text: str) -> None:
    raise ValueError("it fails")


def test_a_task_has_a_line_and_names_the_lines_in_it(lines: Lines) -> None:
    counters.forget()
    works.apply(args=([3, 4], "a password"), task_id="t1")
    [inner] = lines.of(__name__)
    [line] = lines.of("sweepbook.tasks")
    assert (inner["task"], inner["task_id"], inner["ids"]) == ("tests.works", "t1", [3, 4])
    assert (line["task"], line["state"], line["ids"]) == ("tests.works", "SUCCESS", [3, 4])
    assert line["ms"] >= 0
    assert "a password" not in "".join(lines.texts)
    done = {"task": "tests.works", "state": "SUCCESS"}
    assert counters.REGISTRY.get_sample_value("sweepbook_tasks_total", done) == 1
    logger.warning("after the task")
    assert "task" not in lines.of(__name__)[-1]


def test_a_task_that_fails_has_a_line(lines: Lines) -> None:
    fails.apply(args=("a password",), task_id="t2")
    [line] = lines.of("sweepbook.tasks")
    assert (line["state"], "ids" in line) == ("FAILURE", False)
