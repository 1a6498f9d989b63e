"""Write the Chinese catalogue sorted by message and wrapped, so that two changes seldom meet in one line."""

from pathlib import Path

from babel.messages.pofile import read_po, write_po

CATALOGUE = Path(__file__).resolve().parents[2] / "config/locale/zh_Hans/LC_MESSAGES/django.po"


def main() -> None:
    """Rewrite the catalogue in place."""
    with CATALOGUE.open("rb") as file:
        catalogue = read_po(file, locale="zh_Hans")
    with CATALOGUE.open("wb") as file:
        write_po(file, catalogue, width=76, sort_output=True)


if __name__ == "__main__":
    main()
