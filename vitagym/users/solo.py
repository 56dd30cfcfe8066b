"""No user to talk with: the whole instruction at once, and every confirmation given until the agent reports."""

from __future__ import annotations

from vitagym.dialogue.acts import AgentActKind, UserAct, UserActKind
from vitagym.randomness import Stream
from vitagym.tasks.task import Persona, Task
from vitagym.users.agenda import brief_of
from vitagym.users.facts import Facts
from vitagym.users.phrasing import finished, joined, phrase
from vitagym.users.understanding import hear
from vitagym.users.user import Reply

_REPORTS = (AgentActKind.REPORT_DONE, AgentActKind.REPORT_IMPOSSIBLE)


class SoloUser:
    """Says everything with its first words and then only yes.

    Attributes:
        done: Whether it has ended the conversation.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        self._claims = 0
        self.done = False

    @property
    def said(self) -> frozenset[str]:
        """Ids of the points: all of them are said at once."""
        return frozenset(point.id for point in brief_of(self._task).points)

    def fork(self) -> SoloUser:
        """Return a user that goes on from here by itself."""
        other = SoloUser(self._task)
        other.done, other._claims = self.done, self._claims
        return other

    def open(self) -> Reply:
        """Return everything there is to say, facts of the profile included."""
        language = self._task.language
        facts = Facts(self._task.profile).all()
        stream = Stream(0, "solo")
        points = brief_of(self._task).points
        told = [finished(" ".join(point.wordings[0].split()), language) for point in points]
        about = [phrase(meaning, Persona.NEUTRAL, language, stream, value=value) for meaning, value in facts]
        acts = tuple(UserAct(UserActKind.INFORM, point.id, point.slot) for point in points)
        return Reply(joined([*about, *told], language), acts)

    def reply(self, message: str) -> Reply:
        """Return a yes; or thanks, once the agent has reported all that there was, as done or as impossible."""
        heard = hear(message, self._task.language)
        self._claims += heard.claims
        waits = heard.goes_on or heard.has(AgentActKind.SEEK_CONFIRMATION, AgentActKind.ASK)
        is_all = heard.everything or heard.has(AgentActKind.ASK_MORE) or self._claims >= brief_of(self._task).needs
        if heard.has(*_REPORTS) and is_all and not waits:
            self.done = True
            return Reply(self._say("close"), (UserAct(UserActKind.THANK), UserAct(UserActKind.CLOSE)), done=True)
        return Reply(self._say("confirm"), (UserAct(UserActKind.CONFIRM),))

    def _say(self, meaning: str) -> str:
        return phrase(meaning, Persona.NEUTRAL, self._task.language, Stream(0, meaning))
