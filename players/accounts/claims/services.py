"""Claims of accounts to names inside replays.

A claim comes with a code.  A fresh game that carries it (:func:`use_codes`) makes the claim effective if all games under
the name came from the claimant.  In every other case staff decide: who makes a game under a name today need not be who
played the older ones.  Uploading old files proves nothing, since everybody can download them.

The first name of an account gives it the player of that name; the replays of every further name are moved to that player
(``players.accounts.claims.numbers``).  Locks are taken in the order: replays, names, claims, players.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext as _

from players.accounts.claims.codes import make_code
from players.accounts.claims.numbers import bring_together, give_own_number
from players.db.retry import retry_on_conflict
from players.db.text import storable_name, storable_text
from players.decision_log import Action, Kind, log_decision
from players.models import Claim, Identity, Player, User
from players.people.services import set_country
from players.web.staff import own_matter_refusal
from replays.models import Replay

#: How long after it was made a code may be uploaded.
CODE_LIFETIME: Final = timedelta(hours=72)
#: Most claims that an account makes in a day.
MAX_CLAIMS_A_DAY: Final = 20
_PURPOSE: Final = "claim"
#: Sent with a name that staff gave to another account or that nobody owns any more, and the account that owned it before
#: (None: deleted), in the same transaction.
owner_changed: Final = Signal()


@dataclass(frozen=True, slots=True)
class CodeGame:
    """An analysed game whose file carries the code of a claim, in a format that can prove it; ``name``: without it."""

    claim_id: int
    replay_id: int
    name: str
    uploader_id: int | None
    uploaded_at: datetime


# --- claimants --------------------------------------------------------------------------------------------------------


@retry_on_conflict
def claim_make(user: User, name: str) -> Claim:
    """Claim ``name`` with a new code, or return the claim of ``user`` whose code is still valid or that staff look at.

    The name need not stand in any replay yet.  Raises ``ValidationError``.
    """
    name = storable_name(name)
    if not name:
        raise ValidationError(_("Enter the name from your replays."))
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)  # no two claims of an account at the same time
        identity = Identity.objects.select_related("player").filter(name=name).first()
        if identity is not None and identity.player.is_bot:
            raise ValidationError(_("This name belongs to a bot."))
        if identity is not None and identity.state == Identity.State.CLAIMED and identity.claimant_id == user.pk:
            raise ValidationError(_("This name is already yours."))
        now = timezone.now()
        waiting = Claim.objects.filter(user=user, name=name, state__in=Claim.WAITING).first()
        if waiting is not None and (waiting.state == Claim.State.REQUESTED or waiting.expires_at > now):
            return waiting
        if Claim.objects.filter(user=user, made_at__gt=now - timedelta(days=1)).count() >= MAX_CLAIMS_A_DAY:
            raise ValidationError(_("You've made too many claims today. Try again tomorrow."))
        if waiting is not None:
            Claim.objects.filter(pk=waiting.pk).update(state=Claim.State.WITHDRAWN)
        code = make_code(user.pk, _PURPOSE, Claim.objects.filter(user=user).count() + 1)
        return Claim.objects.create(user=user, name=name, code=code, made_at=now, expires_at=now + CODE_LIFETIME)


@retry_on_conflict
def claim_ask_staff(claim: Claim, text: str) -> Claim:
    """Raise ``ValidationError`` without a text, if the claim does not wait, or if no replay has the name."""
    words = storable_text(text.replace("\r", "").replace("\n", " "), Claim.MAX_CHARS)
    if not words:
        raise ValidationError(_("Tell us why the name is yours."))
    with transaction.atomic():
        row = _locked(claim)
        if not Identity.objects.filter(name=row.name).exists():
            raise ValidationError(_("We haven't seen a replay with this name yet. Play a game with the code."))
        row.state, row.text = Claim.State.REQUESTED, words
        row.save(update_fields=["state", "text"])
        return row


@retry_on_conflict
def claim_withdraw(claim: Claim) -> Claim:
    """Raise ``ValidationError`` if the claim does not wait."""
    with transaction.atomic():
        row = _locked(claim)
        row.state = Claim.State.WITHDRAWN
        row.save(update_fields=["state"])
        return row


def use_codes(games: Collection[CodeGame]) -> None:
    """Let each game support the claim whose code it carries; call it in the transaction that stored the games.

    A code of another account or name, one that was used, or one that had expired at the upload is ignored.  The claim
    becomes effective if nobody else uploaded or claims the name; else it waits for staff, who see the game.
    """
    for game in games:
        identity = Identity.objects.select_for_update(no_key=True).filter(name=game.name).first()
        claim = Claim.objects.select_for_update(no_key=True).get(pk=game.claim_id)
        if identity is None or not _is_used_by(claim, game):
            continue
        claim.used_at, claim.replay_id, claim.state = timezone.now(), game.replay_id, Claim.State.REQUESTED
        user = claim.user
        if user is not None and _is_free(identity, user) and not _obstacle(identity, user):
            _give(identity, user, Identity.Proof.CODE)
            claim.state = Claim.State.GRANTED
        claim.save(update_fields=["used_at", "replay", "state"])


def _is_used_by(claim: Claim, game: CodeGame) -> bool:
    return (
        claim.state in Claim.WAITING
        and claim.used_at is None
        and claim.user_id is not None
        and claim.user_id == game.uploader_id
        and claim.name == game.name
        and claim.made_at <= game.uploaded_at <= claim.expires_at
    )


def _is_free(identity: Identity, user: User) -> bool:
    """Return whether no account owns the name, and no other one has uploaded games under it or claims it."""
    games = Replay.objects.filter(player=identity.player_id, identifier=identity.name)
    rivals = Claim.objects.filter(name=identity.name, state=Claim.State.REQUESTED).exclude(user=user)
    return (
        identity.state == Identity.State.UNCLAIMED and not games.exclude(uploader=user).exists() and not rivals.exists()
    )


# --- staff ------------------------------------------------------------------------------------------------------------


@retry_on_conflict
def claim_approve(claim: Claim, by: User, reason: str = "") -> Identity:
    """Give the name to the claimant, also if another account owned it; raises ``ValidationError``."""
    with transaction.atomic():
        identity = Identity.objects.select_for_update(no_key=True).filter(name=claim.name).first()
        row = _locked(claim, Claim.State.REQUESTED)
        user = row.user
        if identity is None or user is None:
            raise ValidationError(_("The name or account of this claim no longer exists."))
        obstacle = own_matter_refusal(by, user.pk) or _obstacle(identity, user)
        if obstacle:
            raise ValidationError(obstacle)
        loser_id = identity.claimant_id if identity.state == Identity.State.CLAIMED else None
        was_claimed = identity.state == Identity.State.CLAIMED
        if was_claimed:
            identity.player = give_own_number(identity)
        _give(identity, user, Identity.Proof.STAFF)
        if was_claimed:
            owner_changed.send(Identity, identity=identity, former_owner_id=loser_id)
        _decide(row, Claim.State.GRANTED, by, reason)
        log_decision(
            by, Action.GRANTED, Kind.NAME, identity.player_id, about=user.pk, reason=row.reason,
            before=_holder(loser_id), after=_holder(user.pk),
        )  # fmt: skip
        if loser_id is not None:
            log_decision(
                by, Action.RELEASED, Kind.NAME, identity.player_id, about=loser_id, before=_holder(loser_id),
                after=_holder(user.pk),
            )  # fmt: skip
        return identity


@retry_on_conflict
def claim_refuse(claim: Claim, by: User, reason: str) -> Claim:
    """Raise ``ValidationError`` if the claim does not wait for staff, or without a reason."""
    if not storable_text(reason):
        raise ValidationError(_("Give a reason."))
    with transaction.atomic():
        identity = Identity.objects.select_for_update(no_key=True).filter(name=claim.name).first()
        row = _locked(claim, Claim.State.REQUESTED)
        refusal = own_matter_refusal(by, row.user_id)
        if refusal:
            raise ValidationError(refusal)
        _decide(row, Claim.State.REFUSED, by, reason)
        if identity is not None:
            log_decision(
                by, Action.REFUSED, Kind.NAME, identity.player_id, about=row.user_id, reason=row.reason,
                before="requested", after="refused",
            )  # fmt: skip
        return row


@retry_on_conflict
def release_name(identity: Identity, by: User | None = None) -> Identity:
    """Take the name from its account, or out of a player whom staff merged; it gets its own number back.

    Games under it that waited for the owner count then.  ``by``: a member of staff, for the log of decisions.
    """
    with transaction.atomic():
        identity = Identity.objects.select_for_update(no_key=True).get(pk=identity.pk)
        loser_id = identity.claimant_id
        identity.state, identity.claimant, identity.claimed_at = Identity.State.UNCLAIMED, None, None
        identity.proof = Identity.Proof.NONE
        identity.save(update_fields=["state", "claimant", "claimed_at", "proof"])
        identity.player = give_own_number(identity)
        owner_changed.send(Identity, identity=identity, former_owner_id=loser_id)
        if by is not None:
            log_decision(
                by, Action.RELEASED, Kind.NAME, identity.player_id, about=loser_id, before=_holder(loser_id),
                after=_holder(None),
            )  # fmt: skip
        return identity


# --- parts ------------------------------------------------------------------------------------------------------------


def _holder(account_id: int | None) -> str:
    """The holder of a name, for the log of decisions."""
    return "unclaimed" if account_id is None else f"account {account_id}"


def _locked(claim: Claim, *states: str) -> Claim:
    """The row of ``claim``, locked; raises ``ValidationError`` unless its state is one of ``states`` (any waiting)."""
    row = Claim.objects.select_for_update(no_key=True).get(pk=claim.pk)
    if row.state not in (states or Claim.WAITING):
        raise ValidationError(_("This claim has already been decided or withdrawn."))
    return row


def _decide(row: Claim, state: str, by: User, reason: str) -> None:
    row.state, row.decided_by, row.decided_at, row.reason = state, by, timezone.now(), storable_text(reason)
    row.save(update_fields=["state", "decided_by", "decided_at", "reason"])


def _obstacle(identity: Identity, user: User) -> str:
    """Return the reason why ``user`` cannot have the name, no matter who decides; "" if they can."""
    if identity.player.is_bot:
        return _("This name belongs to a bot.")
    own = Player.objects.filter(user=user).first()
    if own is not None and (own.is_bot or own.on_boards != identity.player.on_boards):
        return _("This account's player is a bot or is excluded from leaderboards.")
    return ""


def _give(identity: Identity, user: User, proof: str) -> None:
    identity.claimant, identity.state, identity.claimed_at = user, Identity.State.CLAIMED, timezone.now()
    identity.proof = proof
    identity.save(update_fields=["claimant", "state", "claimed_at", "proof"])
    own = Player.objects.select_for_update(no_key=True).filter(user=user).first()
    if own is not None:
        bring_together([identity], own)
        return
    if identity.player.user_id is not None or identity.player.identities.exclude(pk=identity.pk).exists():
        # Staff merged it with other names.
        identity.player = give_own_number(identity)
    Player.objects.filter(pk=identity.player_id).update(user=user)
    if user.country and (not identity.player.country or identity.player.country_from_files):
        set_country(identity.player, user.country)
