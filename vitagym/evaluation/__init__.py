"""Evaluation: many episodes of many agents, every one of them kept.

- ``plan``: which episodes a run has
- ``runner``: plays them, many in flight in one event loop; ``playing``: one of them; ``cluster``: on Ray
- ``folder``: where they are kept, so that a kill loses none that has ended
- ``log``: what is kept of an episode, and how it is read back; ``recorder``: takes it down; ``log_fields``: its table
- ``answers``: what models are asked and say, kept and given again
- ``spending``: prices and budgets; ``summary``: a few figures as it goes on; ``clock``: time, for logs alone
- ``replaying``: a log played again without models; ``difference``: two runs; ``comparing``: where two values part
- ``training_data``: records to train from; ``inspect_log``: eval logs of Inspect
"""
