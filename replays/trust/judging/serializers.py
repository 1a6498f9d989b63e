from __future__ import annotations

from typing import Any

from rest_framework import serializers

from replays.trust.judging.findings import finding_sentence


class FindingSerializer(serializers.Serializer[dict[str, Any]]):
    """Something about the file or the way in which the game was played that its reader should know."""

    code = serializers.CharField(help_text="Stable, for programs.")
    params = serializers.DictField(help_text="The values that the text names.")
    text = serializers.SerializerMethodField(help_text="The finding as a sentence.")

    def get_text(self, finding: dict[str, Any]) -> str:
        return finding_sentence(finding["code"], finding["params"])
