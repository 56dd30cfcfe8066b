"""Rubrics, the checks that decide them, judges, and reward terms.

States
- ``rubrics``: the states of rubrics while an episode runs
- ``judge``: the protocol of a judge
- ``judges``: judges by name, and ``judge=`` of the environment

Rules
- ``checks``: every kind of check (on records, on what is said, on what is looked up, on what must not be)
- ``records``: kinds of records, and what their statuses mean
- ``phrases``, ``quantities``, ``reading``, ``numerals``: wordings, numbers, dates, times and money in what is said
- ``plan``, ``matching``, ``rule_judge``: which record each goal means, and the states that follow

Other judges
- ``expectation``, ``ledger_judge``, ``solutions``: public tasks by the records that they expect
- ``windows``, ``model_prompt``, ``model_reply``, ``model_judge``: a language model, window by window
- ``vote``, ``unreliable``: several judges as one; judges that are late or wrong on purpose
- ``rescoring``: saved episodes scored again

Reward
- ``transition``: one step, as terms see it
- ``single_terms``, ``terms``: reward terms, and ``reward=`` of the environment

It knows neither user nor agent.
"""

from vitagym.rewards import checks as checks
