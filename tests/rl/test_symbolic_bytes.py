"""What the symbolic view shows is the same to the byte, in any process and whatever was played before."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

import vitagym
from vitagym.env.actions import CallIds, WrittenCall, parse_action
from vitagym.rl.making import symbolic

_PRINT_DIGEST = "import sys; from test_symbolic_bytes import digest; print(digest(sys.argv[1]))"


def digest(domain):
    """Return a digest of all that an episode of random choices shows, played twice on the same task."""
    view = symbolic(domain=domain, tasks=[vitagym.make_task(domain, 5)])
    return [_played(view, seed) for seed in (1, 2, 1)]


def _played(view, seed):
    rng = np.random.default_rng(seed)
    observation, info = view.reset(seed=seed)
    shown = hashlib.sha256()
    for _ in range(25):
        for part in (observation["ctx"], observation["cand"], observation["mask"]):
            shown.update(part.tobytes())
        shown.update(repr([(c.action, c.name, c.fit, c.rank) for c in view.candidates]).encode())
        shown.update(repr((info["messages"], info["rubrics"], info["reward_terms"])).encode())
        choices = [n for n in np.flatnonzero(observation["mask"]) if view.candidates[n].kind.value != "stop"]
        observation, _, terminated, truncated, info = view.step(rng.choice(choices))
        if terminated or truncated:
            break
    return shown.hexdigest()


@pytest.mark.parametrize("domain", ["ota", "cross"])
def test_hash_seeds_and_earlier_episodes_change_no_byte(domain):
    here = digest(domain)
    assert here[0] == here[2] != here[1]
    env = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.path.dirname(__file__)}
    elsewhere = subprocess.run(
        [sys.executable, "-c", _PRINT_DIGEST, domain], env=env, check=True, capture_output=True, encoding="utf-8"
    )
    assert elsewhere.stdout.strip() == str(here)


@pytest.mark.parametrize("domain", ["delivery", "instore", "ota", "cross"])
def test_a_call_with_its_parts_at_hand_is_read_as_its_text_is(domain):
    view = symbolic(domain=domain, tasks=[vitagym.make_task(domain, 2)])
    view.reset(seed=0)
    compared = 0
    for step in range(12):
        tools = view.vita.world.tools
        for one in view.candidates:
            if one.tool:
                call = WrittenCall(one.action, one.tool, one.arguments, one.raw)
                assert parse_action(call, tools, CallIds()) == parse_action(one.action, tools, CallIds())
                assert call == one.action
                compared += 1
        calls = [n for n, one in enumerate(view.candidates) if one.tool]
        view.step(calls[step % len(calls)])
    assert compared > 30
