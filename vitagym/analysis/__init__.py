"""What the log of a run comes to: metrics with intervals, and where and why agents fail.

Pure functions of rows (the JSON of a log's lines); nothing here plays an episode, reads a log or draws a page.

- ``rows``: what a row says: outcome, groups, conditions
- ``metrics``: the metrics of an episode, each defined once
- ``trials``: Pass@k and Pass^k of one task; ``intervals``: means over tasks, with intervals clustered by task
- ``summary``: rows summed up
- ``resampling``: how many trials are enough
- ``failures``: what went wrong, by type, with the turns that show it; ``tasks``: the task of a row
- ``agreement``: whether agents fail on the same tasks; ``items``: which rubrics are hard and tell agents apart
- ``ablation``: what user, tools and several domains cost
- ``regression``: success regressed on complexity; ``difficulty``: a predictor of difficulty, fitted and tested
- ``published``: what the paper publishes
"""

from vitagym.analysis.ablation import Ablation, Contrast, cross_cost, interaction_ablation, tools_ablation
from vitagym.analysis.agreement import AgentAgreement, agent_agreement
from vitagym.analysis.difficulty import Predictor, Validation, cross_validate, fit_predictor
from vitagym.analysis.failures import Category, Failure, FailureType, count_failures, find_failures
from vitagym.analysis.intervals import Figure, Method
from vitagym.analysis.items import Item, requirement_items, rubric_items
from vitagym.analysis.metrics import METRICS, Metric
from vitagym.analysis.published import published
from vitagym.analysis.regression import Regression, complexity_regression
from vitagym.analysis.resampling import trials_needed
from vitagym.analysis.rows import GROUPINGS, Mode, Outcome, Row, conditions, grouped, outcome
from vitagym.analysis.summary import Summary, summarise, summarise_conditions

__all__ = [
    "GROUPINGS",
    "METRICS",
    "Ablation",
    "AgentAgreement",
    "Category",
    "Contrast",
    "Failure",
    "FailureType",
    "Figure",
    "Item",
    "Method",
    "Metric",
    "Mode",
    "Outcome",
    "Predictor",
    "Regression",
    "Row",
    "Summary",
    "Validation",
    "agent_agreement",
    "complexity_regression",
    "conditions",
    "count_failures",
    "cross_cost",
    "cross_validate",
    "find_failures",
    "fit_predictor",
    "grouped",
    "interaction_ablation",
    "outcome",
    "published",
    "requirement_items",
    "rubric_items",
    "summarise",
    "summarise_conditions",
    "tools_ablation",
    "trials_needed",
]
