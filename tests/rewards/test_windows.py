"""Windows: every message is in one, and it does not matter when the judge is asked."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.episodes import Episode, make_task

from vitagym.errors import CallerError
from vitagym.rewards.rubrics import RubricStatus
from vitagym.rewards.windows import Assessment, Finding, WindowedJudge, Windows

CUTS = st.integers(1, 12).flatmap(lambda width: st.builds(Windows, st.just(width), st.integers(0, width - 1)))
TASK = make_task({"id": "a"}, {"id": "b"})


class Recorder:
    """Finds what the messages say ("a+", "b-", "a?"), and remembers every window with the states it was given."""

    spends = ("windows",)

    def __init__(self):
        self.seen = []

    def assessing(self, task, window, states):
        self.seen.append(([turn.index for turn in window], {i: s.status for i, s in states.items()}))
        last = {turn.text[0]: turn.text[1] for turn in window}
        signs = {"+": True, "-": False, "?": None}
        yield from ()
        return Assessment({i: Finding(signs[sign], "") for i, sign in last.items()}, {"windows": 1})


def judged(texts, windows, ask_after):
    recorder = Recorder()
    judge, episode = WindowedJudge(TASK, recorder, windows), Episode()
    for i, text in enumerate(texts):
        episode.say(text)
        if i in ask_after:
            judge.update(episode.evidence, final=False)
    states = judge.update(episode.evidence, final=True)
    assert judge.update(episode.evidence, final=True) == states
    assert judge.scores == {"windows": len(recorder.seen)}
    return recorder.seen, {i: (s.status, s.turn) for i, s in states.items()}


def texts_of(length):
    """Texts that meet, undo and leave unknown in an order without a period."""
    return [f"{'ab'[(i * i) % 2]}{'+-+?-+'[(i * 7 + i // 5) % 6]}" for i in range(length)]


@pytest.mark.parametrize("cut", [(10, 2), (7, 6), (None, 2)])
def test_asked_once_or_after_every_message_it_is_the_same_for_every_length(cut):
    windows = Windows(*cut)
    for length in range(201):
        texts = texts_of(length)
        assert judged(texts, windows, ()) == judged(texts, windows, range(length)), length


@given(CUTS, st.integers(0, 200), st.sets(st.integers(0, 199)))
def test_asked_now_and_then_it_is_the_same(windows, length, ask_after):
    texts = texts_of(length)
    assert judged(texts, windows, ask_after) == judged(texts, windows, ())


@given(CUTS, st.integers(0, 200))
def test_windows_cover_every_message_and_share_the_overlap(windows, length):
    cut = list(windows.since(0, length, final=True))
    assert sorted({i for start, end in cut for i in range(start, end)}) == list(range(length))
    for (start, end), (following, _) in pairwise(cut):
        assert end - start == windows.width
        assert end - following == windows.overlap
    if cut:
        assert cut[-1][1] - cut[-1][0] <= windows.width
        assert len(cut) == 1 or cut[-1][1] > cut[-2][1]


def test_windows_of_ten_share_two_messages():
    assert list(Windows().since(0, 27, final=True)) == [(0, 10), (8, 18), (16, 26), (24, 27)]
    assert list(Windows().since(0, 27, final=False)) == [(0, 10), (8, 18), (16, 26)]
    assert list(Windows().since(0, 26, final=True)) == [(0, 10), (8, 18), (16, 26)]
    assert list(Windows().since(0, 0, final=True)) == []


def test_states_are_carried_and_only_a_window_overturns():
    seen, states = judged(["a+", "b+", "a-", "b?", "b+"], Windows(1, 0), ())
    assert [given for _, given in seen][-1] == {"a": RubricStatus.OVERTURNED, "b": RubricStatus.UNSCORED}
    assert states == {"a": (RubricStatus.OVERTURNED, 2), "b": (RubricStatus.MET, 4)}


def test_what_a_window_left_unknown_stays_unscored_unless_it_is_met_later():
    _, states = judged(["a?", "b?", "a-", "b+"], Windows(1, 0), ())
    assert states == {"a": (RubricStatus.UNSCORED, 0), "b": (RubricStatus.MET, 3)}


def test_a_fork_goes_on_by_itself():
    recorder, episode = Recorder(), Episode().say("a+")
    judge = WindowedJudge(TASK, recorder, Windows(1, 0))
    other = judge.fork()
    other.update(episode.evidence, final=True)
    assert judge.states["a"].status is RubricStatus.PENDING
    assert other.states["a"].status is RubricStatus.MET


@pytest.mark.parametrize("cut", [(2, 2), (0, 0), (3, -1), (1, 5)])
def test_windows_that_would_never_end_are_refused(cut):
    with pytest.raises(CallerError, match="width"):
        Windows(*cut)
