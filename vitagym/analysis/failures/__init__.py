"""Why episodes fail, decided by rules from the log, with the turns that show it (paper: section 5.3, figure 9).

- ``kinds``: types and categories
- ``reading``: what the rules read off a row; ``goals``: which record is the attempt at what
- ``behaviours``: rules about what agent and user do
- ``causes``: rules that put each unmet rubric down to one type
- ``count``: episodes and rubrics counted by type

``find_failures`` gives all there is to say of an episode.
"""

from vitagym.analysis.failures.count import FailureCounts, count_failures, find_failures
from vitagym.analysis.failures.kinds import Category, Failure, FailureType, title

__all__ = ["Category", "Failure", "FailureCounts", "FailureType", "count_failures", "find_failures", "title"]
