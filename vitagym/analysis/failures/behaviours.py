"""Rules about what agent and user do in an episode, whatever became of the rubrics.

- *Refused call repeated*: the same tool with the same arguments is refused twice, and no record changed in between.
- *Wrong domain's tool*: a call of a tool that belongs to a domain which the task does not need.
- *Claimed undone*: the agent says that something has been done before any record was made or changed.
- *User broke a rule*: it ended before all was said and reported, said a point before its event or unasked, or said a
  number or name that neither its task nor the agent had mentioned.
"""

from __future__ import annotations

from collections.abc import Iterator

from vitagym.analysis.failures.kinds import Failure, FailureType
from vitagym.analysis.failures.reading import Call, Reading, refused_again
from vitagym.analysis.rows import Mode, mode
from vitagym.dialogue.acts import Slot, UserAct, UserActKind
from vitagym.domains import COMMON, CROSS, home_of, toolset
from vitagym.users.fidelity import Talk, faults
from vitagym.users.tracing import untraced
from vitagym.users.user import Reply

_USER_DONE = "user_done"


def behaviours(reading: Reading) -> Iterator[Failure]:
    """Yield what went wrong in an episode, no rubric put down to it."""
    for before, again in refused_again(reading.calls, reading):
        yield Failure(FailureType.REFUSAL_REPEATED, (before.turn, again.turn), about=again.name)
    for call in wrong_domain_calls(reading):
        yield Failure(FailureType.WRONG_DOMAIN_TOOL, (call.turn,), about=call.name)
    for turn, _, _ in reading.claims:
        if not reading.changed_before(turn):
            yield Failure(FailureType.CLAIMED_UNDONE, (turn,))
    yield from user_breaks(reading)


def wrong_domain_calls(reading: Reading) -> list[Call]:
    """Return the calls of tools of other domains than the task needs; none where it is not known what it needs."""
    needed = _domains(reading)
    if not needed:
        return []
    known = toolset((CROSS,))
    return [call for call in reading.calls if call.name in known and home_of(call.name) not in needed]


def user_breaks(reading: Reading) -> Iterator[Failure]:
    """Yield what the user did that it must not; nothing where nobody is there, or what it was told is not known."""
    task = reading.task
    if task is None or mode(reading.row) is Mode.SOLO:
        return
    talk, turns = _talk(reading)
    if reading.tells_points:
        for number, fault, point in faults(talk, task):
            yield Failure(FailureType.USER_BROKE_RULE, (turns[number],), about=point or fault.value)
    if not untraced(". ".join(reply.text for _, reply in talk), task):
        return
    heard = ""
    for (message, reply), turn in zip(talk, turns, strict=True):
        heard += f" {message}"
        for fact in sorted(untraced(reply.text, task)):
            if fact.lower() not in heard.lower():
                yield Failure(FailureType.USER_BROKE_RULE, (turn,), about=fact)


def _domains(reading: Reading) -> frozenset[str]:
    if reading.task is not None:
        return frozenset((*reading.task.domains, COMMON))
    domain = reading.row.get("domain")
    return frozenset((str(domain), COMMON)) if domain and domain != CROSS else frozenset()


def _talk(reading: Reading) -> tuple[Talk, list[int]]:
    """Return what the user answered to what, and the turns of its replies."""
    acts: dict[int, list[UserAct]] = {}
    for act in reading.row.get("acts") or ():
        slot = None if act["slot"] is None else Slot(act["slot"])
        acts.setdefault(act["turn"], []).append(UserAct(UserActKind(act["kind"]), act["point"], slot))
    last = reading.user_turns[-1][0] if reading.user_turns else -1
    talk: Talk = []
    for turn, words in reading.user_turns:
        message = next((said for at, said, _ in reversed(reading.utterances) if at < turn), "")
        done = turn == last and reading.row["end_reason"] == _USER_DONE
        talk.append((message, Reply(words, tuple(acts.get(turn, ())), done)))
    return talk, [turn for turn, _ in reading.user_turns]
