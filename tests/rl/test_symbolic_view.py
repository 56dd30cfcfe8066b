"""The symbolic view: what users of it rely on."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import vitagym
from vitagym.env.environment import VitaEnv
from vitagym.env.registration import symbolic_ids
from vitagym.errors import CallerError
from vitagym.rl.expert import expert_choice
from vitagym.rl.kinds import Talk
from vitagym.rl.making import symbolic
from vitagym.rl.reach import play
from vitagym.rl.rows import candidate_names, context_names
from vitagym.rl.view import SymbolicView
from vitagym.tasks.task import Release

DOMAINS = ("delivery", "instore", "ota", "cross")


def _view(domain, seed=1, **dials):
    task = vitagym.make_task(domain, seed, **dials)
    view = symbolic(domain=domain, tasks=[task])
    view.reset(seed=0)
    return view


def _same(one, other):
    return all(np.array_equal(one[key], other[key]) for key in ("ctx", "cand", "mask"))


def _random_walk(view, steps, seed=0, observation=None):
    """Play random candidates; return all that was shown."""
    rng = np.random.default_rng(seed)
    shown = []
    mask = view.reset(seed=3)[0]["mask"] if observation is None else observation["mask"]
    for _ in range(steps):
        choices = [n for n in np.flatnonzero(mask) if view.candidates[n].kind is not Talk.STOP]
        observation, reward, terminated, truncated, info = view.step(rng.choice(choices))
        shown.append((observation, reward, [c.action for c in view.candidates], info["turn"]))
        mask = observation["mask"]
        if terminated or truncated:
            break
    return shown


@pytest.mark.parametrize("env_id", symbolic_ids())
def test_every_id_passes_the_checks_of_gymnasium(env_id):
    env = gym.make(env_id)
    check_env(env.unwrapped if isinstance(env.unwrapped, SymbolicView) else _inner(env), skip_render_check=True)
    assert env.observation_space["cand"].shape == (128, len(candidate_names()))
    assert env.observation_space["ctx"].shape == (len(context_names()),)


def _inner(env):
    while not isinstance(env, SymbolicView):
        env = env.env
    return env


def test_all_domains_have_the_same_spaces_and_names_are_unique():
    spaces = {str(symbolic(domain=domain, tasks="train").observation_space) for domain in DOMAINS}
    assert len(spaces) == 1
    for names in (candidate_names(), context_names()):
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("domain", DOMAINS)
def test_observations_are_in_their_space_and_the_mask_says_where_candidates_are(domain):
    view = _view(domain)
    for observation, _, actions, _ in _random_walk(view, 25):
        assert view.observation_space.contains(observation)
        assert observation["mask"].sum() == len(actions)
        assert not observation["cand"][observation["mask"] == 0].any()
        assert len(set(actions)) == len(actions)


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_same_seed_and_choices_give_the_same_bytes_whatever_was_played_before(domain):
    view, other = _view(domain), _view(domain)
    first = _random_walk(view, 25)
    _random_walk(other, 25, seed=7)
    second = _random_walk(other, 25)
    assert len(first) == len(second)
    for (a, ra, ca, ta), (b, rb, cb, tb) in zip(first, second, strict=True):
        assert _same(a, b)
        assert (ra, ca, ta) == (rb, cb, tb)


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_fork_goes_on_by_itself_and_shows_the_same(domain):
    view = _view(domain)
    view.reset(seed=3)
    for _ in range(6):
        observation, *_ = view.step(expert_choice(view))
    fork = view.fork()
    before = [c.action for c in view.candidates]
    one = _random_walk(fork, 8, observation=observation)
    assert [c.action for c in view.candidates] == before
    assert len(view.history) == 6
    other = _random_walk(view, 8, observation=observation)
    assert [step[2] for step in one] == [step[2] for step in other]
    assert all(_same(a[0], b[0]) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("seed", [1, 4])
def test_nothing_depends_on_what_was_not_revealed(domain, seed):
    """A task, and one that differs in all that is only said later: alike until it is said."""
    task = vitagym.make_task(domain, seed)
    later = [p for p in task.points if p.release is not Release.OPENING]
    other = task.model_copy(update=_changed(task, later[-1].id))
    views = [symbolic(domain=domain, tasks=[t]) for t in (task, other)]
    seen = [view.reset(seed=5)[0] for view in views]
    rng = np.random.default_rng(1)
    compared = 0
    for _ in range(30):
        if any(later[-1].id in view.belief.said for view in views):
            break
        assert _same(*seen)
        assert [c.action for c in views[0].candidates] == [c.action for c in views[1].candidates]
        compared += 1
        calls = [n for n, c in enumerate(views[0].candidates) if c.tool or c.kind is Talk.ASK_MORE]
        choice = int(rng.choice(calls))
        steps = [view.step(choice) for view in views]
        seen = [step[0] for step in steps]
        if any(step[2] or step[3] for step in steps):
            break
    assert compared > 1


def _changed(task, hidden):
    """Return what makes another task of one: no rubrics, no solution, and another meaning of a point."""
    swapped = tuple(
        point.model_copy(update={"conveys": point.conveys[:0]}) if point.id == hidden else point
        for point in task.points
    )
    profile = task.profile.model_copy(update={"hidden": {**task.profile.hidden, "dietary restrictions": "None"}})
    return {"points": swapped, "rubrics": task.rubrics[:1], "solution": task.solution[:1], "profile": profile}


@pytest.mark.parametrize("domain", DOMAINS)
def test_both_languages_show_the_same(domain):
    """Until the first look-up of words: searches rank by them."""
    views = [
        symbolic(domain=domain, tasks=[vitagym.make_task(domain, 2, language)], persona="neutral")
        for language in ("en", "zh")
    ]
    seen = [view.reset(seed=5)[0] for view in views]
    for _ in range(6):
        assert _same(*seen)
        assert [c.kind for c in views[0].candidates] == [c.kind for c in views[1].candidates]
        choice = next(n for n, c in enumerate(views[0].candidates) if c.kind is Talk.ASK_MORE)
        seen = [view.step(choice)[0] for view in views]


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_expert_succeeds_on_benchmark_tasks(domain):
    for task in vitagym.load_tasks(domain)[::20]:
        reached = play(symbolic(domain=domain, tasks=[task]), task)
        assert reached.success, reached


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_expert_succeeds_on_made_tasks_in_both_languages(domain):
    for seed, language in ((11, "en"), (12, "zh"), (13, "zh")):
        task = vitagym.make_task(domain, seed, language)
        reached = play(symbolic(domain=domain, tasks=[task]), task)
        assert reached.success, reached


def test_a_number_that_stands_for_nothing_is_an_action_that_cannot_be_used():
    view = _view("delivery")
    empty = int(np.flatnonzero(view.step(0)[0]["mask"] == 0)[0])
    *_, info = view.step(empty)
    assert info["tool_error"] == "empty_action"
    assert view.history[-1] is None


def test_places_tell_nothing():
    """The stop action stands in another place from episode to episode."""
    view = _view("delivery")
    places = set()
    for seed in range(8):
        view.reset(seed=seed)
        places.add(next(n for n, c in enumerate(view.candidates) if c.kind is Talk.STOP))
    assert len(places) > 3


def test_a_user_without_acts_is_refused():
    class Silent(VitaEnv):
        def reset(self, **kwargs):
            out = super().reset(**kwargs)
            turns = self.transcript.turns
            turns[0] = type(turns[0])(0, turns[0].role, turns[0].text)
            return out

    with pytest.raises(CallerError, match="acts"):
        SymbolicView(Silent("delivery", tasks="train")).reset(seed=0)


def test_what_cannot_be_wrapped_is_refused():
    with pytest.raises(CallerError, match="no vitagym environment"):
        SymbolicView(gym.make("CartPole-v1"))
    with pytest.raises(CallerError, match="candidates=3"):
        symbolic(domain="delivery", tasks="train", candidates=3)
