"""Scripted players of the three roles, for the local server: what they say depends on the messages alone.

The model's name says the role: ``agent…``, ``user…`` or ``judge…``. Agent and user recognise the task by its clock and
by its instruction among the test tasks of all domains, in both languages.
"""

import functools
import hashlib
import json
import re
from collections import OrderedDict

import orjson

import vitagym
from vitagym.agents.reference import ReferenceAgent
from vitagym.dialogue.acts import UserAct, UserActKind
from vitagym.dialogue.transcript import Role, ToolCall, Transcript
from vitagym.domains import CROSS, domains
from vitagym.randomness import Stream
from vitagym.tools.results import Result
from vitagym.users.agenda import brief_of
from vitagym.users.disclosure import Disclosure
from vitagym.users.scripted import ScriptedUser

REMEMBERED = 8_000
PLAN = "1. Find out what is wanted.\n2. Look it up.\n3. Order it and report."
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
_RESPONSE = re.compile(r'<tool_response name="(.*?)">\n(.*?)\n</tool_response>\n?', re.DOTALL)
_HAN = re.compile(r"[一-鿿]")


@functools.cache
def tasks():
    """Clock and language -> task; the clocks of all test tasks differ."""
    every = (vitagym.load_tasks(domain, language=code) for domain in (*domains(), CROSS) for code in ("en", "zh"))
    return {(task.time, task.language.value): task for some in every for task in some}


@functools.cache
def by_instruction():
    return {task.instruction: task for task in tasks().values()}


class Remembered:
    """Keeps what was worked out for a conversation, so that the next message goes on from there."""

    def __init__(self):
        self._known = OrderedDict()

    def get(self, key):
        return self._known.get(key)

    def put(self, key, value):
        self._known[key] = value
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return value


class AgentRole:
    """The reference agent, told by the messages of a request what has happened."""

    def __init__(self):
        self._answers, self._plays = Remembered(), Remembered()

    def __call__(self, body):
        messages = body["messages"]
        if body["model"].startswith("agent-plan") and not body.get("tools"):
            return {"content": PLAN}
        events = _events(messages[1:], body["model"])
        key = _name([body["model"], messages[0]["content"].partition("\n\n")[0], events])
        known = self._answers.get(key)
        if known is None:
            known = self._answers.put(key, self._act(messages[0]["content"], events))
        return _written(known, body["model"])

    def _act(self, prompt, events):
        language = "zh" if len(_HAN.findall(prompt[:60])) > 5 else "en"
        task = tasks()[_TIME.search(prompt)[0], language]
        acted = sum(kind == "assistant" for kind, *_ in events)
        start = max((n + 1 for n, (kind, *_) in enumerate(events) if kind == "assistant"), default=0)
        before = _name([task.id, language, events[: max(0, start - 1)]])
        play = self._plays.get(before) if acted else None
        if play is None or play.acted != acted:
            play = Play(task)
            start = 0
        for number, event in enumerate(events):
            if number >= start:
                play.take(event)
        said = play.act()
        self._plays.put(_name([task.id, language, events]), play)
        return said


def _name(data):
    return hashlib.blake2b(orjson.dumps(data), digest_size=16).digest()


class Play:
    """One episode of the reference agent, without an environment."""

    def __init__(self, task):
        self.task, self.transcript, self.acted = task, Transcript(), 0
        self.unwrapped = self
        self._agent = ReferenceAgent()
        self._agent.start(self)
        self._disclosure = Disclosure(brief_of(task), task.language)

    def take(self, event):
        kind, text = event
        if kind == "user":
            new = self._disclosure.hear(text)
            self.transcript.add(Role.USER, text, acts=tuple(UserAct(UserActKind.INFORM, p.id, p.slot) for p in new))
        elif kind == "tool":
            try:
                data, ok = json.loads(text), True
            except ValueError:
                data, ok = None, False
            call = ToolCall("call", "", {}, "{}")
            self.transcript.add(Role.TOOL, text, call=call, result=Result(ok, data, text, ""))
        else:
            self.act()

    def act(self):
        self.acted += 1
        said = self._agent.act("", {})
        self.transcript.add(Role.ASSISTANT, said)
        return said


def _events(messages, model):
    """What has happened, one entry a message: (assistant | user | tool, text)."""
    events = []
    for message in messages:
        role, content = message["role"], message.get("content") or ""
        if role == "assistant":
            events.append(("assistant", ""))
        elif role == "tool":
            events.append(("tool", content))
        elif "react" in model:
            for part in re.split(r"\n(?=User: |Observation: )", content):
                kind, _, text = part.partition(": ")
                events.append(("tool" if kind == "Observation" else "user", text))
        else:
            events += [("tool", text) for _, text in _RESPONSE.findall(content)]
            rest = _RESPONSE.sub("", content).strip()
            if rest:
                events.append(("user", rest))
    return events


def _written(said, model):
    """The message for what the reference agent does, in the form of the model."""
    call = json.loads(said) if said.startswith("{") else None
    thought = "I do what comes next."
    if "react" in model:
        return {"content": f"Thought: {thought}\n" + (f"Action: {said}" if call else f"Say: {said}")}
    if "text" in model:
        return {"content": f"<tool_call>{said}</tool_call>" if call else said}
    message = {"content": said}
    if call:
        function = {"name": call["name"], "arguments": json.dumps(call["arguments"], ensure_ascii=False)}
        message = {"content": None, "tool_calls": [{"id": "call_x", "type": "function", "function": function}]}
    return {**message, "reasoning_content": thought} if "think" in model else message


class UserRole:
    """The scripted user of a task, seed 0, told by the messages of a request what the agent has said."""

    def __init__(self):
        self._users = Remembered()

    def __call__(self, body):
        prompt, _, *talk = (message["content"] for message in body["messages"])
        heard = [words for words, message in zip(talk, body["messages"][2:], strict=True) if message["role"] == "user"]
        said = sum(message["role"] == "assistant" for message in body["messages"])
        return {"content": self._reply(prompt, tuple(heard[:said]))}

    def _reply(self, prompt, heard):
        """A note to ask again comes after what the agent said, and is no word of the agent."""
        return self._state(prompt, heard)[1]

    def _state(self, prompt, heard):
        key = (prompt, heard)
        known = self._users.get(key)
        if known is not None:
            return known
        if heard:
            user = self._state(prompt, heard[:-1])[0].fork()
            reply = user.reply(heard[-1])
        else:
            user = ScriptedUser(self._task(prompt), Stream(0, "user"))
            reply = user.open()
        return self._users.put(key, (user, f"{reply.text} ###STOP###" if reply.done else reply.text))

    def _task(self, prompt):
        instruction = re.search(r"<instructions>\n(.*?)\n</instructions>", prompt, re.DOTALL)[1]
        return by_instruction()[instruction]


class JudgeRole:
    """Finds every requirement met once a window shows an accepted call that makes or pays for something."""

    def __call__(self, body):
        shown = body["messages"][1]["content"]
        rows = [json.loads(line) for line in shown.splitlines() if line.startswith('{"key": "R')]
        acted = re.search(r'"tool": "(?:create|pay|book|instore_book|instore_reserve)[^"]*"', shown) is not None
        verdicts = [
            {
                "key": row["key"],
                "justification": "As shown.",
                "meetExpectation": acted or row["meetExpectation"] == "true",
            }
            for row in rows
        ]
        return {"content": json.dumps(verdicts)}
