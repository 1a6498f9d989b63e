from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.db.chunks import chunked
from replays.models import Replay
from replays.trust.judging.selectors import judgement_text
from replays.trust.reasons import reject_text
from replays.upload.intake.from_disk.paths import LINK_NOT_FOLLOWED
from replays.upload.intake.receipts import Outcome, Receipt, some_names

_IDS_A_QUERY = 1_000
NOT_RECOGNISED = "not_recognised"


@dataclass(slots=True)
class Report:
    files: int = 0
    stored: int = 0
    duplicate_files: int = 0
    linked: list[tuple[str, str]] = field(default_factory=list)  # stored, but another file has the game: name, sentence
    failures: list[tuple[str, str, str]] = field(default_factory=list)  # file name, code, sentence
    unrecognised: list[str] = field(default_factory=list)  # file names
    links: list[str] = field(default_factory=list)  # names of links that were not followed; they are no files
    system_files: list[str] = field(default_factory=list)  # names of files that an operating system made
    unsettled: int = 0

    def lines(self) -> Iterator[str]:
        yield ngettext("%d file", "%d files", self.files) % self.files
        yield _("  stored: %d") % self.stored
        yield _("  duplicate file: %d") % self.duplicate_files
        yield _("  same game as another file: %d") % len(self.linked)
        for name, text in self.linked:
            yield f"    {name}: {text}"
        if self.unsettled:
            yield _("  not analysed yet: %d") % self.unsettled
        if self.unrecognised:
            yield _("  unknown format, not stored: %d") % len(self.unrecognised)
            for name in self.unrecognised:
                yield f"    {name}"
        if self.links:
            yield _("  links skipped (broken, or pointing outside the folder): %d") % len(self.links)
            for name in self.links:
                yield f"    {name}"
        if self.system_files:
            names = some_names(sorted(set(self.system_files)))
            yield _("  operating system files skipped: %(count)s (%(names)s)") % {
                "count": len(self.system_files),
                "names": names,
            }
        yield _("  failed: %d") % len(self.failures)
        for code, count in sorted(Counter(code for _name, code, _text in self.failures).items()):
            yield f"    {code}: {count}"
            for name, _code, text in self.failures:
                if _code == code:
                    yield f"      {name}: {text}"


def report_of(receipts: Sequence[Receipt]) -> Report:
    """Read the present statuses of the rows."""
    links = [receipt.name for receipt in receipts if receipt.code == LINK_NOT_FOLLOWED]
    system = [name for receipt in receipts for name in receipt.system_files]
    receipts = [receipt for receipt in receipts if not receipt.system_files]
    report = Report(files=len(receipts) - len(links), links=links, system_files=system)
    rows = _rows([receipt.replay_id for receipt in receipts if receipt.replay_id is not None])
    for receipt in receipts:
        if receipt.code == LINK_NOT_FOLLOWED:
            continue
        if receipt.code == NOT_RECOGNISED:
            report.unrecognised.append(receipt.name)
        elif receipt.outcome is Outcome.REFUSED:
            report.failures.append((receipt.name, receipt.code, receipt.message))
        elif receipt.outcome is Outcome.DUPLICATE:
            report.duplicate_files += 1
        else:
            _count_stored(report, receipt, rows.get(receipt.replay_id or 0))
    return report


def _count_stored(report: Report, receipt: Receipt, row: Replay | None) -> None:
    if row is None or row.status in (Replay.Status.QUEUED, Replay.Status.RUNNING):
        report.unsettled += 1
    elif row.status == Replay.Status.DONE:
        report.stored += 1
        if row.judgement in Replay.FOR_OTHERS:
            report.linked.append((receipt.name, judgement_text(row)))
    else:
        report.failures.append((receipt.name, row.reject_code, reject_text(row)))


def _rows(ids: Sequence[int]) -> dict[int, Replay]:
    columns = (
        "status", "reject_code", "reject_params", "judgement", "judgement_code", "judgement_params", "judgement_reason",
    )  # fmt: skip
    return {
        row.pk: row
        for chunk in chunked(ids, _IDS_A_QUERY)
        for row in Replay.objects.only(*columns).filter(pk__in=chunk)
    }
