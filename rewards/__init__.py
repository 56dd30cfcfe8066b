"""Rubrics, the checks that decide them, judges, and reward terms.

- ``rubrics``: the states of rubrics while an episode runs
- ``checks``: typed checks over ledger and transcript
- ``judges``: judges, and ``judge=`` of the environment
- ``terms``: reward terms, and ``reward=`` of the environment
"""

from vitagym.rewards import checks as checks
