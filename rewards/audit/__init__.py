"""The reward audit: attackers that try to be paid without doing the task.

- ``attackers``: who they are
- ``raids``: plays them on a task, every reward at once
- ``findings``: what they got, beside what honest success gets
"""
