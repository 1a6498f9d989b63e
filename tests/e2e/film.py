"""The viewer of films in browser tests."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def use_film(page: Page, odds: str = "ready") -> None:
    """Let the viewer load what it loads with the first sign of a person, and wait for it."""
    page.locator("[data-film]").evaluate("(root) => { root.viewer.use(); }")
    expect(page.locator(f"[data-film][data-odds={odds}]")).to_have_count(1)
