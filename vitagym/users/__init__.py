"""Simulated users: whoever the agent talks with. They go by what they were told; they never read ledger or rubrics.

- ``user``: the protocol
- ``scripted``: the agenda-based default
- ``solo``: says everything at once and confirms everything
- ``choice``: ``user=`` of the environment
"""
