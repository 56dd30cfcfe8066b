"""A user played by a language model, under the same rules as the scripted one.

The model gets its rules by prompt (``assets/prompts/user_<language>.md``, or the caller's). What it says is then held
to them: empty and over-long replies are asked again, a reply that ends before the rules of ending allow it is held back
and counted, and what has been disclosed is tracked against the task's points.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path

from vitagym.dialogue.acts import AgentActKind, UserAct, UserActKind
from vitagym.dialogue.thinking import without_thinking
from vitagym.errors import EndpointError
from vitagym.language import Language, text, texts
from vitagym.llm.asking import Asking, ModelRole, Question, arun, run
from vitagym.llm.chat import Chat, Completion
from vitagym.llm.endpoint import Endpoint
from vitagym.randomness import Stream
from vitagym.tasks.task import Persona, Task
from vitagym.users.agenda import brief_of
from vitagym.users.disclosure import Disclosure
from vitagym.users.phrasing import finished, joined, phrase
from vitagym.users.understanding import hear
from vitagym.users.user import Reply

STOP = "###STOP###"
"""What the model writes at the end of its last line."""
LONGEST = 600
"""A reply may have this many characters; a longer one is asked again, then cut at the end of a sentence."""
_TRIES = 3
_HELD_BACK_AT_MOST = 3
_REPORTS = (AgentActKind.REPORT_DONE, AgentActKind.REPORT_IMPOSSIBLE)


@dataclass(frozen=True, slots=True)
class Slips:
    """How often the model broke a rule.

    Attributes:
        empty: Replies without words, refusals of the model included.
        too_long: Replies that were longer than allowed.
        held_back: Replies that ended before the rules of ending allowed it.
    """

    empty: int = 0
    too_long: int = 0
    held_back: int = 0


class LanguageModelUser:
    """A language model that plays the user of a task.

    Args:
        task: What it wants, and who it is.
        endpoint: Which model plays it.
        stream: Where the words come from that it says where the model gives none.
        persona: Whom it plays; None: as the task says. ``neutral`` has no personality.
        prompt: A prompt of the caller's, as text or as a file; ``{persona}``, ``{instructions}`` and ``{stop}`` in it
            are filled in. None: ours.
        hold_back: Whether a reply that ends too early is held back.

    Attributes:
        done: Whether it has ended the conversation.
        slips: How often the model broke a rule.
    """

    def __init__(
        self,
        task: Task,
        endpoint: Endpoint,
        stream: Stream,
        persona: Persona | None = None,
        *,
        prompt: str | Path | None = None,
        hold_back: bool = True,
    ) -> None:
        self.persona = task.persona if persona is None else persona
        self.language: Language = task.language
        self.done = False
        self.slips = Slips()
        self.chat = Chat(endpoint)
        self._stream = stream
        self._hold_back = hold_back
        self._disclosure = Disclosure(brief_of(task), task.language)
        template = _template(task.language) if prompt is None else _read(prompt)
        personality = None if persona is None else text("personas", persona.value, task.language)
        self._messages = [{"role": "system", "content": _filled(template, task, personality)}]

    @property
    def said(self) -> frozenset[str]:
        """Ids of the points said so far, as far as its words tell."""
        return self._disclosure.said

    def fork(self) -> LanguageModelUser:
        """Return a user that goes on from here by itself. What the model then says is the model's affair."""
        other = LanguageModelUser.__new__(LanguageModelUser)
        other.__dict__.update(self.__dict__)
        other._messages = list(self._messages)
        other._disclosure = self._disclosure.fork()
        other._stream = self._stream.fork()
        return other

    def open(self) -> Reply:
        """Return the first utterance; raises EndpointError when the endpoint fails."""
        return run(self.opening())

    def reply(self, message: str) -> Reply:
        """Return the answer to what the agent said; raises EndpointError when the endpoint fails."""
        return run(self.replying(message))

    async def aopen(self) -> Reply:
        """Return the first utterance, without blocking the event loop."""
        return await arun(self.opening())

    async def areply(self, message: str) -> Reply:
        """Return the answer to what the agent said, without blocking the event loop."""
        return await arun(self.replying(message))

    def opening(self) -> Asking[Reply]:
        """Ask the model for the first utterance until what it says may stand."""
        return self._speak(self._told("begin"), reported=False)

    def replying(self, message: str) -> Asking[Reply]:
        """Ask the model for the answer to what the agent said until what it says may stand."""
        words = without_thinking(message).strip()
        heard = hear(words, self.language)
        reported = not self._disclosure.unsaid and heard.has(*_REPORTS)
        return self._speak(words or "…", reported=reported)

    # ---- one turn ----

    def _speak(self, message: str, *, reported: bool) -> Asking[Reply]:
        self._messages.append({"role": "user", "content": message})
        notes: list[dict[str, str]] = []
        longest = ""
        for attempt in range(_TRIES):
            completion = yield Question(ModelRole.USER, self.chat, [*self._messages, *notes])
            words, ends = self._read(completion)
            if completion.cut or len(words) > LONGEST:
                self.slips = replace(self.slips, too_long=self.slips.too_long + 1)
                longest = words
                notes = [self._note("again_long")]
            elif not words and not ends:
                self.slips = replace(self.slips, empty=self.slips.empty + 1)
                notes = [self._note("again_empty")]
            elif ends and self._too_early(words, reported=reported):
                self.slips = replace(self.slips, held_back=self.slips.held_back + 1)
                if words or attempt == _TRIES - 1:
                    return self._say(words, done=False)
                notes = [self._early_note()]
            else:
                return self._say(words, done=ends)
        if longest:
            return self._say(_shortened(longest), done=False)
        raise EndpointError(f"{self.chat.endpoint.model} gave an empty reply {_TRIES} times as the user")

    def _read(self, completion: Completion) -> tuple[str, bool]:
        """Return the words in one line, and whether they end the conversation."""
        if completion.refused:
            return "", False
        words = without_thinking(completion.text)
        ends = STOP in words
        words = " ".join(words.partition(STOP)[0].split()) if ends else " ".join(words.split())
        return words.strip('"“”'), ends

    def _too_early(self, words: str, *, reported: bool) -> bool:
        if not self._hold_back or self.slips.held_back >= _HELD_BACK_AT_MOST:
            return False
        after = self._disclosure.fork()
        after.hear(words)
        return bool(after.unsaid) or not reported

    def _say(self, words: str, *, done: bool) -> Reply:
        words = words or phrase("close" if done else "go_on", self.persona, self.language, self._stream)
        self._messages.append({"role": "assistant", "content": words})
        self.done = done
        acts = [
            UserAct(UserActKind.INFORM if p.replaces is None else UserActKind.CHANGE, p.id, p.slot)
            for p in self._disclosure.hear(words)
        ]
        return Reply(words, (*acts, UserAct(UserActKind.CLOSE)) if done else tuple(acts), done)

    def _early_note(self) -> dict[str, str]:
        unsaid = [finished(point.wordings[0], self.language) for point in self._disclosure.unsaid]
        if unsaid:
            return self._note("again_unsaid", points=joined(unsaid, self.language))
        return self._note("again_unreported")

    def _note(self, key: str, **places: str) -> dict[str, str]:
        return {"role": "user", "content": self._told(key).format(stop=STOP, **places)}

    def _told(self, key: str) -> str:
        return text("user_llm", key, self.language)


