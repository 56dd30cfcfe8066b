"""A language model as the agent, behind any endpoint that speaks the OpenAI protocol.

It is handed the messages and the tools and nothing else. Its history is made of ``info["messages"]``, so that what the
environment has read of an answer is what the model is shown of it. An endpoint that fails ends the episode through the
action (see ``vitagym.env.reported``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import gymnasium as gym

from vitagym.agents.forms import Message, Thoughts, Tools, conversation, form_named, plan_prompt
from vitagym.env.reported import failed_action
from vitagym.errors import CallerError, EndpointError, UnknownName
from vitagym.language import Language, text
from vitagym.llm.asking import Asking, ModelRole, Question, arun, run
from vitagym.llm.chat import Chat
from vitagym.llm.completion import Completion
from vitagym.llm.endpoint import endpoint
from vitagym.llm.usage import Used, counted

Action = dict[str, Any]
_TRIES = 3


class LanguageModelAgent:
    """Plays the agent with a language model.

    Args:
        protocol: ``tools``: function calling; ``text``: calls as text, for models without it; ``react``: a thought,
            then one action.
        thoughts: Which of its earlier thoughts the model is shown again: ``none``, ``turn`` (those since the user
            spoke last) or ``all``; with ``tools`` alone.
        tool_choice: ``auto``, ``none``, ``required``, or one tool; None: what the endpoint does by itself.
        parallel_tool_calls: Whether it may make several calls at once; None: what the endpoint does by itself.
        settings: Fields of ``vitagym.llm.endpoint.Endpoint`` (model, base_url, api_key, temperature …); what is not
            given comes from the process environment, as for ``endpoint("agent")``.

    Raises:
        UnknownName: No such protocol, way with thoughts, or setting.
        CallerError: No model is named anywhere.
    """

    def __init__(
        self,
        *,
        protocol: str = "tools",
        thoughts: str = "none",
        tool_choice: str | Mapping[str, Any] | None = None,
        parallel_tool_calls: bool | None = None,
        **settings: Any,
    ) -> None:
        if thoughts not in list(Thoughts):
            raise UnknownName("thoughts", thoughts, list(Thoughts))
        self.endpoint = endpoint("agent", **settings)
        self._form, self._thoughts = form_named(protocol), Thoughts(thoughts)
        self._calling: dict[str, Any] = {"tool_choice": tool_choice, "parallel_tool_calls": parallel_tool_calls}
        self._language = Language.EN
        self._prompt = ""
        self._chat: Chat | None = None
        self._messages: list[Message] = []

    def start(self, env: gym.Env[Any, Any]) -> None:
        """Get ready for a new episode."""
        self._language = env.unwrapped.task.language  # type: ignore[attr-defined]
        self._chat = None
        self._messages = []

    def act(self, observation: str, info: Mapping[str, Any]) -> Action:
        """Return the model's next message, or the action that says that its endpoint has failed."""
        return run(self.acting(info))

    async def aact(self, observation: str, info: Mapping[str, Any]) -> Action:
        """Do the same without blocking the event loop."""
        return await arun(self.acting(info))

    def acting(self, info: Mapping[str, Any]) -> Asking[Action]:
        """Ask the model for the next message; see ``act``."""
        if info["system_prompt"] is not None:
            self._begin(info["system_prompt"], info["tools"])
        if self._chat is None:
            raise CallerError("the first info after start(env) must be that of reset: it has prompt and tools")
        self._messages += info["messages"]
        tally = _Tally(self.endpoint.model)
        try:
            message = yield from counted(self._answer(self._chat), tally.add)
        except EndpointError as fault:
            return failed_action(fault, tally.used)
        return {**message, "usage": asdict(tally.used)}

    def _begin(self, rules: str, tools: Tools) -> None:
        self._prompt = self._form.prompt(rules, tools, self._language)
        self._chat = Chat(self.endpoint, tools=tools if self._form.offers_tools else (), **self._calling)

    def _answer(self, chat: Chat) -> Asking[Action]:
        """Ask until an answer has words or calls, in the form asked for; in the end any will do."""
        return self._ask(chat, self._prompt)

    def _ask(self, chat: Chat, prompt: str) -> Asking[Action]:
        messages: list[Message] = [{"role": "system", "content": prompt}]
        messages += conversation(self._form, self._messages, self._thoughts, self._language)
        notes: list[Message] = []
        completion = Completion("")
        for _ in range(_TRIES):
            completion = yield Question(ModelRole.AGENT, chat, [*messages, *notes])
            message = None if completion.empty else self._form.read(completion)
            if message is not None:
                return _thinking(message, completion)
            if not completion.empty:
                again = text("agent_llm", "again_react", self._language)
                notes = [{"role": "assistant", "content": completion.text}, {"role": "user", "content": again}]
        return _thinking({"role": "assistant", "content": completion.text or None}, completion)


class PlanningAgent(LanguageModelAgent):
    """Plans anew whenever the user has spoken, then acts by the plan; arguments as for ``LanguageModelAgent``.

    The plan stands in the log as the first thought of the action that follows it.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._planner: Chat | None = None
        self._plan_prompt, self._plan = "", ""

    def _begin(self, rules: str, tools: Tools) -> None:
        super()._begin(rules, tools)
        self._planner = Chat(self.endpoint)
        self._plan_prompt, self._plan = plan_prompt(rules, tools, self._language), ""

    def _answer(self, chat: Chat) -> Asking[Action]:
        fresh = self._messages[-1]["role"] == "user"
        if fresh and self._planner is not None:
            self._plan = yield from self._planning(self._planner)
        told = text("agent_llm", "plan", self._language).format(plan=self._plan)
        message = yield from self._ask(chat, f"{self._prompt}\n\n{told}")
        if fresh and self._plan:
            thought = message.get("reasoning_content")
            message["reasoning_content"] = f"{self._plan}\n\n{thought}" if thought else self._plan
        return message

    def _planning(self, planner: Chat) -> Asking[str]:
        written = conversation(form_named("text"), self._messages, Thoughts.NONE, self._language)
        wish = text("agent_llm", "write_plan", self._language)
        last = {"role": "user", "content": f"{written[-1]['content']}\n\n{wish}"}
        messages = [{"role": "system", "content": self._plan_prompt}, *written[:-1], last]
        completion = yield Question(ModelRole.AGENT, planner, messages)
        return completion.text.strip() or self._plan


class _Tally:
    """What one action has taken so far."""

    def __init__(self, model: str) -> None:
        self.used = Used(model)

    def add(self, _: ModelRole, used: Used) -> None:
        self.used = self.used.plus(used)


def _thinking(message: Action, completion: Completion) -> Action:
    """Return the message with what the endpoint says that the model thought."""
    if not completion.reasoning:
        return message
    thought = message.get("reasoning_content")
    both = f"{completion.reasoning}\n{thought}" if thought else completion.reasoning
    return {**message, "reasoning_content": both}
