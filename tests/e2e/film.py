"""The viewer of films in browser tests."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def use_film(page: Page) -> None:
    """Let the viewer load what it loads with the first sign of a person, and wait for it and for the layers that are on."""
    film = page.locator("[data-film]")
    film.evaluate("(root) => { root.viewer.use(); }")
    used(page)


def used(page: Page) -> None:
    """Wait until the viewer can be used."""
    expect(page.locator("[data-film][data-used]")).to_have_count(1)
    page.locator("[data-film]").evaluate("(root) => root.viewer.controls.layering")
