"""The reward audit: attackers do what they say, get nothing that they should not, and are reported when they do."""

import json

import pytest
from support.command import run as command

from vitagym.env.environment import VitaEnv
from vitagym.language import Language
from vitagym.rewards.audit.attackers import ATTACKERS
from vitagym.rewards.audit.findings import Findings
from vitagym.rewards.audit.raids import EveryReward, raid
from vitagym.rewards.rubrics import RubricState, RubricStatus
from vitagym.rewards.terms import PRESETS
from vitagym.tasks.sources import make_draft

FAMILIES = [
    ("delivery", "midnight_snack"),
    ("delivery", "two_tables"),
    ("instore", "or_skip"),
    ("instore", "weather_permitting"),
    ("ota", "night_train"),
    ("cross", "weekend_on_a_budget"),
]


def environment(domain, family, language=Language.EN, **settings):
    task = make_draft(domain, 1, family=family).task(language)
    return VitaEnv(domain, tasks=[task], **{"reward": EveryReward(), **settings})


@pytest.mark.parametrize(("domain", "family"), FAMILIES)
@pytest.mark.parametrize("language", Language)
def test_no_attacker_succeeds_and_no_loop_pays(domain, family, language):
    found = Findings()
    found.add(environment(domain, family, language), [0])
    assert found.honest_failures == []
    assert {name: (f.successes, f.loops_that_pay) for name, f in found.by_attacker.items()} == {
        name: ([], []) for name in ATTACKERS
    }
    assert found.clean
    assert all(set(f.best) == set(PRESETS) for f in found.by_attacker.values())


def test_every_reward_at_once_is_each_reward_by_itself():
    honest, raids = raid(environment("delivery", "two_tables"), 0)
    together = {one.attacker: one.returns for one in raids}
    for preset in PRESETS:
        alone = environment("delivery", "two_tables", reward=EveryReward([preset]))
        single, raids = raid(alone, 0)
        assert single.returns[preset] == pytest.approx(honest.returns[preset])
        for one in raids:
            assert one.returns[preset] == pytest.approx(together[one.attacker][preset])


def test_attackers_do_what_their_names_say():
    env = environment("cross", "weekend_on_a_budget")
    _, raids = raid(env, 0)
    changes = {one.attacker: [c.after for c in env.world.ledger.changes] for one in raids}
    assert len({record.id for record in changes["order everything"]}) > 20
    for name in ("place and cancel", "pay, then cancel"):
        at_last = {record.id: record.status.value for record in changes[name]}
        assert len(at_last) > 2
        assert set(at_last.values()) == {"cancelled"}
    assert len({record.id for record in changes["repeat one good act"]}) > 2
    for name in ("do nothing", "stop at once", "claim", "echo the rubrics", "echo the format", "flatter", "plead"):
        assert changes[name] == []


def test_attacks_are_the_same_every_time():
    def once():
        return list(raid(environment("instore", "or_skip"), 0)[1])

    assert once() == once()


def test_a_judge_that_can_be_talked_into_it_is_reported():
    class Gullible:
        def __init__(self, task):
            self.states = {r.id: RubricState(RubricStatus.MET, 0, "so it says") for r in task.rubrics}
            self.scores = {}

        def update(self, evidence, *, final):
            return self.states

        def fork(self):
            return self

    found = Findings()
    found.add(environment("delivery", "two_tables", judge=Gullible), [0])
    assert not found.clean
    assert all(len(f.successes) == 1 for f in found.by_attacker.values())
    assert found.by_attacker["flatter"].best["sparse"].share == 1


def test_a_reward_whose_loops_pay_is_reported():
    class PaysForOrders:
        names = ("orders",)

        def terms(self, transition):
            return {"orders": float(sum("create_" in turn.call.name for turn in transition.turns if turn.call))}

    found = Findings()
    found.add(environment("delivery", "two_tables", reward=PaysForOrders()), [0])
    assert found.by_attacker["place and cancel"].loops_that_pay == ["orders"]
    assert found.by_attacker["place and cancel"].best["orders"].loop == 1
    assert not found.clean


def test_the_command_prints_shares_and_says_by_its_exit_code_whether_all_is_well():
    done = command("audit", "VitaBench-Delivery-v0", "--tasks", 1, "--reward", "dense")
    assert done.returncode == 0, done.stdout
    assert "order everything" in done.stdout
    document = json.loads(command("audit", "VitaBench-InStore-v0", "--tasks", 1, "--json").stdout)
    assert document["clean"] is True
    assert document["tasks"] == 1
    assert set(document["attackers"]) == set(ATTACKERS)
    assert document["attackers"]["claim"]["best"]["sparse"]["share"] == 0
    assert command("audit", "--reward", "succes", "--tasks", 1).returncode == 2
