"""The bots: habits and speeds of each.

The names are invented and end in a word that says what they are, so that nobody takes a bot for a person.
"""

from __future__ import annotations

from dataclasses import dataclass

from analysis.recording import Level
from analysis.solver import Strength

#: How often a bot plays each level; the weights of one bot need not sum to 1.
LevelWeights = tuple[tuple[Level, float], ...]

_ALL_LEVELS: LevelWeights = (
    (Level.BEGINNER, 0.30),
    (Level.BEGINNER_9X9, 0.05),
    (Level.INTERMEDIATE, 0.33),
    (Level.EXPERT, 0.32),
)
_MOSTLY_EXPERT: LevelWeights = (
    (Level.BEGINNER, 0.20),
    (Level.BEGINNER_9X9, 0.02),
    (Level.INTERMEDIATE, 0.26),
    (Level.EXPERT, 0.52),
)
_MOSTLY_SMALL: LevelWeights = (
    (Level.BEGINNER, 0.42),
    (Level.BEGINNER_9X9, 0.13),
    (Level.INTERMEDIATE, 0.30),
    (Level.EXPERT, 0.15),
)


@dataclass(frozen=True, slots=True)
class BotProfile:
    """One simulated player.

    Parameters
    ----------
    name
        The name written into the replay.
    country
        ISO 3166 code of two letters, or "" for none.
    reaction_ms
        Median time from seeing new numbers to knowing what an easy one of them means.
    move_base_ms, move_bit_ms
        Fitts's law: moving to a target takes ``move_base_ms + move_bit_ms * log2(distance / 16 px + 1)``.
    press_ms
        Median time that a button stays down.
    aim_px
        Standard deviation of the point hit, around the middle of the cell.
    tremor_px
        Standard deviation of the noise on the cursor's way.
    sample_ms
        Mean time between two recorded mouse moves: 8 (125 Hz mouse) to 16 (old mouse).
    slip_rate
        Share of left clicks that land on a cell beside the one meant.
    waste_rate
        Share of actions that are followed by a click without use: on an open cell, a chord that opens nothing, a flag
        taken off and set again.
    strength
        What the bot knows: ``NOVICE`` looks at one number at a time, ``CAREFUL`` also at two; both guess by rule of
        thumb.  From ``SAFEST`` on the solver of that strength sees what they miss, and guesses.
    guess_luck
        Chance that a guess is made by looking under the cells.  It stands for the selection that people make when they
        keep their lucky games: without it hardly any Expert game would be won.
    flag_games
        Share of games in which the bot uses flags (FL); the others are NF.
    flag_habit
        Chance that a mine is flagged as soon as it is known, useful or not.
    chord_habit
        How much the bot likes a chord: 1 weighs clicks fairly, more prefers chords to single clicks.
    one_half_click
        Share of chords right after a flag that are made without releasing the right button (the "1.5 click").
    give_up_rate
        Share of games that are left unfinished, if they need not be won.
    progress
        How much slower the bot was two years ago: 0.3 means 30 % more time for everything.
    levels
        Weights of the levels.
    pace
        Factor on every duration.
    """

    name: str
    country: str
    reaction_ms: float
    move_base_ms: float
    move_bit_ms: float
    press_ms: float
    aim_px: float
    tremor_px: float
    sample_ms: float
    slip_rate: float
    waste_rate: float
    guess_luck: float
    flag_games: float
    flag_habit: float
    chord_habit: float
    one_half_click: float
    strength: Strength = Strength.CAREFUL
    give_up_rate: float = 0.1
    progress: float = 0.2
    levels: LevelWeights = _ALL_LEVELS
    pace: float = 1.0


