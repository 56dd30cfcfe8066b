"""The scripted user: it follows its agenda, turn by turn, offline.

A turn goes: understand the agent; answer what it asks; say yes, leave the choice to it, or keep to the need; bring up
what comes next; and end once everything has been said and the agent then reports that it is done, or cannot be done.
Until everything has been said, every reply to a readable message conveys something new, unless the user is refusing
to repeat itself: that is why an episode with an agent that reports comes to an end.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

from vitagym.dialogue.acts import AgentAct, AgentActKind, Slot, UserAct, UserActKind
from vitagym.language import Language
from vitagym.randomness import Stream
from vitagym.tasks.task import Persona, Point, Task
from vitagym.users.agenda import Agenda, brief_of
from vitagym.users.answers import REFUSED_AT, find_answer
from vitagym.users.facts import Facts
from vitagym.users.phrasing import joined, phrase, together, unfinished
from vitagym.users.temper import FULL_PATIENCE, SHORT_PATIENCE, temper
from vitagym.users.understanding import Heard, hear
from vitagym.users.user import Reply

_REPORTS = (AgentActKind.REPORT_DONE, AgentActKind.REPORT_IMPOSSIBLE)
_PENDING = (AgentActKind.ASK, AgentActKind.SEEK_CONFIRMATION, AgentActKind.DISSUADE)
_CHOICES = frozenset(
    {Slot.PRODUCT, Slot.PROVIDER, Slot.TASTE, Slot.SEAT, Slot.ROOM, Slot.TICKET, Slot.FACILITY, Slot.RATING,
     Slot.DISTANCE, Slot.NOTE, Slot.WEATHER}
)  # fmt: skip
"""What the user has no mind of its own about, where it was not told: it leaves that to the agent."""


@dataclass(slots=True)
class _Turn:
    """A reply in the making."""

    sentences: list[str]
    acts: list[UserAct]
    stream: Stream
    patience: int
    new: int = 0

    def add(self, sentence: str, *acts: UserAct) -> None:
        self.sentences.append(sentence)
        self.acts.extend(acts)


class ScriptedUser:
    """A user that goes by its agenda.

    Args:
        task: What it wants, and who it is.
        stream: Where its randomness comes from.
        persona: How it talks and deals with being tried; None: as the task says.

    Attributes:
        done: Whether it has ended the conversation.
        patience: From 0 to 10.
    """

    def __init__(self, task: Task, stream: Stream, persona: Persona | None = None) -> None:
        self.persona = task.persona if persona is None else persona
        self.language: Language = task.language
        self.done = False
        self.patience = temper(self.persona).patience
        self._facts = task.built("facts of the user", _facts_of)
        self._agenda = Agenda(task.built("brief of the user", brief_of))
        self._key = stream.below(2**53)
        self._turn = 0
        self._asked: dict[Slot, int] = {}
        self._claims = 0
        self._last_claim = ""
        self._done_before = False
        self._checks = 0
        self._delays = 0

    @property
    def said(self) -> frozenset[str]:
        """Ids of the points said so far."""
        return self._agenda.said

    @property
    def state(self) -> Hashable:
        """All that decides what it does next, but for its randomness; there are finitely many states."""
        told = (self._agenda.said, self._agenda.noticed, frozenset(self._asked.items()))
        heard = (self._claims, self._last_claim, self._checks, self._delays, self._done_before)
        return (*told, self.patience, *heard, self.done)

    def fork(self) -> ScriptedUser:
        """Return a user that goes on from here by itself, and would say the same."""
        other = ScriptedUser.__new__(ScriptedUser)
        other.__dict__.update(self.__dict__)
        other._agenda = self._agenda.fork()
        other._asked = dict(self._asked)
        return other

    def open(self) -> Reply:
        """Return the first utterance: the background, then the need, never all of it."""
        turn = self._begin()
        traits = temper(self.persona)
        count = max(1, min(traits.opening, len(self._agenda.brief.instructed) - 1))
        points = self._agenda.opening(count)
        if points:
            self._convey("open", points, turn)
        else:
            turn.add(self._say("prompt", turn), UserAct(UserActKind.PROMPT))
        return self._finish(turn)

    def reply(self, message: str) -> Reply:
        """Return the answer to what the agent said."""
        turn = self._begin()
        heard = hear(message, self.language)
        if heard.blank:
            self._tire()
            turn.add(self._say("prompt", turn), UserAct(UserActKind.PROMPT))
            return self._finish(turn)
        if heard.troubled:
            self._tire()
        had_said_all = self._agenda.all_said
        if self._checks and heard.agrees and heard.has(AgentActKind.CHAT) and not heard.announces:
            heard = replace(heard, acts=[AgentAct(AgentActKind.REPORT_DONE)], everything=True)
        self._hear_reports(heard)
        self._answer(heard, turn)
        self._decide(heard, turn)
        if not turn.new:
            self._bring_up(heard, turn)
        if not turn.new and had_said_all and self._may_end(heard):
            return self._close(heard, self._begin_again(turn))
        if not turn.sentences:
            self._wait(heard, turn)
        return self._finish(turn)

    # ---- the parts of a reply ----

    def _answer(self, heard: Heard, turn: _Turn) -> None:
        """Answer the questions: points, facts of the profile, or that one does not know; or not again."""
        answer = find_answer(heard, self._agenda, self._facts, self._asked)
        if answer.points:
            self._convey("answer", answer.points, turn, answering=True)
        if answer.again:
            self._tire()
            self._convey("again", answer.again, turn, answering=True)
        for slot, (meaning, value) in answer.facts:
            turn.add(self._say(meaning, turn, value=value), UserAct(UserActKind.INFORM, slot=slot))
        unknown = answer.unknown or ([Slot.OTHER] if heard.puzzles else [])
        if unknown and not turn.sentences and not heard.chooses:
            self._admit(unknown[0], turn)
        if answer.refused and not turn.sentences:
            self._tire()
            turn.add(self._say("refuse", turn), UserAct(UserActKind.HURRY, slot=answer.refused[0]))

    def _admit(self, slot: Slot, turn: _Turn) -> None:
        """Say that one does not know, or leave it to the agent."""
        if slot in _CHOICES:
            turn.add(self._say("leave", turn), UserAct(UserActKind.CHOOSE_FOR_ME, slot=slot))
        else:
            turn.add(self._say("unknown", turn), UserAct(UserActKind.DONT_KNOW, slot=slot))

    def _decide(self, heard: Heard, turn: _Turn) -> None:
        """Say yes, leave a choice to the agent, or keep to the need."""
        if heard.has(AgentActKind.DISSUADE):
            slot = next(act.slot for act in heard.acts if act.kind is AgentActKind.DISSUADE)
            points = self._agenda.said_about(slot)[:1] if slot else []
            if points:
                held = unfinished(turn.stream.choice(points[0].wordings), self.language)
                turn.add(self._say("insist_on", turn, points=held), UserAct(UserActKind.INSIST, points[0].id, slot))
            else:
                turn.add(self._say("insist", turn), UserAct(UserActKind.INSIST, slot=slot))
        elif heard.chooses and not turn.new:
            turn.add(self._say("choose", turn), UserAct(UserActKind.CHOOSE_FOR_ME))
        elif heard.has(AgentActKind.SEEK_CONFIRMATION) and not turn.new:
            turn.add(self._say("confirm", turn), UserAct(UserActKind.CONFIRM))

    def _bring_up(self, heard: Heard, turn: _Turn) -> None:
        """Volunteer what comes next."""
        if any(act.kind is UserActKind.HURRY for act in turn.acts):
            return
        finished = heard.has(*_REPORTS) and not self._pending(heard) and not heard.goes_on
        if finished and self._agenda.only_events_left:
            self._agenda.notice_the_end()
        traits = temper(self.persona)
        pace = 1 if self.patience <= SHORT_PATIENCE or turn.sentences else traits.pace
        points = self._agenda.next_points(pace, traits.reach, turn.stream)
        if points:
            finishing = heard.has(*_REPORTS) and not turn.sentences
            self._convey("early" if finishing else "more", points, turn)
            self.patience = min(FULL_PATIENCE, self.patience + traits.ease)

    def _wait(self, heard: Heard, turn: _Turn) -> None:
        """Everything has been said: ask the agent to go on, or whether the rest is done too."""
        if heard.goes_on:
            meaning = "thanks_go_on"
        elif heard.has(*_REPORTS):
            self._checks = min(self._agenda.brief.needs, self._checks + 1)
            meaning = "rest"
        else:
            meaning = "go_on"
        turn.add(self._say(meaning, turn), UserAct(UserActKind.PROMPT))

    # ---- ending ----

    def _hear_reports(self, heard: Heard) -> None:
        self._agenda.notice(heard)
        self._done_before = self._done_before or heard.has(AgentActKind.REPORT_DONE)
        if heard.claims and heard.words != self._last_claim:  # the same claim once more is no further one
            self._claims = min(self._agenda.brief.needs, self._claims + heard.claims)
            self._last_claim = heard.words

    def _pending(self, heard: Heard) -> bool:
        """Return whether the agent waits for an answer before it goes on."""
        return heard.chooses or heard.has(*_PENDING)

    def _may_end(self, heard: Heard) -> bool:
        """Return whether this message, after everything was said, lets the user end."""
        if not heard.has(*_REPORTS):
            return False
        needs = self._agenda.brief.needs
        if self._pending(heard) or heard.goes_on:
            self._delays = min(needs + REFUSED_AT + 1, self._delays + 1)
            besides = heard.extra and not heard.chooses and not heard.asked and self._claims >= needs
            return besides or self._delays > needs + REFUSED_AT
        if heard.everything or heard.has(AgentActKind.ASK_MORE) or heard.farewell or self._claims >= needs:
            return True
        return self._checks >= needs - 1

    def _close(self, heard: Heard, turn: _Turn) -> Reply:
        self.done = True
        meaning = "close" if heard.has(AgentActKind.REPORT_DONE) or self._done_before else "close_unmet"
        turn.add(self._say(meaning, turn), UserAct(UserActKind.THANK), UserAct(UserActKind.CLOSE))
        return self._finish(turn)

    # ---- words ----

    def _begin(self) -> _Turn:
        self._turn += 1
        return _Turn([], [], Stream(self._key, str(self._turn)), self.patience)

    def _begin_again(self, turn: _Turn) -> _Turn:
        """Return the turn without what only kept the conversation going."""
        kept = [act for act in turn.acts if act.kind is UserActKind.INFORM]
        return _Turn(turn.sentences if kept else [], kept, turn.stream, turn.patience)

    def _finish(self, turn: _Turn) -> Reply:
        if self.patience <= SHORT_PATIENCE < turn.patience and not self.done:
            turn.sentences.insert(0, self._say("tired", turn))
            turn.acts.insert(0, UserAct(UserActKind.HURRY))
        return Reply(joined(turn.sentences, self.language), tuple(turn.acts), self.done)

    def _say(self, meaning: str, turn: _Turn, **places: str) -> str:
        return phrase(meaning, self.persona, self.language, turn.stream, **places)

    def _convey(self, meaning: str, points: list[Point], turn: _Turn, *, answering: bool = False) -> None:
        """Say points; a change of mind in words of its own."""
        changes = [p for p in points if p.replaces is not None and p.id not in self.said]
        others = [p for p in points if p not in changes]
        for group, how in ((others, meaning), (changes, "change")):
            if group:
                words = [self._wording(p, turn, answering) for p in group]
                turn.add(self._say(how, turn, points=together(words, self.language)), *map(self._act, group))
        for point in points:
            turn.new += point.id not in self.said
            self._agenda.say(point)

    def _act(self, point: Point) -> UserAct:
        fresh_change = point.replaces is not None and point.id not in self.said
        return UserAct(UserActKind.CHANGE if fresh_change else UserActKind.INFORM, point.id, point.slot)

    def _wording(self, point: Point, turn: _Turn, answering: bool) -> str:
        wordings = point.answers if answering and point.answers else point.wordings
        return unfinished(turn.stream.choice(wordings), self.language)

    def _tire(self) -> None:
        self.patience = max(0, self.patience - temper(self.persona).strain)


def _facts_of(task: Task) -> Facts:
    return Facts(task.profile)
