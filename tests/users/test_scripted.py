"""The scripted user keeps the rules of disclosure, of processing and of ending (paper: appendix B)."""

import pytest
from support.talks import PERSONAS, dinner

from vitagym.dialogue.acts import Slot, UserActKind
from vitagym.randomness import Stream
from vitagym.tasks.task import Persona
from vitagym.users.interviews import says
from vitagym.users.scripted import ScriptedUser

BOTH = pytest.mark.parametrize("language", ["en", "zh"])


def user(language="en", persona=Persona.NEUTRAL, seed=1):
    made = ScriptedUser(dinner(language, persona), Stream(seed, "user"))
    made.open()
    return made


def kinds(reply):
    return {act.kind for act in reply.acts}


def points(reply):
    return [act.point for act in reply.acts if act.point]


def after_everything(language="en"):
    """A user that has said all it has to, and heard of nothing done since."""
    made = user(language)
    task = dinner(language)
    for _ in range(4):
        made.reply(says("ask_more", task))
    made.reply(says("report_event", task, mention="A"))
    made.reply(says("ask_more", task))
    assert made.said >= {"background", "need", "people", "time", "later", "budget"}
    return made


@BOTH
@pytest.mark.parametrize("persona", PERSONAS)
def test_it_opens_with_the_need_and_not_with_everything(language, persona):
    made = ScriptedUser(dinner(language, persona), Stream(1, "user"))
    opening = made.open()
    assert "need" in points(opening)
    assert made.said <= {"background", "need"}
    if persona is not Persona.COLD:
        assert points(opening) == ["background", "need"]


@BOTH
def test_points_come_one_by_one_and_in_order(language):
    made, task = user(language), dinner(language)
    told = [points(made.reply(says("ask_more", task))) for _ in range(3)]
    assert told == [["people"], ["time"], ["budget"]]


@BOTH
def test_a_question_is_answered_at_once(language):
    made, task = user(language), dinner(language)
    assert points(made.reply(says("ask_budget", task))) == ["budget"]


@BOTH
def test_what_waits_for_a_question_comes_with_it_alone(language):
    made, task = user(language), dinner(language)
    for _ in range(6):
        made.reply(says("ask_more", task))
    assert "diet" not in made.said
    assert points(made.reply(says("ask_diet", task))) == ["diet"]


@BOTH
def test_a_change_of_mind_waits_for_its_event_and_then_holds(language):
    made, task = user(language), dinner(language)
    assert points(made.reply(says("ask_time", task))) == ["time"]
    changed = made.reply(says("report_event", task, mention="A"))
    assert points(changed) == ["later"]
    assert UserActKind.CHANGE in kinds(changed)
    assert points(made.reply(says("ask_time", task)))[0] == "later"


@BOTH
def test_a_change_does_not_come_before_what_it_changes(language):
    made, task = user(language), dinner(language)
    reply = made.reply(says("report_event", task, mention="A"))
    assert "later" not in points(reply)


@BOTH
@pytest.mark.parametrize(
    ("slot", "fact"),
    [
        (Slot.IDENTITY, "U000123"),
        (Slot.OCCUPATION, {"en": "nurse", "zh": "护士"}),
        (Slot.RESIDENCE, {"en": "Wuhan", "zh": "武汉"}),
        (Slot.FAMILY, {"en": "iving with elderly", "zh": "与老人同住"}),
    ],
)
def test_facts_of_the_profile_are_told_when_asked(language, slot, fact):
    made, task = user(language), dinner(language)
    assert (fact if isinstance(fact, str) else fact[language]) in made.reply(says(f"ask_{slot.value}", task)).text


@pytest.mark.parametrize(
    ("question", "told", "not_told"),
    [
        ("What is your home address?", "12 Lake Road", "3 Tower Street"),
        ("Could you give me your work address?", "3 Tower Street", "12 Lake Road"),
    ],
)
def test_the_address_asked_about_is_told_in_full(question, told, not_told):
    said = user().reply(question).text
    assert told in said
    assert not_told not in said


@BOTH
def test_it_does_not_know_what_it_was_not_told(language):
    made, task = user(language), dinner(language)
    assert UserActKind.DONT_KNOW in kinds(made.reply(says("ask_contact", task)))
    assert UserActKind.CHOOSE_FOR_ME in kinds(made.reply(says("ask_seat", task)))


@BOTH
def test_it_agrees_to_ordering_and_leaves_choices_to_the_agent(language):
    made, task = user(language), dinner(language)
    assert UserActKind.CONFIRM in kinds(made.reply(says("confirm", task)))
    chosen = {"en": "I found two: A and B. Which one do you prefer?", "zh": "找到两家：甲和乙。您更喜欢哪一家？"}
    assert UserActKind.CHOOSE_FOR_ME in kinds(made.reply(chosen[language]))


