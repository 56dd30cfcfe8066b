"""The ``vitagym`` command.

- ``app``: the commands and their options; ``sections``: their order in the help
- ``task_commands``: commands about sets of tasks
- ``user_commands``: users measured
- ``understanding_command``: what users understand agents by, learnt
- ``evaluation_command``, ``evaluation_progress``, ``evaluation_results``: agents evaluated, how that goes on, what it
  comes to
- ``log_commands``: saved episodes played again, compared, turned into training data
- ``laboratory_command``, ``audit_command``: judges and rewards tried
- ``rescoring_command``: saved episodes scored again
- ``metrics_command``: what the logs of runs come to
- ``play_command``: a person plays, in the terminal or in the browser
- ``training_commands``: policies trained, evaluated, and made data of
- ``report_commands``: a run as a page, as plots, and served; ``serving``: until Ctrl-C
- ``rollout``: plays tasks with agents and sums up
- ``reach_command``: what is in reach of the symbolic candidates
- ``screen``: transcripts and tables in the terminal

Exit codes: 0, it worked; 1, what was asked about failed (``lint`` found faults, an endpoint failed in a rollout, the
rule judge was wrong, an attacker was paid); 2, the call was wrong (unknown id, option, file or language). With
``--json`` standard output is one JSON document.
"""

from vitagym.cli import (  # noqa: F401 - their commands become known
    audit_command,
    evaluation_command,
    laboratory_command,
    log_commands,
    metrics_command,
    play_command,
    reach_command,
    report_commands,
    rescoring_command,
    task_commands,
    training_commands,
    understanding_command,
    user_commands,
)
from vitagym.cli.app import main

__all__ = ["main"]
