"""Evaluation: many episodes of many agents, every one of them kept.

- ``log``: what is kept of an episode, and how a run is read back
- ``recorder``: takes it down while an episode is played
"""