def _shortened(words: str) -> str:
    """Return the first sentences of a text that fit, or its beginning."""
    start = words[:LONGEST]
    ends = max(start.rfind(mark) for mark in (". ", "! ", "? ", "。", "！", "？"))
    return start[: ends + 1] if ends > 0 else start


@cache
def _template(language: Language) -> str:
    source = resources.files("vitagym.assets").joinpath("prompts", f"user_{language.value}.md")
    return source.read_text(encoding="utf-8").strip()


def _read(prompt: str | Path) -> str:
    return prompt.read_text(encoding="utf-8") if isinstance(prompt, Path) else prompt


def _filled(template: str, task: Task, personality: str | None) -> str:
    template = template.replace("{stop}", STOP)
    persona, instructions = _persona(task, personality), task.instruction
    return _PLACES.sub(lambda place: persona if place[0] == "{persona}" else instructions, template)


_PLACES = re.compile(r"\{persona\}|\{instructions\}")


def _persona(task: Task, personality: str | None) -> str:
    """Return what the user knows of itself, a line each; a personality given stands in the place of the profile's."""
    facts = {"user id": task.profile.user_id}
    known = {**task.profile.public, **task.profile.hidden}
    facts |= {key.replace("_", " "): value for key, value in known.items() if key not in ("user id", "user_id")}
    if personality is not None or "personality" not in facts:
        facts["personality"] = personality or text("personas", task.persona.value, task.language)
    line = text("user_llm", "persona_line", task.language)
    return "\n".join(line.format(name=_named(key, task.language), value=value) for key, value in facts.items())


def _named(key: str, language: Language) -> str:
    meaning = key.replace(" ", "_")
    return text("user_llm", meaning, language) if meaning in texts("user_llm") else key
