"""The process that computes, with the priority of the tests that wait for it."""

from __future__ import annotations

from replays.odds.calculator import calculator_process

if __name__ == "__main__":
    calculator_process._NICE = 0  # type: ignore[misc] # final for the site alone
    calculator_process.main()
