"""What the log of a run comes to: metrics with intervals, and where and why agents fail.

Pure functions of rows (the JSON of a log's lines); nothing here plays an episode, reads a log or draws a page.

- ``rows``: what a row says: outcome, groups, conditions
- ``metrics``: the metrics of an episode, each defined once
- ``trials``: Pass@k and Pass^k of one task; ``intervals``: means over tasks, with intervals clustered by task
- ``summary``: rows summed up
- ``resampling``: how many trials are enough
- ``failures``: what went wrong, by type, with the turns that show it; ``tasks``: the task of a row
- ``published``: what the paper publishes
"""

from vitagym.analysis.failures import Category, Failure, FailureType, count_failures, find_failures
from vitagym.analysis.intervals import Figure, Method
from vitagym.analysis.metrics import METRICS, Metric
from vitagym.analysis.published import published
from vitagym.analysis.resampling import trials_needed
from vitagym.analysis.rows import GROUPINGS, Mode, Outcome, Row, conditions, grouped, outcome
from vitagym.analysis.summary import Summary, summarise, summarise_conditions

__all__ = [
    "GROUPINGS",
    "METRICS",
    "Category",
    "Failure",
    "FailureType",
    "Figure",
    "Method",
    "Metric",
    "Mode",
    "Outcome",
    "Row",
    "Summary",
    "conditions",
    "count_failures",
    "find_failures",
    "grouped",
    "outcome",
    "published",
    "summarise",
    "summarise_conditions",
    "trials_needed",
]
