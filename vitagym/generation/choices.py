"""Choices: every offer that is right for a goal can be chosen, and all rubrics are met with it.

The reference solution is played with each valid offer in the place of the one that it takes, what is ordered along
with it from the same provider, and a delivery sent off so that it arrives at the same time. A choice may fail only by
a limit on what is spent. A goal that others go by has one provider to choose (see ``ties``).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from vitagym.generation.drafts import Draft
from vitagym.generation.playback import Playback, play
from vitagym.generation.sketches import Offer
from vitagym.generation.speech import stamp
from vitagym.generation.spoiling import companions, swapped
from vitagym.generation.ties import rivals_of, tied
from vitagym.rewards.checks import NoOther, SpentAtMost, TotalAtMost
from vitagym.tasks.task import CallStep, Step, Task
from vitagym.world.records import Order


def refused_choices(draft: Draft, task: Task) -> Iterator[str]:
    """Yield which valid offers do not lead to success, and which goals leave open what others go by."""
    for goal in draft.scene.goals:
        pool = goal.pool
        if pool is None or not pool.valid:
            continue
        others = {id(provider) for provider in rivals_of(pool)} if tied(draft.scene, goal) else set()
        for offer in pool.valid[1:]:
            along = companions(draft, goal, offer)
            if along is None:
                continue  # Its provider does not sell what is ordered along with it.
            run = play(task, _timed(task, pool.chosen, offer, swapped(task.solution, pool.chosen, offer, along)))
            unmet = _beyond_budgets(task, run)
            choice = f"{goal.key}: the choice of {offer.product.name.en} of {offer.provider.name.en}"
            if unmet:
                yield f"{choice} is refused by {', '.join(unmet)}"
            elif id(offer.provider) in others and not run.unmet:
                yield f"{choice} is refused by nothing, though other goals go by another"


def _beyond_budgets(task: Task, run: Playback) -> list[str]:
    """Return the unmet rubrics that are not about what is spent, nor unmet because of one that is."""
    checks = {rubric.id: rubric.check for rubric in task.rubrics}
    spent = any(isinstance(checks[key], SpentAtMost | TotalAtMost) for key in run.unmet)
    excused = (SpentAtMost, TotalAtMost, NoOther) if spent else ()
    return [key for key in run.unmet if not isinstance(checks[key], excused)]


def _timed(task: Task, taken: Offer, offer: Offer, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return steps with deliveries from the offer's provider sent off when they arrive as the solution's do."""
    minutes = _way(task, task.solution, taken) - _way(task, steps, offer)
    if not minutes:
        return steps
    return tuple(
        _shifted(task, step, minutes) if isinstance(step, CallStep) and _sends(step, offer) else step for step in steps
    )


def _way(task: Task, steps: tuple[Step, ...], offer: Offer) -> float:
    """Return how many minutes the delivery of an offer is on the way; 0 where nothing is delivered."""
    records = (record for record in play(task, steps).records if isinstance(record, Order))
    return next((r.shipping_minutes for r in records if r.provider_id == offer.provider.id), 0)


def _sends(step: CallStep, offer: Offer) -> bool:
    return "dispatch_time" in step.arguments and offer.provider.id in str(step.arguments)


def _shifted(task: Task, step: CallStep, minutes: float) -> CallStep:
    planned, now = datetime.fromisoformat(step.arguments["dispatch_time"]), datetime.fromisoformat(task.time)
    when = max(now, planned + timedelta(minutes=minutes))
    return step.model_copy(update={"arguments": {**step.arguments, "dispatch_time": stamp(when)}})
