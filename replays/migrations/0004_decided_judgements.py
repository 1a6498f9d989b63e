"""Judgements from before there were rules are all by staff; no rule may overrule them."""

from django.db import migrations


def mark_decided(apps, schema_editor):
    Replay = apps.get_model("replays", "Replay")
    LogEntry = apps.get_model("admin", "LogEntry")
    Replay.objects.exclude(judgement="accepted").update(judgement_code="staff")
    entries = LogEntry.objects.filter(
        content_type__app_label="replays", content_type__model="replay", change_message__contains=" -> accepted: "
    )
    numbers = sorted({int(text) for text in entries.values_list("object_id", flat=True) if text.isdecimal()})
    for begin in range(0, len(numbers), 500):
        rows = Replay.objects.filter(pk__in=numbers[begin : begin + 500], judgement="accepted")
        rows.update(judgement_code="staff")


class Migration(migrations.Migration):
    dependencies = [
        ("replays", "0003_judgements"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.RunPython(mark_decided, migrations.RunPython.noop, elidable=True),
    ]
