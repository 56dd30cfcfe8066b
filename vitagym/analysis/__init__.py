"""What the log of a run comes to: metrics with intervals, and where and why agents fail.

Pure functions of rows (the JSON of a log's lines); nothing here plays an episode, reads a file or draws a page.

- ``rows``: what a row says: outcome, groups, conditions
- ``metrics``: the metrics of an episode, each defined once
- ``trials``: Pass@k and Pass^k of one task; ``intervals``: means over tasks, with intervals clustered by task
- ``summary``: rows summed up
"""

from vitagym.analysis.intervals import Figure, Method
from vitagym.analysis.metrics import METRICS, Metric
from vitagym.analysis.rows import GROUPINGS, Mode, Outcome, Row, conditions, grouped, outcome
from vitagym.analysis.summary import Summary, summarise, summarise_conditions

__all__ = [
    "GROUPINGS",
    "METRICS",
    "Figure",
    "Method",
    "Metric",
    "Mode",
    "Outcome",
    "Row",
    "Summary",
    "conditions",
    "grouped",
    "outcome",
    "summarise",
    "summarise_conditions",
]
