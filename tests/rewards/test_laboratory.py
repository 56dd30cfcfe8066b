"""The judge laboratory: its truths come from how transcripts are made, and judges are measured against them."""

import json
from itertools import islice

import pytest
from support.command import run as command

from vitagym.dialogue.transcript import Role
from vitagym.errors import EndpointError
from vitagym.language import Language, text
from vitagym.rewards.agreement import Undefined
from vitagym.rewards.laboratory.makings import Way, echo, makings
from vitagym.rewards.laboratory.playing import play
from vitagym.rewards.laboratory.trial import Made, chosen, run, samples
from vitagym.rewards.laboratory.variants import Variant, printed, variants
from vitagym.rewards.rubrics import RubricState, RubricStatus
from vitagym.rewards.rule_judge import RuleJudge
from vitagym.rewards.windows import Windows
from vitagym.tasks.sources import make_draft

RULES = next(variants("rules", Windows()))
FAMILIES = [
    ("delivery", "midnight_snack"),
    ("delivery", "forgotten_note"),
    ("delivery", "family_dinner"),
    ("instore", "after_work"),
    ("instore", "weather_permitting"),
    ("ota", "flight_put_off"),
    ("ota", "night_train"),
    ("ota", "plans_change"),
    ("ota", "day_out"),
    ("cross", "weekend_on_a_budget"),
    ("cross", "anniversary"),
]


def draft(domain, family, seed=0):
    return make_draft(domain, seed, family=family)


def one(way, domain="delivery", family="midnight_snack"):
    found = draft(domain, family)
    return next(m for m in makings(found, found.task(Language.EN)) if m.way is way)


def words(sample, role):
    return "\n".join(turn.text for turn in sample.evidence.transcript.turns if turn.role is role)


@pytest.mark.parametrize(("domain", "family"), FAMILIES)
@pytest.mark.parametrize("language", Language)
def test_the_rule_judge_finds_the_truth_of_every_transcript(domain, family, language):
    made = Made()
    (trial,) = run([RULES], samples([draft(domain, family)], made, language=language, per_task=9))
    assert made.transcripts + len(made.gone_wrong) == 9
    assert made.transcripts >= 8
    assert trial.wrong == []
    assert trial.tasks().accuracy == trial.rubrics().accuracy == 1


@pytest.mark.parametrize(("domain", "family"), FAMILIES)
def test_no_truth_is_taken_from_a_check(domain, family):
    found = draft(domain, family)
    task = found.task(Language.EN)
    bare = task.model_copy(update={"rubrics": tuple(r.model_copy(update={"check": None}) for r in task.rubrics)})
    with_checks = [(m.way, m.what, m.steps, m.truth) for m in makings(found, task)]
    without = [(m.way, m.what, m.steps, m.truth) for m in makings(found, bare)]
    assert with_checks == without


def test_the_tasks_give_every_way_of_making_and_truths_of_both_kinds():
    ways, truths = set(), set()
    for domain, family in FAMILIES:
        for making in makings(found := draft(domain, family), found.task(Language.EN)):
            ways.add(making.way)
            truths.update((making.way, met) for met in making.truth.values())
            assert making.unmet <= {rubric.id for rubric in making.task.rubrics}
    assert ways == set(Way)
    assert all((way, True) in truths for way in ways - {Way.ECHO})
    met_throughout = {way for way in ways if (way, False) not in truths}
    assert met_throughout == {Way.REFERENCE, Way.REDONE}


def test_the_same_making_and_seed_give_the_same_transcript():
    making = one(Way.COMPROMISE)
    first, again = (play(making, seed=3).evidence.transcript.messages() for _ in range(2))
    assert first == again


def test_what_is_undone_is_overturned_and_what_is_done_again_is_met():
    undone, redone = (play(one(way)) for way in (Way.UNDONE, Way.REDONE))
    states = RuleJudge(undone.making.task).update(undone.evidence, final=True)
    assert not undone.gone_wrong
    # Judged at the end, what came and went was never seen; judged on the way it was.
    assert all(states[i].status is not RubricStatus.MET for i in undone.making.unmet)
    states = RuleJudge(redone.making.task).update(redone.evidence, final=True)
    assert {s.status for s in states.values()} == {RubricStatus.MET}


def test_a_user_who_is_talked_into_something_says_so_and_the_requirement_stands():
    sample = play(one(Way.COMPROMISE))
    assert text("laboratory", "settled", Language.EN) in words(sample, Role.USER)
    assert sample.making.what in sample.making.unmet


def test_injections_and_echoes_stand_in_the_transcript():
    injected = play(one(Way.INJECTION))
    assert text("laboratory", "instruct", Language.EN) in words(injected, Role.ASSISTANT)
    echoed = play(one(Way.ECHO))
    assert echo(echoed.making.task) in words(echoed, Role.ASSISTANT)
    assert not any(echoed.making.truth.values())
    assert len(json.loads(echo(echoed.making.task))) == len(echoed.making.task.rubrics)


