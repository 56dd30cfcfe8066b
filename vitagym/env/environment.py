"""The Gymnasium environment. The docstring of ``VitaEnv`` is its page in the documentation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar

import gymnasium as gym
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import ResetNeeded

from vitagym.dialogue.transcript import Transcript
from vitagym.env.episode import Episode, Limits
from vitagym.env.offer import ToolChoice, offered_tools, schemas
from vitagym.env.rendering import as_text, show
from vitagym.env.spaces import Action, AgentActions, AnyText
from vitagym.env.task_source import ENV_DIALS, TaskChoice, jsonable_tasks, task_source
from vitagym.errors import CallerError, UnknownName
from vitagym.language import Language
from vitagym.llm.asking import Answering, Asking, Question, arun, run
from vitagym.llm.chat import Completion
from vitagym.llm.usage import Accounts, counted, read_prices
from vitagym.randomness import Stream
from vitagym.rewards.judges import JudgeMaker, check_judge, make_judge
from vitagym.rewards.rubrics import RubricStates
from vitagym.rewards.terms import RewardSpec, make_reward
from vitagym.tasks.task import Persona, Task
from vitagym.tools.results import Feedback, Strictness
from vitagym.users.choice import UserSpec, check_user, make_user
from vitagym.users.user import User
from vitagym.world.world import World

E = TypeVar("E", bound=StrEnum)
T = TypeVar("T")
Info = dict[str, Any]
_OPTIONS = ("task_id",)
_ARGUMENTS = (
    "domain",
    "tasks",
    "user",
    "persona",
    "judge",
    "reward",
    "language",
    "feedback",
    "strictness",
    "tools",
    "max_turns",
    "max_tokens",
    "max_cost",
    "prices",
    "debug",
    "render_mode",
)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A moment of an environment, to come back to as often as wanted. It cannot be changed by playing on."""

    domain: str
    episode: Episode
    episode_seed: int
    over: bool
    np_random_state: dict[str, Any]


