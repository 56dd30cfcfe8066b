"""Tasks: what a person wants, in which world, and what satisfies it.

- ``task``: the task and its parts
- ``checks``: the base of typed checks (the checks themselves live in ``vitagym.rewards``)
- ``sources``: load_tasks, make_task
- ``public``: load_public
- ``lint``: faults of task data
- ``environment``: the catalogue of a task
"""
