from __future__ import annotations

from typing import Any

from django.urls import reverse
from rest_framework import serializers

from players.web.api import Values
from replays.browse.data.tars import FOLDER, Month


class DumpFileSerializer(serializers.Serializer[Values]):
    """A file of a dump."""

    name = serializers.CharField(help_text="As in the folder of the dump.")
    kind = serializers.CharField(allow_null=True, help_text="What its rows are; null for files of another sort.")
    rows = serializers.IntegerField(allow_null=True, help_text="How many rows it has; null where kind is null.")
    bytes = serializers.IntegerField(help_text="Its size.")
    sha256 = serializers.CharField(help_text="The hash of its bytes, hexadecimal; also its ETag.")
    download = serializers.CharField(help_text="Its address, which takes Range and If-Range.")


class DumpSerializer(serializers.Serializer[Values]):
    """All public rows at one moment."""

    name = serializers.CharField(help_text="The name of its folder: when it was begun, in UTC.")
    taken_at = serializers.DateTimeField(help_text="When it was begun; all rows are those of one moment just after.")
    changes_after = serializers.CharField(help_text="`after` of the changes that are not in the dump.")
    statistics_version = serializers.IntegerField(help_text="Of the definitions of statistics.")
    licence = serializers.CharField(
        allow_null=True, help_text="SPDX name of the licence of the rows; null: none is named."
    )
    licence_url = serializers.CharField(allow_null=True, help_text="The text of the licence.")
    files = DumpFileSerializer(many=True, help_text="Rows of each kind, all of them as SQLite, and their schema.")


class MonthSerializer(serializers.Serializer[Values]):
    """The replay files that were uploaded in one month, as a tar."""

    month = serializers.CharField(help_text="As 2026-01.")
    files = serializers.IntegerField(help_text="How many files are in the tar.")
    bytes = serializers.IntegerField(help_text="The size of the tar.")
    sha256 = serializers.CharField(help_text="The hash of the tar, hexadecimal; also its ETag.")
    download = serializers.CharField(help_text="The address of the tar, which takes Range and If-Range.")
    index = serializers.CharField(
        help_text="The address of the list of its files: name, SHA-256 and number of the replay."
    )
    index_sha256 = serializers.CharField(help_text="The hash of that list.")


class DataSerializer(serializers.Serializer[Values]):
    """The dumps, newest first, and the replay files of the newest."""

    dumps = DumpSerializer(many=True, help_text="Those that are kept, newest first.")
    replay_files = MonthSerializer(many=True, help_text="A tar for each month, newest first.")


def data_values(dumps: list[dict[str, Any]], months: list[Month]) -> Values:
    return {"dumps": [_dump(one) for one in dumps], "replay_files": [_month(one) for one in months]}


def _dump(index: dict[str, Any]) -> Values:
    files = [{**one, "download": _download(index["name"], one["name"])} for one in index["files"]]
    return {**index, "files": files}


def _month(one: Month) -> Values:
    return {
        "month": one.month, "files": one.files, "bytes": one.bytes, "sha256": one.sha256,
        "download": _download(FOLDER, one.name), "index": _download(FOLDER, one.index), "index_sha256": one.index_sha256,
    }  # fmt: skip


def _download(folder: str, name: str) -> str:
    return reverse("data-file", args=[folder, name])
