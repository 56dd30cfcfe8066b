"""The ``vitagym`` command.

- ``app``: the commands and their options
- ``rollout``: plays tasks with agents and sums up
- ``screen``: transcripts and tables in the terminal

Exit codes: 0, it worked; 1, what was asked about failed (``lint`` found faults, an endpoint failed in a rollout);
2, the call was wrong (unknown id, option, file or language). With ``--json`` standard output is one JSON document.
"""

from vitagym.cli.app import main

__all__ = ["main"]
