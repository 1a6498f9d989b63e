"""Deduction as a person does it, step by step, with a sentence for each step.

    deduction = deduce(position)
    for step in deduction.steps:
        print(step.rule, step.sentence())

The rules rise in difficulty; see :class:`Rule`.
"""

from __future__ import annotations

from analysis.deduction.conclusion import SENTENCES as SENTENCES
from analysis.deduction.conclusion import Conclusion as Conclusion
from analysis.deduction.conclusion import Rule as Rule
from analysis.deduction.deduce import Deduction as Deduction
from analysis.deduction.deduce import deduce as deduce
from analysis.deduction.deduce import deduce_from as deduce_from
from analysis.deduction.needed import needed_steps as needed_steps