class VitaEnv(gym.Env[str, Action]):
    """A person needs something; an agent talks with them and uses tools in a deterministic world until it is done.

    ## Description
    One task a time, after VitaBench: a user with a persona tells a need bit by bit, changes their mind, and knows
    things that only a question brings out. The agent looks up stores, shops, hotels, flights …, orders, books, pays,
    and reports. A judge decides atomic rubrics while the episode runs. Everything happens in the calling thread; the
    same seed and the same actions give the same bytes, on any machine.

    ## Action space
    `AgentActions`: one message of the agent. It is either an utterance, which the user hears, or tool calls, which are
    run in order (the user does not hear the words beside them).

    | form | example |
    |---|---|
    | text | `"Which evening suits you?"` |
    | OpenAI message; it may have `reasoning_content`, which is kept for the log, and `usage` and `error` of the agent's model (`vitagym.env.reported`) | `{"role": "assistant", "content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": "{…}"}}]}` |
    | JSON call(s), as text or as object | `{"name": "weather", "arguments": {…}}`, a list of them, `{"tool_calls": […]}`, `{"function": {…}}`, in a ```` ```json ```` fence or alone on its lines |
    | tags, one or many | `<tool_call>{"name": "weather", "arguments": {…}}</tool_call>` |
    | Python notation, alone on its lines, literals by name | `weather(address="Kunming", date_start="2025-07-24", date_end="2025-07-25")` |
    | end | `"###STOP###"`, alone or at the end of the words |

    Text around calls is kept. `<think>…</think>` is dropped. A bad action (broken JSON, unknown tool, wrong types,
    empty text, lone surrogates, too long, or no action at all) is answered in the observation; `info["tool_error"]`
    has its code. No action raises.

    ## Observation space
    `AnyText`: what is new for the agent: the user's words, or the results of its calls (several: a line each, under the
    names of their tools). Any Unicode, any length. The same as OpenAI-format messages is `info["messages"]`.

    ## Rewards
    The sum of `info["reward_terms"]`. By default: success at the end + Φ(after) − Φ(before), where Φ is the share of
    rubrics that are met; see `vitagym.rewards.terms` for the others.

    ## Starting state
    The user has said the first words. `reset(seed=s)` always gives the task of s (the task of index s modulo their
    number, or the made task of that seed); `reset()` draws the next from `np_random`;
    `reset(options={"task_id": …})` asks for one by its id.

    ## Episode end
    Terminated: the agent wrote `###STOP###` (`agent_stop`), or the user ended the conversation (`user_done`).
    Truncated: the transcript holds `max_turns` messages (`max_turns`), the models together have used `max_tokens`
    tokens (`max_tokens`) or cost `max_cost` (`max_cost`), the conversation no longer fits the agent's model
    (`context_overflow`), or a model's endpoint failed (`endpoint_failed`, `endpoint_timed_out`): the user's, the
    judge's, or the agent's where it says so. Rubrics keep their states on every ending.

    ## Info
    The same keys after every reset and step, all of it JSON:

    | key | meaning |
    |---|---|
    | `task_id`, `split` | which task it is |
    | `turn` | how many messages there are so far |
    | `messages` | the new messages in OpenAI format, the agent's own first; together they are the conversation |
    | `reward_terms` | reward by term; all 0 after reset |
    | `rubrics` | opaque key → `status` (pending, met, overturned, unscored) and the `turn` since when |
    | `is_success` | whether every rubric is met as things stand; null where one cannot be scored |
    | `scores` | what the judge reports beside the rubrics, by name: `ledger_success`, `ledger_score` |
    | `end_reason` | why the episode ended; null while it goes on |
    | `tool_error` | code of the first refusal of this action; null where nothing was refused |
    | `usage` | counts: actions, utterances, tool calls, refused calls, refused actions; `roles`: what the models of agent (as far as it says), user and judge used: requests, failed requests, tokens, cost; `priced`: whether every price was known |
    | `tools`, `system_prompt` | schemas of the tools in OpenAI format, and the agent's instructions; null after steps |

    With `debug=True`, `rubrics` also has each rubric's id, sentence and reason. An agent must not see those.

    ## Arguments
    | argument | meaning |
    |---|---|
    | `tasks` | a split (`"test"`, `"train"`, `"dev"`, `"ood"`), or a list of tasks, task ids, or tasks as JSON objects |
    | `user`, `persona` | which user (see `vitagym.users.choice`); a persona in place of the task's own |
    | `judge`, `reward` | see `vitagym.rewards.judges` and `vitagym.rewards.terms` |
    | `language` | `"en"` or `"zh"`; default: English, and for given tasks their own |
    | `feedback` | how much a refusal says: `"plain"`, `"explain"`, `"guide"` |
    | `strictness` | `"state"`: an id must exist; `"observed"`: the agent must also have seen it |
    | `tools` | `"own"`: the domain's; `"all"`: all 66; `"needed"`: those of the reference solution |
    | `max_turns` | how many messages; None for any number |
    | `max_tokens`, `max_cost` | how many tokens the models of agent, user and judge may use together, and what they may cost; checked after every step |
    | `prices` | model → price of a million tokens of prompt and of completion: `{"some-model": (2.5, 10.0)}` |
    | `difficulty`, `subgoals`, `distractors`, `constraints`, `hidden`, `changes`, `domains`, `families` | dials of made tasks, see `vitagym.generation.dials.Dials`; for endless splits alone |

    ## Registered ids
    `VitaBench-Delivery-v0`, `VitaBench-InStore-v0`, `VitaBench-OTA-v0`, `VitaBench-Cross-v0` (all test tasks of a
    domain); `VitaBench-Cross-001-v0` … (one task); `VitaBench-Cross-Train-v0`, `VitaBench-Cross-Dev-v0`, `VitaBench-Cross-OOD-v0` …
    (endless).

    ## Version history
    v0: first version.
    """  # noqa: E501 - tables

    metadata: dict[str, Any] = {  # noqa: RUF012 - as the base class declares it
        "render_modes": ["human", "ansi"],
        "render_fps": 4,
    }

    def __init__(
        self,
        domain: str = "cross",
        *,
        tasks: TaskChoice = "test",
        user: UserSpec = "scripted",
        persona: str | None = None,
        judge: str | JudgeMaker = "rules",
        reward: RewardSpec | None = None,
        language: str | None = None,
        feedback: str = "plain",
        strictness: str = "state",
        tools: str = "own",
        max_turns: int | None = 300,
        max_tokens: int | None = None,
        max_cost: float | None = None,
        prices: Mapping[str, Sequence[float]] | None = None,
        debug: bool = False,
        render_mode: str | None = None,
        **dials: Any,
    ) -> None:
        for name in dials:
            if name not in ENV_DIALS:
                raise UnknownName("argument of the environment", name, [*_ARGUMENTS, *ENV_DIALS])
        check_user(user)
        if isinstance(judge, str):
            check_judge(judge)
        if max_turns is not None and (isinstance(max_turns, bool) or not isinstance(max_turns, int) or max_turns < 2):
            raise CallerError(f"max_turns={max_turns!r}: expected a whole number from 2, or None")
        if max_tokens is not None and (
            isinstance(max_tokens, bool) or not isinstance(max_tokens, int) or max_tokens < 1
        ):
            raise CallerError(f"max_tokens={max_tokens!r}: expected a whole number from 1, or None")
        if max_cost is not None and (
            isinstance(max_cost, bool) or not isinstance(max_cost, int | float) or max_cost <= 0
        ):
            raise CallerError(f"max_cost={max_cost!r}: expected a number above 0, or None")
        if not isinstance(debug, bool):
            raise CallerError(f"debug={debug!r}: expected True or False")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise UnknownName("render_mode", render_mode, self.metadata["render_modes"])
        self.render_mode = render_mode
        self.observation_space = AnyText()
        self.action_space = AgentActions()
        self.domain = domain
        self._named, self._dials = tasks, dials
        self._language = None if language is None else _one_of("language", Language, language)
        self._tasks = task_source(domain, tasks, self._language, dials)
        self._user = user
        self._persona = None if persona is None else _one_of("persona", Persona, persona)
        self._judge = judge
        self._reward = make_reward(reward)
        self._feedback = _one_of("feedback", Feedback, feedback)
        self._strictness = _one_of("strictness", Strictness, strictness)
        self._tools = _one_of("tools", ToolChoice, tools)
        self._limits = Limits(max_turns, max_tokens, max_cost)
        self._prices = read_prices(prices)
        self._debug = debug
        self._spec: EnvSpec | None = None
        self._episode: Episode | None = None
        self._states_shown: RubricStates | None = None
        self._shown: dict[str, dict[str, Any]] = {}
        self._episode_seed = 0
        self._over = True
        self.answering: Answering | None = None
        """Where user and judge get their models' answers; None: from the models. For logs and replays."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, Info]:
        """Begin an episode.

        Args:
            seed: Fixes task and user. None: both are drawn from ``np_random``.
            options: ``{"task_id": …}`` asks for a task by its id; the seed then fixes the user alone.

        Raises:
            UnknownName: No such option or task.
        """
        self._begin(seed, options)
        return run(self._counted(self._opening()), self._answer)

    async def areset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, Info]:
        """Do as ``reset``, without blocking the event loop while a model is waited for."""
        self._begin(seed, options)
        return await arun(self._counted(self._opening()), self._aanswer)

    def step(self, action: Action) -> tuple[str, float, bool, bool, Info]:
        """Run one message of the agent; see the class for what comes back.

        Raises:
            ResetNeeded: There is no episode, it has ended, or a step of it is under way.
        """
        return run(self._counted(self._stepping(action)), self._answer)

    async def astep(self, action: Action) -> tuple[str, float, bool, bool, Info]:
        """Do as ``step``, without blocking the event loop while a model is waited for.

        Many environments can be in flight in one event loop, of each one step at a time. An episode whose step was
        cancelled or raised is over.
        """
        return await arun(self._counted(self._stepping(action)), self._aanswer)

    def _counted(self, asking: Asking[T]) -> Asking[T]:
        return counted(asking, self._playing().accounts.add)

    def _answer(self, question: Question) -> Completion:
        return question.answer() if self.answering is None else self.answering.answer(question)

    async def _aanswer(self, question: Question) -> Completion:
        return await (question.aanswer() if self.answering is None else self.answering.aanswer(question))

    def _begin(self, seed: int | None, options: dict[str, Any] | None) -> None:
        super().reset(seed=seed)
        for name in options or ():
            if name not in _OPTIONS:
                raise UnknownName("reset option", name, _OPTIONS)
        self._over = True
        self._episode_seed = int(self.np_random.integers(2**31)) if seed is None else int(seed)
        wanted = (options or {}).get("task_id")
        task = self._tasks.of_seed(self._episode_seed) if wanted is None else self._tasks.named(wanted)
        self._episode = self._new_episode(task)

    def _opening(self) -> Asking[tuple[str, Info]]:
        episode = self._playing()
        observation = yield from episode.opening()
        self._over = False
        info = self._info(episode, 0, dict.fromkeys(self._reward.names, 0.0))
        info["tools"] = schemas(episode.world.tools, episode.task.language)
        info["system_prompt"] = episode.system_prompt
        self._show(0)
        return observation, info

    def _stepping(self, action: Action) -> Asking[tuple[str, float, bool, bool, Info]]:
        if self._over:
            raise ResetNeeded("the episode has ended or not begun, or a step is under way; call reset()")
        self._over = True
        episode = self._playing()
        start = len(episode.transcript)
        observation, transition = yield from episode.acting(action)
        terms = self._reward.terms(transition)
        self._over = transition.terminated or transition.truncated
        info = self._info(episode, start, terms)
        self._show(start)
        return observation, float(sum(terms.values())), transition.terminated, transition.truncated, info

    def render(self) -> Any:
        """Return the transcript as text (``ansi``); with ``human`` it has been shown already."""
        if self.render_mode is None:
            gym.logger.warn("render() shows nothing without a render_mode; give one to gymnasium.make")
        return as_text(self._playing().transcript) if self.render_mode == "ansi" else None

    def snapshot(self) -> Snapshot:
        """Return this moment; cheap, as only ledger, transcript, user and judge are copied."""
        state = self.np_random.bit_generator.state
        return Snapshot(self.domain, self._playing().fork(), self._episode_seed, self._over, dict(state))

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a moment of this environment, of a fork of it, or of one made alike.

        Raises:
            CallerError: The moment is of an environment of another domain.
        """
        if snapshot.domain != self.domain:
            raise CallerError(f"a snapshot of a {snapshot.domain} environment does not fit a {self.domain} environment")
        self._episode = snapshot.episode.fork()
        self._episode_seed, self._over = snapshot.episode_seed, snapshot.over
        self.np_random.bit_generator.state = snapshot.np_random_state

    def fork(self) -> VitaEnv:
        """Return an environment that goes on from here by itself; the same actions give the same in both."""
        other = copy(self)
        other._episode = self._playing().fork()
        other._np_random = deepcopy(self.np_random)
        other.observation_space, other.action_space = deepcopy(self.observation_space), deepcopy(self.action_space)
        return other

    def set_dials(self, **dials: Any) -> None:
        """Set dials of the made tasks, from the next reset on; those that are not named stay.

        Raises:
            UnknownName: No such dial, or value of one that is a name.
            CallerError: The tasks are not made, or a value is out of range.
        """
        for name in dials:
            if name not in ENV_DIALS:
                raise UnknownName("dial", name, ENV_DIALS)
        together = {**self._dials, **dials}
        self._tasks = task_source(self.domain, self._named, self._language, together)
        self._dials = together

    @property
    def spec(self) -> EnvSpec | None:
        """How it was made. Given tasks stand in it as JSON objects, so that it survives its JSON form."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        if spec is not None and "tasks" in spec.kwargs:
            spec = replace(spec, kwargs={**spec.kwargs, "tasks": jsonable_tasks(spec.kwargs["tasks"])})
        self._spec = spec

    @property
    def task(self) -> Task:
        """The task of the episode."""
        return self._playing().task

    @property
    def world(self) -> World:
        """The world of the episode."""
        return self._playing().world

    @property
    def user(self) -> User:
        """The user of the episode."""
        return self._playing().user

    @property
    def transcript(self) -> Transcript:
        """The turns so far."""
        return self._playing().transcript

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The conversation so far in OpenAI format, without the system prompt."""
        return self._playing().transcript.messages()

    @property
    def rubrics(self) -> RubricStates:
        """State of each rubric by its id: for logs and judges, never for an agent."""
        return self._playing().rubrics

    @property
    def reward_names(self) -> tuple[str, ...]:
        """The names of the reward terms, in the order in which ``info["reward_terms"]`` has them."""
        return self._reward.names

    @property
    def fault(self) -> str | None:
        """What the fault of the endpoint was that cut the episode off; None where there was none."""
        return self._playing().fault

    @property
    def episode_seed(self) -> int:
        """The seed of the episode: given to ``reset``, or drawn by it."""
        return self._episode_seed

    def _playing(self) -> Episode:
        if self._episode is None:
            raise ResetNeeded("there is no episode yet; call reset()")
        return self._episode

    def _new_episode(self, task: Task) -> Episode:
        world = World(
            task.catalogue,
            offered_tools(task, self._tools),
            feedback=self._feedback,
            strictness=self._strictness,
        )
        user = make_user(self._user, task, Stream(self._episode_seed, "user"), self._persona)
        accounts = Accounts(self._prices, complete=self._limits.cost is not None)
        return Episode(task, world, user, make_judge(self._judge, task), limits=self._limits, accounts=accounts)

    def _info(self, episode: Episode, start: int, terms: dict[str, float]) -> Info:
        return {
            "task_id": episode.task.id,
            "split": episode.task.split,
            "turn": len(episode.transcript),
            "messages": episode.transcript.messages(start),
            "reward_terms": terms,
            "rubrics": self._rubrics(episode),
            "is_success": episode.success,
            "scores": dict(episode.judge.scores),
            "end_reason": None if episode.end is None else episode.end.value,
            "tool_error": episode.tool_error,
            "usage": {**episode.usage.data(), **episode.accounts.data()},
            "tools": None,
            "system_prompt": None,
        }

    def _rubrics(self, episode: Episode) -> dict[str, dict[str, Any]]:
        """Return the states as ``info`` has them, in objects of the caller's own; most steps change none of them."""
        states = episode.rubrics
        if states is not self._states_shown:
            self._states_shown, self._shown = states, self._written(episode.task, states)
        return {key: shown.copy() for key, shown in self._shown.items()}

    def _written(self, task: Task, states: RubricStates) -> dict[str, dict[str, Any]]:
        keys = _opaque_keys(len(states))
        shown: dict[str, dict[str, Any]] = {
            key: {"status": str(state.status), "turn": state.turn}
            for key, state in zip(keys, states.values(), strict=True)
        }
        if self._debug:
            rubrics = {rubric.id: rubric for rubric in task.rubrics}
            for key, (rubric_id, state) in zip(keys, states.items(), strict=True):
                sentence = rubrics[rubric_id].sentence(task.language)
                shown[key] |= {"id": rubric_id, "sentence": sentence, "reason": state.reason}
        return shown

    def _show(self, start: int) -> None:
        if self.render_mode == "human":
            episode = self._playing()
            show(episode.transcript.turns[start:], episode.end)


@cache
def _opaque_keys(number: int) -> tuple[str, ...]:
    return tuple(f"r{n:02d}" for n in range(1, number + 1))


def _one_of(argument: str, kind: type[E], value: str) -> E:
    """Return the member of that value; raises UnknownName for any other."""
    try:
        return kind(value)
    except ValueError:
        raise UnknownName(argument, value, [str(member) for member in kind]) from None
