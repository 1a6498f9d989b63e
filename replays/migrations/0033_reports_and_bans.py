from __future__ import annotations

from itertools import groupby
from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def _copy_reports_of_comments(apps: Any, editor: Any) -> None:
    """Comments that are reported wait in the queue of all things; a case is open as long as one of its reports is."""
    old, thing, report = (apps.get_model("replays", name) for name in ("CommentReport", "ReportedThing", "Report"))
    rows = old.objects.select_related("comment").order_by("comment", "id").iterator(chunk_size=1000)
    for number, found in groupby(rows, key=lambda row: row.comment_id):
        reports = list(found)
        waiting = [row.created_at for row in reports if row.closed_at is None]
        case = thing.objects.create(
            kind="comment",
            number=number,
            about_id=reports[0].comment.user_id,
            opened_at=min(waiting or [reports[0].created_at]),
            closed_at=None if waiting else max(row.closed_at for row in reports),
        )
        report.objects.bulk_create(
            report(
                thing=case, user_id=row.user_id, rule="other", text=row.reason, made_at=row.created_at,
                closed_at=row.closed_at,
            )
            for row in reports
        )  # fmt: skip


def _nothing(apps: Any, editor: Any) -> None:
    """Leave the rows that were copied where they are."""


class Migration(migrations.Migration):
    dependencies = [
        ("replays", "0032_sort_by_result_and_date"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Ban",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "rule",
                    models.CharField(
                        choices=[
                            ("spam", "Spam or advertising"),
                            ("abuse", "Insults or harassment"),
                            ("name", "Offensive or misleading name"),
                            ("cheating", "Cheating or an edited file"),
                            ("theft", "Someone else's game"),
                            ("private", "Private information"),
                            ("other", "Something else"),
                        ],
                        max_length=8,
                    ),
                ),
                ("reason", models.CharField(blank=True, default="", max_length=255)),
                ("made_at", models.DateTimeField()),
                ("until", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="bans",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="BanAppeal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField(max_length=1000)),
                ("made_at", models.DateTimeField()),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "open"), ("granted", "granted"), ("denied", "denied")],
                        default="open",
                        max_length=7,
                    ),
                ),
                ("answer", models.CharField(blank=True, default="", max_length=255)),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                (
                    "ban",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="appeals", to="replays.ban"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ReportedThing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("replay", "Replay"),
                            ("comment", "Comment"),
                            ("name", "Player name"),
                            ("room", "Room"),
                            ("account", "Account"),
                        ],
                        max_length=8,
                    ),
                ),
                ("number", models.BigIntegerField()),
                ("opened_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "about",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="reported_things",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "rule",
                    models.CharField(
                        choices=[
                            ("spam", "Spam or advertising"),
                            ("abuse", "Insults or harassment"),
                            ("name", "Offensive or misleading name"),
                            ("cheating", "Cheating or an edited file"),
                            ("theft", "Someone else's game"),
                            ("private", "Private information"),
                            ("other", "Something else"),
                        ],
                        max_length=8,
                    ),
                ),
                ("text", models.CharField(blank=True, default="", max_length=255)),
                ("made_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="reports", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "thing",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reports",
                        to="replays.reportedthing",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="ban",
            index=models.Index(fields=["user", "-id"], name="bans_of_user"),
        ),
        migrations.AddIndex(
            model_name="ban",
            index=models.Index(condition=models.Q(("ended_at__isnull", True)), fields=["-id"], name="bans_in_force"),
        ),
        migrations.AddConstraint(
            model_name="ban",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at__isnull", True)), fields=("user",), name="one_ban_at_a_time"
            ),
        ),
        migrations.AddConstraint(
            model_name="ban",
            constraint=models.CheckConstraint(
                condition=models.Q(("until", None), ("until__gt", models.F("made_at")), _connector="OR"),
                name="ban_ends_after_it_began",
            ),
        ),
        migrations.AddIndex(
            model_name="banappeal",
            index=models.Index(condition=models.Q(("state", "open")), fields=["id"], name="ban_appeals_open"),
        ),
        migrations.AddConstraint(
            model_name="banappeal",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "open")), fields=("ban",), name="one_open_appeal_a_ban"
            ),
        ),
        migrations.AddIndex(
            model_name="reportedthing",
            index=models.Index(
                condition=models.Q(("closed_at__isnull", True)), fields=["opened_at", "id"], name="cases_open"
            ),
        ),
        migrations.AddConstraint(
            model_name="reportedthing",
            constraint=models.UniqueConstraint(fields=("kind", "number"), name="one_case_a_thing"),
        ),
        migrations.AddIndex(
            model_name="report",
            index=models.Index(
                condition=models.Q(("closed_at__isnull", True)), fields=["thing", "id"], name="reports_open"
            ),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.UniqueConstraint(fields=("thing", "user"), name="one_report_a_person"),
        ),
        migrations.RunPython(_copy_reports_of_comments, _nothing),
    ]
