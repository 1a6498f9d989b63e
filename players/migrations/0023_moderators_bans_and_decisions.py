from __future__ import annotations

from typing import Any, Final

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

#: Rows of the log are only added; an empty table may be emptied, which restoring a backup does.
_REFUSE: Final = """
CREATE FUNCTION players_decision_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'TRUNCATE' OR EXISTS (SELECT FROM players_decision) THEN
    RAISE EXCEPTION 'the log of decisions is only added to' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER decision_is_kept BEFORE UPDATE OR DELETE ON players_decision
  FOR EACH ROW EXECUTE FUNCTION players_decision_is_kept();
CREATE TRIGGER decisions_are_kept BEFORE TRUNCATE ON players_decision
  FOR EACH STATEMENT EXECUTE FUNCTION players_decision_is_kept();
"""
_ALLOW: Final = """
DROP TRIGGER decision_is_kept ON players_decision;
DROP TRIGGER decisions_are_kept ON players_decision;
DROP FUNCTION players_decision_is_kept();
"""


def _on_postgresql(statements: str) -> Any:
    def run(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
        if editor.connection.vendor == "postgresql":
            editor.execute(statements)

    return run


class Migration(migrations.Migration):
    dependencies = [("players", "0022_changes")]

    operations = [
        migrations.AddField(
            "user", "is_moderator", models.BooleanField(db_default=False, default=False, verbose_name="moderator")
        ),
        migrations.AddField("user", "banned_until", models.DateTimeField(blank=True, editable=False, null=True)),
        migrations.CreateModel(
            name="Decision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("by_number", models.BigIntegerField(null=True)),
                ("by_name", models.CharField(blank=True, max_length=150)),
                (
                    "action",
                    models.CharField(
                        choices=[
                            ("dismissed", "Reports looked at: nothing wrong"),
                            ("judged", "Replay judged"),
                            ("dated", "Date of a replay decided"),
                            ("owned", "Decided whether the game counts for you"),
                            ("deleted", "Replay deleted"),
                            ("hidden", "Comment hidden"),
                            ("shown", "Comment shown again"),
                            ("renamed", "Player renamed"),
                            ("merged", "Players merged"),
                            ("granted", "Claim approved"),
                            ("refused", "Claim rejected"),
                            ("released", "Name released"),
                            ("closed", "Room closed"),
                            ("commanded", "Room moderated"),
                            ("banned", "Account banned"),
                            ("lifted", "Ban lifted"),
                            ("upheld", "Appeal rejected: the ban stays"),
                            ("role_given", "Made a moderator"),
                            ("role_taken", "No longer a moderator"),
                        ],
                        max_length=16,
                    ),
                ),
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
                ("about_number", models.BigIntegerField(null=True)),
                (
                    "rule",
                    models.CharField(
                        blank=True,
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
                ("reason", models.CharField(blank=True, max_length=255)),
                ("before", models.CharField(blank=True, max_length=64)),
                ("after", models.CharField(blank=True, max_length=64)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("about_number__isnull", False)),
                        fields=["about_number", "-id"],
                        name="decisions_about",
                    )
                ],
            },
        ),
        migrations.RunPython(_on_postgresql(_REFUSE), _on_postgresql(_ALLOW)),
    ]
