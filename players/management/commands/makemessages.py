"""Django's own command, which also collects the texts that ``analysis`` marks with ``N_``."""

from __future__ import annotations

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    """``manage.py makemessages -l zh_Hans -i .venv -i var -i tests --no-location`` updates the catalogue."""

    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=N_"]