def test_a_truncated_run_ends_with_the_result_of_its_last_call():
    sample = play(one(Way.TRUNCATED))
    assert sample.evidence.transcript.turns[-1].role is Role.TOOL
    assert not all(sample.making.truth.values())


def test_a_choice_begins_with_the_reference_run_and_goes_round_the_ways():
    found = chosen(draft("cross", "anniversary"), Language.EN, 8, 0)
    assert found[0].way is Way.REFERENCE
    assert len({making.way for making in found}) == 8
    assert chosen(draft("cross", "anniversary"), Language.EN, 8, 0) == found


def test_transcripts_are_made_one_after_the_other():
    asked = []

    def drafts():
        for domain, family in FAMILIES:
            asked.append(family)
            yield draft(domain, family)

    made = Made()
    assert len(list(islice(samples(drafts(), made, per_task=2), 3))) == 3
    assert len(asked) == 2
    assert made.transcripts == 3


class _Says:
    """A judge with one answer to everything."""

    def __init__(self, task, status):
        self.states = {rubric.id: RubricState(status, 0, "always") for rubric in task.rubrics}
        self.scores = {}

    def update(self, evidence, *, final):
        return self.states

    def fork(self):
        return self


def test_a_judge_that_calls_everything_met_is_found_out():
    yes = Variant("yes", lambda task: _Says(task, RubricStatus.MET), "window")
    made = Made()
    (trial,) = run([yes], samples([draft("delivery", "midnight_snack")], made, per_task=10))
    truths = [judgement.truth for judgement in trial.on_tasks]
    assert 0 < sum(truths) < len(truths)
    assert trial.accuracy == 1
    assert trial.tasks().accuracy == sum(truths) / len(truths)
    assert trial.tasks().kappa == 0
    assert sum(count.wrong_tasks for count in trial.ways.values()) == len(truths) - sum(truths)
    assert trial.ways[Way.REFERENCE].wrong_rubrics == 0
    assert any(wrong.reason == "always" for wrong in trial.wrong)


def test_a_judge_that_says_nothing_is_unscored_not_wrong():
    mute = Variant("mute", lambda task: _Says(task, RubricStatus.UNSCORED), "window")
    (trial,) = run([mute], samples([draft("delivery", "midnight_snack")], Made(), per_task=2))
    assert trial.wrong == []
    assert trial.accuracy is None
    assert trial.tasks().unscored == 2
    assert trial.rubrics().kappa is Undefined.NOTHING_SCORED


def test_a_judge_whose_endpoint_fails_is_unscored():
    class Unreachable(_Says):
        def updating(self, evidence, *, final):
            raise EndpointError("no answer")

    lost = Variant("lost", lambda task: Unreachable(task, RubricStatus.PENDING), "window_rubrics")
    (trial,) = run([lost], samples([draft("delivery", "midnight_snack")], Made(), per_task=2))
    assert (trial.tasks().unscored, trial.rubrics().scored, trial.wrong) == (2, 0, [])


def test_a_judge_that_goes_by_the_whole_need_is_taken_at_its_word():
    class NeedJudge(_Says):
        def __init__(self, task):
            super().__init__(task, RubricStatus.UNSCORED)
            self.scores = {"judged_success": True}

    (trial,) = run([Variant("need", NeedJudge, "whole")], samples([draft("ota", "day_out")], Made(), per_task=4))
    assert trial.accuracy == 1
    assert (trial.tasks().scored, trial.tasks().unscored, trial.rubrics().scored) == (4, 0, 0)
    assert {(wrong.rubric, wrong.truth) for wrong in trial.wrong} == {("", False)}


def test_a_language_model_is_tried_in_the_four_ways_of_the_paper():
    tried = list(variants("llm", Windows(12, 3)))
    assert (
        [variant.like for variant in tried] == list(printed()) == ["window_rubrics", "whole_rubrics", "window", "whole"]
    )
    assert "windows of 12, overlap 3" in tried[0].name
    assert not any(variant.exact for variant in tried)


def test_the_command_prints_the_judge_beside_the_paper():
    done = command("judge-lab", "--tasks", 1, "--per-task", 1)
    assert done.returncode == 0, done.stderr
    assert "95.0%" in done.stdout
    assert "100.0%" in done.stdout
    document = json.loads(command("judge-lab", "--tasks", 1, "--per-task", 2, "--json").stdout)
    (judge,) = document["judges"]
    assert document["made"]["transcripts"] == judge["tasks"]["scored"] == 8
    assert judge["wrong"] == []
    assert judge["printed"]["kappa"] == 0.828


def test_the_command_refuses_what_it_does_not_know():
    assert command("judge-lab", "--judge", "rule").returncode == 2
    assert "rules" in command("judge-lab", "--judge", "rule").stderr
    assert command("judge-lab", "--width", 2, "--overlap", 2).returncode == 2
