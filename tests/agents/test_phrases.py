"""The scripted user understands what the reference agent says, in both languages."""

import pytest

from vitagym.dialogue.acts import AgentActKind, Slot
from vitagym.language import Language, text, texts
from vitagym.users.understanding import hear, understand

OPEN = {Slot.NEED: AgentActKind.ASK_OPEN, Slot.OTHER: AgentActKind.ASK_MORE}
OTHERS = {
    "ask_open": AgentActKind.ASK_OPEN,
    "ask_more": AgentActKind.ASK_MORE,
    "confirm": AgentActKind.SEEK_CONFIRMATION,
    "done": AgentActKind.REPORT_DONE,
    "report_event": AgentActKind.REPORT_DONE,
    "mention_event": AgentActKind.CHAT,
    "offer_event": AgentActKind.OFFER,
    "more_to_do": AgentActKind.CHAT,
}


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("slot", list(Slot))
def test_a_question_about_a_slot_is_understood_as_one(slot, language):
    acts = understand(text("reference_agent", f"ask_{slot.value}", language), language)
    if slot in OPEN:
        assert OPEN[slot] in {act.kind for act in acts}
    else:
        assert (AgentActKind.ASK, slot) in {(act.kind, act.slot) for act in acts}


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("key", list(OTHERS))
def test_other_utterances_do_what_they_are_for(key, language):
    mention = {Language.EN: "the noodle order", Language.ZH: "米线订单"}[language]
    acts = understand(text("reference_agent", key, language).format(mention=mention), language)
    assert OTHERS[key] in {act.kind for act in acts}


@pytest.mark.parametrize("language", list(Language))
def test_a_report_with_more_to_do_is_heard_as_not_the_last(language):
    report = text("reference_agent", "report_event", language).format(mention="the noodle order")
    heard = hear(f"{report} {text('reference_agent', 'more_to_do', language)}", language)
    assert heard.announces
    assert not heard.everything
    assert hear(text("reference_agent", "done", language), language).everything


def test_no_text_is_unused():
    slots = {f"ask_{slot.value}" for slot in Slot}
    assert set(texts("reference_agent")) == slots | set(OTHERS)