DEMO_PROFILES: tuple[BotProfile, ...] = (
    BotProfile(
        name="Ada Bot",
        country="GB",
        reaction_ms=190,
        move_base_ms=34,
        move_bit_ms=52,
        press_ms=52,
        aim_px=2.4,
        tremor_px=0.5,
        sample_ms=8,
        slip_rate=0.0002,
        waste_rate=0.03,
        guess_luck=0.42,
        flag_games=0.25,
        flag_habit=0.05,
        chord_habit=0.9,
        one_half_click=0.85,
        strength=Strength.FULL,
        progress=0.08,
        levels=_MOSTLY_EXPERT,
    ),
    BotProfile(
        name="扫雷机器人",
        country="CN",
        reaction_ms=205,
        move_base_ms=36,
        move_bit_ms=54,
        press_ms=55,
        aim_px=2.6,
        tremor_px=0.6,
        sample_ms=8,
        slip_rate=0.0002,
        waste_rate=0.05,
        guess_luck=0.42,
        flag_games=0.85,
        flag_habit=0.10,
        chord_habit=1.2,
        one_half_click=0.95,
        strength=Strength.FULL,
        progress=0.12,
        levels=_MOSTLY_EXPERT,
    ),
    BotProfile(
        name="Zoë Roböt",
        country="AT",
        reaction_ms=250,
        move_base_ms=40,
        move_bit_ms=62,
        press_ms=58,
        aim_px=2.7,
        tremor_px=0.6,
        sample_ms=8,
        slip_rate=0.0003,
        waste_rate=0.05,
        guess_luck=0.35,
        flag_games=0.5,
        flag_habit=0.10,
        chord_habit=1.0,
        one_half_click=0.7,
        strength=Strength.FULL,
        progress=0.25,
    ),
    BotProfile(
        name="Marek Robot",
        country="PL",
        reaction_ms=300,
        move_base_ms=46,
        move_bit_ms=68,
        press_ms=60,
        aim_px=2.8,
        tremor_px=0.7,
        sample_ms=8,
        slip_rate=0.0003,
        waste_rate=0.03,
        guess_luck=0.35,
        flag_games=0.05,
        flag_habit=0.05,
        chord_habit=0.8,
        one_half_click=0.3,
        strength=Strength.FULL,
        progress=0.15,
        levels=_MOSTLY_EXPERT,
    ),
    BotProfile(
        name="Camille Automate",
        country="FR",
        reaction_ms=370,
        move_base_ms=52,
        move_bit_ms=76,
        press_ms=64,
        aim_px=2.9,
        tremor_px=0.7,
        sample_ms=10,
        slip_rate=0.0005,
        waste_rate=0.08,
        guess_luck=0.32,
        flag_games=0.95,
        flag_habit=0.35,
        chord_habit=1.4,
        one_half_click=0.5,
        strength=Strength.SAFEST,
        progress=0.3,
    ),
    BotProfile(
        name="Kenji Bot",
        country="JP",
        reaction_ms=450,
        move_base_ms=58,
        move_bit_ms=84,
        press_ms=66,
        aim_px=3.0,
        tremor_px=0.8,
        sample_ms=12,
        slip_rate=0.0006,
        waste_rate=0.06,
        guess_luck=0.28,
        flag_games=0.6,
        flag_habit=0.2,
        chord_habit=1.1,
        one_half_click=0.4,
        strength=Strength.SAFEST,
        progress=0.35,
    ),
    BotProfile(
        name="Nadia Bot",
        country="",
        reaction_ms=560,
        move_base_ms=66,
        move_bit_ms=94,
        press_ms=70,
        aim_px=3.0,
        tremor_px=0.8,
        sample_ms=12,
        slip_rate=0.0008,
        waste_rate=0.10,
        guess_luck=0.28,
        flag_games=0.4,
        flag_habit=0.3,
        chord_habit=1.2,
        one_half_click=0.2,
        strength=Strength.CAREFUL,
        progress=0.3,
    ),
    BotProfile(
        name="Lars Robot",
        country="SE",
        reaction_ms=720,
        move_base_ms=74,
        move_bit_ms=106,
        press_ms=74,
        aim_px=3.1,
        tremor_px=0.9,
        sample_ms=15,
        slip_rate=0.0010,
        waste_rate=0.11,
        guess_luck=0.24,
        flag_games=0.9,
        flag_habit=0.7,
        chord_habit=1.5,
        one_half_click=0.1,
        strength=Strength.CAREFUL,
        progress=0.4,
    ),
    BotProfile(
        name="Bruno Bot",
        country="BR",
        reaction_ms=900,
        move_base_ms=84,
        move_bit_ms=118,
        press_ms=78,
        aim_px=3.2,
        tremor_px=0.9,
        sample_ms=16,
        slip_rate=0.0015,
        waste_rate=0.13,
        guess_luck=0.21,
        flag_games=0.7,
        flag_habit=0.8,
        chord_habit=0.6,
        one_half_click=0.0,
        strength=Strength.CAREFUL,
        progress=0.45,
        levels=_MOSTLY_SMALL,
    ),
    BotProfile(
        name="Novice Bot",
        country="US",
        reaction_ms=1150,
        move_base_ms=95,
        move_bit_ms=130,
        press_ms=84,
        aim_px=3.3,
        tremor_px=1.0,
        sample_ms=16,
        slip_rate=0.0020,
        waste_rate=0.16,
        guess_luck=0.21,
        flag_games=0.6,
        flag_habit=0.9,
        chord_habit=0.3,
        one_half_click=0.0,
        strength=Strength.NOVICE,
        progress=0.5,
        levels=_MOSTLY_SMALL,
    ),
)