@BOTH
def test_it_keeps_to_its_need(language):
    made, task = user(language), dinner(language)
    made.reply(says("ask_budget", task))
    asked = {"en": "Would you consider raising your budget?", "zh": "预算可以考虑放宽一点吗？"}
    reply = made.reply(asked[language])
    assert UserActKind.INSIST in kinds(reply)
    assert "800" in reply.text


@BOTH
def test_the_third_time_a_question_comes_it_is_not_answered(language):
    made, task = user(language), dinner(language)
    question = says("ask_people", task)
    assert points(made.reply(question)) == ["people"]
    assert "people" in points(made.reply(question))
    for _ in range(2):
        refused = made.reply(question)
        assert UserActKind.HURRY in kinds(refused)
        assert not points(refused)


@BOTH
def test_patience_falls_and_recovers(language):
    made, task = user(language), dinner(language)
    full = made.patience
    made.reply("")
    made.reply("...")
    assert made.patience < full
    tired = made.patience
    made.reply(says("ask_more", task))
    assert made.patience > tired


@BOTH
@pytest.mark.parametrize("message", ["", "   ", "\u200b", "?!…", "***", "\n\n", "😀"])
def test_a_message_without_words_is_answered_with_a_prompt(language, message):
    made = user(language)
    before = made.said
    reply = made.reply(message)
    assert UserActKind.PROMPT in kinds(reply)
    assert reply.text
    assert made.said == before


@BOTH
def test_it_does_not_end_before_all_is_said(language):
    made, task = user(language), dinner(language)
    while not made.said >= {"people", "time", "later", "budget"}:
        assert not made.reply(says("done", task)).done
    assert made.reply(says("done", task)).done


@BOTH
def test_it_does_not_end_on_its_own_yes(language):
    made, task = after_everything(language), dinner(language)
    for _ in range(3):
        reply = made.reply(says("confirm", task))
        assert not reply.done
        assert UserActKind.CONFIRM in kinds(reply)
    assert made.reply(says("done", task)).done


@BOTH
def test_it_does_not_end_while_the_agent_waits_for_an_answer_or_has_yet_to_act(language):
    pending = {
        "en": ["I've booked it. What time should the cake come?", "I've booked it. I'll now look for the cake.", "OK."],
        "zh": ["已为您订好。蛋糕要几点送到？", "已为您订好。接下来我帮您找蛋糕。", "好。"],
    }
    pending["en"] += ["Of course. What exactly do you need?", "Okay, let me check.", "Sure, how many?"]
    pending["zh"] += ["好的，请问您具体需要什么？", "好的，我查一下。", "可以，要几份？"]
    for message in pending[language]:
        assert not after_everything(language).reply(message).done, message


@BOTH
def test_it_may_end_when_all_was_said_and_it_cannot_be_done(language):
    message = {"en": "I'm sorry, unfortunately there is no such table.", "zh": "很抱歉，没有找到符合条件的餐厅。"}
    made = after_everything(language)
    replies = [made.reply(message[language]) for _ in range(2)]
    assert replies[-1].done
    assert UserActKind.CLOSE in kinds(replies[-1])


@BOTH
def test_it_asks_for_the_rest_when_only_a_part_is_reported(language):
    task = dinner(language).model_copy(update={"domains": ("delivery", "instore", "ota")})
    made = ScriptedUser(task, Stream(1, "user"))
    made.open()
    for _ in range(4):
        made.reply(says("ask_more", task))
    message = {"en": "I've booked the table.", "zh": "已为您订好桌位。"}
    assert points(made.reply(message[language])) == ["later"]
    reply = made.reply(message[language])
    assert not reply.done
    assert UserActKind.PROMPT in kinds(reply)
    assert made.reply({"en": "Yes.", "zh": "是的。"}[language]).done


@BOTH
def test_one_claim_again_and_again_counts_once(language):
    task = dinner(language).model_copy(update={"domains": ("delivery", "instore", "ota")})
    made = ScriptedUser(task, Stream(1, "user"))
    made.open()
    for _ in range(4):
        made.reply(says("ask_more", task))
    message = {"en": "I've booked the table.", "zh": "已为您订好桌位。"}[language]
    made.reply(message)
    replies = [made.reply(message) for _ in range(3)]
    assert [reply.done for reply in replies] == [False, False, True]
    assert UserActKind.PROMPT in kinds(replies[0])


def test_the_same_seed_says_the_same_and_another_seed_says_it_otherwise():
    task = dinner()
    talks = []
    for seed in (1, 1, 2):
        made = ScriptedUser(task, Stream(seed, "user"))
        talks.append([made.open().text, *(made.reply(says("ask_more", task)).text for _ in range(4))])
    assert talks[0] == talks[1]
    assert talks[0] != talks[2]


def test_neutral_has_no_words_of_a_persona():
    task = dinner()
    made = ScriptedUser(task, Stream(1, "user"), Persona.NEUTRAL)
    assert made.persona is Persona.NEUTRAL
