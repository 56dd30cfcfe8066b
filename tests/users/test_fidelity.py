"""The measurement of users finds what a user does wrong, and nothing in a user that keeps the rules."""

import json
import warnings

import pytest
from support.command import run
from support.talks import dinner

from vitagym.dialogue.acts import UserAct, UserActKind
from vitagym.randomness import Stream
from vitagym.tasks.public import load_public
from vitagym.tasks.task import Persona
from vitagym.users.fidelity import measure
from vitagym.users.persona_classifier import PersonaClassifier
from vitagym.users.scripted import ScriptedUser
from vitagym.users.tracing import untraced
from vitagym.users.user import Reply


def scripted(task, persona, seed):
    return ScriptedUser(task, Stream(seed, "user"), persona)


def test_a_user_that_keeps_the_rules_is_above_reproach():
    report = measure(scripted, [dinner(), dinner("zh")], list(Persona))
    assert report.talks == 22
    assert report.said == report.due > 0
    assert (report.early, report.untraced, report.early_stops, report.unended, report.empty) == (0, 0, 0, 0, 0)
    assert report.fidelity == 10
    json.dumps(report.data())


class Faulty:
    """A scripted user with one fault."""

    def __init__(self, task, fault):
        self._user, self._fault, self._turn = ScriptedUser(task, Stream(1, "user")), fault, 0

    def open(self):
        return self._spoilt(self._user.open())

    def reply(self, message):
        return self._spoilt(self._user.reply(message))

    def fork(self):
        return self

    def _spoilt(self, reply):
        self._turn += 1
        changed = {
            "invents": Reply(f"{reply.text} My number is 555.", reply.acts, reply.done),
            "names": Reply(f"{reply.text} I like Starbucks.", reply.acts, reply.done),
            "stops": Reply(reply.text, reply.acts, self._turn >= 2),
            "never_ends": Reply(reply.text, reply.acts),
            "blurts": Reply(reply.text, (*reply.acts, UserAct(UserActKind.INFORM, "later")), reply.done),
            "tells": Reply(reply.text, (*reply.acts, UserAct(UserActKind.INFORM, "diet")), reply.done),
            "withholds": Reply(reply.text, tuple(a for a in reply.acts if a.point != "budget"), reply.done),
            "silent": Reply("" if self._turn == 2 else reply.text, reply.acts, reply.done),
            "rambles": Reply(f"{reply.text}\nAnd so on.", reply.acts, reply.done),
        }
        return changed[self._fault]


@pytest.mark.parametrize(
    ("fault", "counted"),
    [
        ("invents", "untraced"),
        ("names", "untraced"),
        ("stops", "early_stops"),
        ("never_ends", "unended"),
        ("blurts", "early"),
        ("tells", "early"),
        ("silent", "empty"),
        ("rambles", "broken_lines"),
    ],
)
def test_a_fault_is_counted(fault, counted):
    report = measure(lambda task, persona, seed: Faulty(task, fault), [dinner()], [Persona.NEUTRAL])
    assert getattr(report, counted) > 0
    assert fault in ("silent", "rambles") or report.fidelity < 10


def test_a_point_withheld_is_missed():
    report = measure(lambda task, persona, seed: Faulty(task, "withholds"), [dinner()], [Persona.NEUTRAL])
    assert report.due - report.said == 1


@pytest.mark.parametrize(
    ("language", "utterance", "strange"),
    [
        ("en", "There are six of us, at 6:30 PM.", set()),
        ("en", "There are 6 of us, on Saturday.", set()),
        ("en", "There are nine of us.", {"9"}),
        ("en", "One more thing: I live at 12 Lake Road.", set()),
        ("en", "Take me to Starbucks at 9.", {"Starbucks", "9"}),
        ("zh", "我们六个人，6点半到，再说一遍。", set()),
        ("zh", "我们十二个人。", set()),
        ("zh", "我们二十三个人。", {"23"}),
    ],
)
def test_facts_are_traced_to_the_task(language, utterance, strange):
    assert untraced(utterance, dinner(language)) == strange


@pytest.mark.parametrize("domain", ["delivery", "instore"])
def test_public_tasks_are_told_whole_and_nothing_but_them(official, domain):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tasks = load_public(official / f"tasks_{domain}_en.json.gz")
    report = measure(scripted, tasks, [Persona.NEUTRAL, Persona.SCATTERED])
    assert report.said == report.due
    assert (report.early, report.untraced, report.early_stops, report.unended) == (0, 0, 0, 0), report.examples


def test_the_classifier_tells_personas_apart():
    examples = [(Persona.COLD, "Yes. Order it."), (Persona.EMOTIONAL, "Oh, yes! I can't wait!")]
    classifier = PersonaClassifier(examples)
    assert classifier.persona("Order it.") is Persona.COLD
    assert classifier.persona("Oh, wait!") is Persona.EMOTIONAL


def test_the_command_measures_a_user():
    done = run("users", "check", "--domain", "delivery", "--tasks", 1, "--persona", "cold", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["points"]["missed"] == report["points"]["early"] == report["early_stops"] == 0
    assert "paper" in report
    shown = run("users", "check", "--domain", "delivery", "--tasks", 1, "--persona", "cold")
    assert "points said" in shown.stdout
    assert run("users", "check", "--user", "nobody").returncode == 2
