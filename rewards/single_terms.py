"""The single reward terms: small functions of one transition.

Paid: ``success``, ``rubric``, ``shaping``, ``weighted``, ``only``, ``ledger``. Costs, which a spec subtracts:
``step_cost``, ``refused_cost``, ``record_cost``, ``repeat_cost``, ``invented_cost``, ``length_cost``.
``vitagym.rewards.terms`` puts them together.

Φ (phi) is the share of the task's rubrics that are met, a number from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from vitagym.dialogue.transcript import Role, Transcript, Turn
from vitagym.errors import CallerError
from vitagym.rewards.judge import Scores
from vitagym.rewards.phrases import Said, normalised
from vitagym.rewards.rubrics import RubricStates, RubricStatus, satisfied_fraction
from vitagym.rewards.transition import Transition


class RewardTerm(Protocol):
    """One term: a number for one transition. It keeps no state of its own."""

    def __call__(self, transition: Transition) -> float:
        """Return its value."""


@dataclass(frozen=True, slots=True)
class Success:
    """1 on the transition that ends the episode with all rubrics met, else 0.

    Worked: an episode of 12 steps that ends in success has eleven zeros and a 1; one that fails, or whose success
    nobody can tell, has twelve zeros.
    """

    def __call__(self, transition: Transition) -> float:
        """Return 1 or 0."""
        return float(transition.success is True and (transition.terminated or transition.truncated))


@dataclass(frozen=True, slots=True)
class RubricChange:
    """The change of the satisfied fraction: γΦ(s') − Φ(s). What is earned is kept when the episode ends.

    Worked, γ = 1, four rubrics: an order meets two of them (+0.5), cancelling it undoes both (−0.5), the right order
    meets three (+0.75): together 0.75 = Φ at the end, and nothing for the detour. Worked, γ = 0.9, Φ = 0, 0.5, 0.75:
    the terms are 0.45 and 0.9 · 0.75 − 0.5 = 0.175; discounted 0.45 + 0.9 · 0.175 = 0.6075 = 0.9² · 0.75.

    The episode's sum is Φ at the end: a policy that cannot succeed is paid for coming near, so this term changes which
    policy is best. ``shaping`` does not.

    Attributes:
        gamma: The discount of the learner, from 0 to 1.
    """

    gamma: float = 1.0

    def __post_init__(self) -> None:
        _discount(self.gamma)

    def __call__(self, transition: Transition) -> float:
        """Return the change."""
        before, after = _satisfied(transition)
        return self.gamma * after - before


@dataclass(frozen=True, slots=True)
class Shaping:
    """Potential-based shaping: γΦ(s') − Φ(s), with Φ = 0 once the episode has terminated.

    Worked, γ = 1, two rubrics: the first is met (+0.5), the second (+0.5), the user says goodbye (−1): together 0, so
    that with ``success`` an episode is worth 1 when all is met and 0 when not, however near it came. A truncated
    episode keeps its Φ, for it is not over: a learner adds γV of the state in which it was cut off.

    It leaves the best policy of the learner with that discount as it is (Ng, Harada and Russell, 1999).

    Attributes:
        gamma: The discount of the learner, from 0 to 1.
    """

    gamma: float = 1.0

    def __post_init__(self) -> None:
        _discount(self.gamma)

    def __call__(self, transition: Transition) -> float:
        """Return the change of the potential."""
        before, after = _satisfied(transition)
        return self.gamma * (0.0 if transition.terminated else after) - before


@dataclass(frozen=True)
class Weighted:
    """As ``rubric``, with some kinds of requirement weighing more or less than 1.

    Worked, ``weighted(diet=3)``, one rubric of kind ``diet`` and two others: they weigh 3, 1 and 1 of 5; meeting the
    first gives 0.6, each of the others 0.2.

    Attributes:
        gamma: The discount of the learner, from 0 to 1.
        weights: Kind of requirement (``Rubric.requirement``) -> weight; any other kind weighs 1.
    """

    gamma: float = 1.0
    weights: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _discount(self.gamma)
        for kind, weight in self.weights.items():
            if not weight >= 0:
                raise CallerError(f"weight {weight!r} of {kind!r} must be a number from 0 on")

    def __call__(self, transition: Transition) -> float:
        """Return the change of the weighted fraction."""
        weights = {i: self.weights.get(kind, 1.0) for i, kind in _kinds(transition).items()}
        return self.gamma * _share(transition.after, weights) - _share(transition.before, weights)


@dataclass(frozen=True, slots=True)
class Only:
    """As ``rubric``, among the rubrics of one kind of requirement alone; 0 where the task has none of it.

    Worked, ``only("diet")``, two rubrics of kind ``diet`` among seven: meeting one of the two gives 0.5, meeting any
    of the five others gives 0.

    Attributes:
        requirement: The kind (``Rubric.requirement``).
        gamma: The discount of the learner, from 0 to 1.
    """

    requirement: str
    gamma: float = 1.0

    def __post_init__(self) -> None:
        _discount(self.gamma)

    def __call__(self, transition: Transition) -> float:
        """Return the change of the share of that kind."""
        weights = {i: float(kind == self.requirement) for i, kind in _kinds(transition).items()}
        return self.gamma * _share(transition.after, weights) - _share(transition.before, weights)


@dataclass(frozen=True, slots=True)
class LedgerChange:
    """As ``rubric``, for public tasks with the ledger judge: the change of ``ledger_score``.

    Worked, two orders expected, five things of each compared: the first order as expected gives 0.5; one more that
    nobody expects makes it 5 of 11, −0.045.

    Attributes:
        gamma: The discount of the learner, from 0 to 1.
    """

    gamma: float = 1.0

    def __post_init__(self) -> None:
        _discount(self.gamma)

    def __call__(self, transition: Transition) -> float:
        """Return the change."""
        return self.gamma * _ledger_score(transition.scores_after) - _ledger_score(transition.scores_before)


@dataclass(frozen=True, slots=True)
class StepCost:
    """So much a step. Worked: ``- step_cost(0.01)`` over 30 steps is −0.3."""

    is_cost: ClassVar[bool] = True
    amount: float = 0.01

    def __call__(self, transition: Transition) -> float:
        """Return the amount."""
        del transition
        return self.amount


@dataclass(frozen=True, slots=True)
class RefusedCost:
    """So much a refused tool call. Worked: ``- refused_cost(0.05)``, three calls in one step, two refused: −0.1."""

    is_cost: ClassVar[bool] = True
    amount: float = 0.05

    def __call__(self, transition: Transition) -> float:
        """Return the amount for every refused call of the step."""
        return self.amount * sum(t.result is not None and not t.result.ok for t in transition.turns)


@dataclass(frozen=True, slots=True)
class RecordCost:
    """So much a new record: an order, a booking or a reservation that a call makes.

    Each further record can only meet more of the rubrics of a task, so that ``rubric`` alone pays for ordering again
    and again; a cost of about half of what a good order meets makes the agent listen first.

    Worked: ``- record_cost(0.2)``: an order costs 0.2 when it is made; to pay, change or cancel it is free.
    """

    is_cost: ClassVar[bool] = True
    amount: float = 0.2

    def __call__(self, transition: Transition) -> float:
        """Return the amount for every record that the step made."""
        return self.amount * sum(_makes_record(turn) for turn in transition.turns)


@dataclass(frozen=True, slots=True)
class RepeatCost:
    """So much a question that the agent has asked before in the same words.

    Worked: ``- repeat_cost(0.05)``: asking "Which address?" a first time is free, a second and a third time −0.05 each.
    """

    is_cost: ClassVar[bool] = True
    amount: float = 0.05

    def __call__(self, transition: Transition) -> float:
        """Return the amount for every sentence of the step that is a repeated question."""
        asked = [question for turn in transition.turns for question in _questions(turn)]
        if not asked:
            return 0.0
        start = transition.turns[0].index
        known = {q for turn in _whole(transition).turns[:start] for q in _questions(turn)}
        repeated = 0
        for question in asked:
            repeated += question in known
            known.add(question)
        return self.amount * repeated


@dataclass(frozen=True, slots=True)
class InventedCost:
    """So much a price, date or time of day that the agent tells and that stood nowhere before.

    Before means in a result, or in the user's words. What the agent wrote into a call itself does not count, and a
    total that it works out counts as invented until a result shows it.

    Worked: ``- invented_cost(0.05)``: telling "¥88 at 12:30" before any look-up is −0.1, after a result with both 0.
    """

    is_cost: ClassVar[bool] = True
    amount: float = 0.05

    def __call__(self, transition: Transition) -> float:
        """Return the amount for every such fact of the step."""
        invented = 0
        for turn in transition.turns:
            if turn.role is Role.ASSISTANT and not turn.calls:
                before = _whole(transition).turns[: turn.index]
                said = Said(turn.text, turn.index, before=before)
                invented += sum(not said.was_told(fact) for fact in said.facts)
        return self.amount * invented


@dataclass(frozen=True, slots=True)
class LengthCost:
    """So much for every thousand characters that the agent writes, words and arguments of calls alike.

    Worked: ``- length_cost(0.1)``, an utterance of 250 characters: −0.025.
    """

    is_cost: ClassVar[bool] = True
    amount: float = 0.1

    def __call__(self, transition: Transition) -> float:
        """Return the amount for what was written in the step."""
        written = sum(
            len(turn.text) + sum(len(call.raw) for call in turn.calls)
            for turn in transition.turns
            if turn.role is Role.ASSISTANT
        )
        return self.amount * written / 1000


_RECORD_IDS = ("order_id", "book_id", "reservation_id")

TERMS: dict[str, type] = {
    "success": Success,
    "rubric": RubricChange,
    "shaping": Shaping,
    "weighted": Weighted,
    "only": Only,
    "ledger": LedgerChange,
    "step_cost": StepCost,
    "refused_cost": RefusedCost,
    "record_cost": RecordCost,
    "repeat_cost": RepeatCost,
    "invented_cost": InventedCost,
    "length_cost": LengthCost,
}


def _satisfied(transition: Transition) -> tuple[float, float]:
    """Return Φ before and after; most steps change no rubric, and then the states are the same object."""
    before = satisfied_fraction(transition.before)
    return before, before if transition.after is transition.before else satisfied_fraction(transition.after)


def _discount(gamma: float) -> None:
    if not 0 <= gamma <= 1:
        raise CallerError(f"gamma {gamma!r} is no discount; allowed: numbers from 0 to 1")


def _ledger_score(scores: Scores) -> float:
    if "ledger_score" not in scores:
        raise CallerError("the reward term 'ledger' needs the ledger judge: judge=\"ledger\"")
    return float(scores["ledger_score"] or 0.0)


def _kinds(transition: Transition) -> dict[str, str]:
    if transition.after and not transition.rubrics:
        raise CallerError("a term that weighs rubrics by kind needs the task's rubrics in the transition")
    return {rubric.id: rubric.requirement for rubric in transition.rubrics}


def _share(states: RubricStates, weights: Mapping[str, float]) -> float:
    total = sum(weights.values())
    met = sum(weight for i, weight in weights.items() if states[i].status is RubricStatus.MET)
    return met / total if total else 0.0


def _whole(transition: Transition) -> Transcript:
    if transition.transcript is None:
        raise CallerError("a term that looks at earlier turns needs the transcript in the transition")
    return transition.transcript


def _makes_record(turn: Turn) -> bool:
    """Return whether a call gave the id of a record that it did not name itself."""
    if turn.call is None or turn.result is None or not turn.result.ok or not isinstance(turn.result.data, dict):
        return False
    return any(key in turn.result.data and key not in (turn.call.arguments or {}) for key in _RECORD_IDS)


def _questions(turn: Turn) -> list[str]:
    if turn.role is not Role.ASSISTANT or turn.calls:
        return []
    return [normalised(s.text) for s in Said(turn.text).sentences if s.asks]
