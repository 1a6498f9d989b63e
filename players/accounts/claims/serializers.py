from __future__ import annotations

from rest_framework import serializers

from players.models import MAX_NAME_CHARS, Claim
from players.web.api import TextField, Values
from players.web.json_bodies import JsonBody
from players.web.links import address_of


class ClaimSerializer(serializers.Serializer[Claim]):
    """A claim of a name; its page shows the code of the verification game."""

    id = serializers.IntegerField()
    name = serializers.CharField(help_text="The name that is claimed.")
    state = serializers.ChoiceField(choices=Claim.State.choices, help_text="How far the claim is.")
    made_at = serializers.DateTimeField(help_text="When the claim was made.")
    expires_at = serializers.DateTimeField(help_text="Until when a game with the code counts.")
    used_at = serializers.DateTimeField(
        allow_null=True, help_text="When a game with the code was analysed; null if none was."
    )
    text = TextField(help_text="What the account wrote to moderators.")
    reason = TextField(help_text="What moderators answered.")
    html_url = serializers.SerializerMethodField(help_text="The page of the claim.")

    def get_html_url(self, claim: Claim) -> str:
        return address_of("claim", claim.pk)


class ClaimsSerializer(serializers.Serializer[Values]):
    """Claims of the account that wait or were refused, the latest first."""

    rows = ClaimSerializer(many=True)


class NewClaimSerializer(JsonBody[Values]):
    """The name to claim."""

    name = serializers.CharField(
        max_length=MAX_NAME_CHARS, trim_whitespace=False, help_text="The name, exactly as it is written in files."
    )
