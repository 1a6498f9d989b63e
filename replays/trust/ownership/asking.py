"""Setting the columns of a row that depend on whose name its file carries, when it is analysed."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.db.models import F

from analysis.names import is_default_name
from analysis.recording import Recording
from players.accounts.claims.codes import codes_in, without_code
from players.accounts.claims.selectors import claims_with_codes
from players.accounts.claims.services import CodeGame, use_codes
from players.models import Claim
from replays.models import Replay, Sending
from replays.trust.evidence.traces import SEAL_REUSED
from replays.trust.judging.rules import VERSION_NEW

#: Formats of programs that record the games they play.  A RawVF file is a text that anybody can write.
_PROOF_FORMATS: Final = frozenset({"avf", "rmv", "mvf", "evf"})
#: A replay whose file carries a code of the site, and that code's claim.
CodeFound = tuple[Replay, Claim]


def _carry_proof(found: Collection[CodeFound]) -> list[CodeFound]:
    """Those whose codes count: a program recorded and sealed the game, and nobody played it before."""
    sealed = [
        (replay, claim)
        for replay, claim in found
        if replay.format in _PROOF_FORMATS
        and replay.evidence == Replay.Evidence.SEALED
        and not {VERSION_NEW, SEAL_REUSED} & {finding["code"] for finding in replay.findings}
    ]
    ids = [replay.pk for replay, _claim in sealed]
    placed = Replay.objects.filter(pk__in=ids, place__isnull=False).exclude(pk=F("place__holder")) if ids else ()
    known = {row.pk for row in placed}
    return [(replay, claim) for replay, claim in sealed if replay.pk not in known]


def take_codes(games: Collection[tuple[Replay, Recording]]) -> list[CodeFound]:
    """Remove the codes of the site from the names of replays; call it before anything else looks at the names.

    Codes are removed whether they are valid or not, so that no name with a code gets a player of its own.  Returns the
    replays with codes, for :func:`support_claims`.  One query if anything looks like a code, else none.
    """
    looked: list[tuple[Replay, list[str]]] = []
    for replay, recording in games:
        texts = (replay.identifier, *recording.code_texts)
        codes = [code for text in texts for code in codes_in(text)]
        if codes:
            looked.append((replay, codes))
    claims = claims_with_codes({code for _replay, codes in looked for code in codes})
    found: list[CodeFound] = []
    for replay, codes in looked:
        for code in dict.fromkeys(codes):
            claim = claims.get(code)
            if claim is not None:
                name = without_code(replay.identifier, code, claim.name)
                replay.identifier = "" if is_default_name(name) else name
                found.append((replay, claim))
    return found


def support_claims(found: Collection[CodeFound]) -> None:
    """Let stored games support the claims whose codes they carry, if the codes count as proof."""
    use_codes(
        [
            CodeGame(claim.pk, replay.pk, replay.identifier, replay.uploader_id, replay.uploaded_at)
            for replay, claim in _carry_proof(found)
        ]
    )


def ask_owner(replay: Replay) -> None:
    """Let ``replay``, whose player is set, wait for the owner of its name if somebody else uploaded it.

    Answers are kept.  A replay without an uploader is somebody else's: the account may have been deleted.
    """
    if replay.ownership != Replay.Ownership.NOT_ASKED or replay.player is None:
        return
    owner_id = replay.player.user_id
    others = owner_id is not None and replay.uploader_id != owner_id
    if others and not Sending.objects.filter(replay=replay.pk, user=owner_id).exists():
        replay.ownership = Replay.Ownership.WAITING
