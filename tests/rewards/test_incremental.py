"""A judge asked after every turn, one asked now and then, one asked once at the end, and forks all agree."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from support.episodes import Episode, make_booking, make_order, make_reservation, make_task

from vitagym.rewards.rubrics import satisfied_fraction
from vitagym.rewards.rule_judge import RuleJudge

OLD = make_reservation(id="R0")
TASK = make_task(
    {"id": "store", "goal": "a", "check": {"kind": "provider", "record": "delivery", "ids": ["S1"]}},
    {"id": "paid", "goal": "a", "check": {"kind": "status", "record": "delivery", "meaning": "paid"}},
    {
        "id": "cheap",
        "goal": "a",
        "prohibition": True,
        "check": {"kind": "total_at_most", "record": "delivery", "yuan": 25},
    },
    {"id": "other", "goal": "b", "check": {"kind": "provider", "record": "delivery", "ids": ["S1", "S2"]}},
    {"id": "dear", "goal": "b", "check": {"kind": "quantity", "record": "delivery", "count": 1}},
    {"id": "table", "goal": "c", "check": {"kind": "people", "record": "book", "count": 2}},
    {"id": "moved", "goal": "d", "check": {"kind": "existing", "record": "reservation", "id": "R0"}},
    {"id": "party", "goal": "d", "check": {"kind": "people", "record": "reservation", "count": 4}},
    {"id": "told", "check": {"kind": "told", "groups": [["30 yuan"]]}},
    {"id": "none", "check": {"kind": "told_none", "groups": [["tables"]]}},
    {"id": "asked", "check": {"kind": "asked_before", "groups": [["allergic"]]}},
    {"id": "seen", "check": {"kind": "looked_up", "tools": ["read"]}},
    {"id": "guess", "goal": "c", "check": {"kind": "not_invented", "wordings": ["30 yuan"]}},
    {"id": "few", "check": {"kind": "no_other", "at_most": 2}},
    {"id": "sum", "check": {"kind": "spent_at_most", "yuan": 70}},
    {"id": "words"},
)  # fmt: skip

ORDERS = st.builds(
    make_order,
    id=st.sampled_from(["O1", "O2", "O3"]),
    provider_id=st.sampled_from(["S1", "S2", "S3"]),
    total_price=st.sampled_from([20.0, 30.0]),
    status=st.sampled_from(["unpaid", "paid", "cancelled"]),
)
BOOKINGS = st.builds(make_booking, customer_count=st.integers(1, 2), status=st.sampled_from(["paid", "cancelled"]))
CHANGES = st.builds(lambda count: replace(OLD, customer_count=count), st.integers(3, 4))
WORDS = st.sampled_from(["It is ¥30.", "There are no tables.", "Are you allergic to nuts?", "Hello."])
ACTIONS = st.lists(
    st.one_of(
        st.lists(st.one_of(ORDERS, BOOKINGS, CHANGES), min_size=1, max_size=2),
        WORDS,
        st.just({"found": 30}),
    ),
    max_size=14,
)


def act(episode, action):
    if isinstance(action, str):
        episode.say(action).hear("I see.")
    elif isinstance(action, dict):
        episode.read(action)
    else:
        episode.put(*action)


def played(actions):
    episode = Episode(reservations={"R0": OLD})
    for action in actions:
        act(episode, action)
    return episode


@given(ACTIONS, st.sets(st.integers(0, 13)))
def test_how_often_it_is_asked_does_not_matter(actions, asked_after):
    whole = dict(RuleJudge(TASK).update(played(actions).evidence, final=True))
    every, some, forked = RuleJudge(TASK), RuleJudge(TASK), RuleJudge(TASK)
    episode = Episode(reservations={"R0": OLD})
    for i, action in enumerate(actions):
        act(episode, action)
        every.update(episode.evidence, final=False)
        if i in asked_after:
            some.update(episode.evidence, final=False)
        before, original = forked.states, forked
        forked = forked.fork()
        forked.update(episode.evidence, final=False)
        assert original.states == before
    for judge in (every, some, forked):
        assert dict(judge.update(episode.evidence, final=True)) == whole


@given(ACTIONS)
def test_loops_in_the_world_earn_nothing(actions):
    """Whatever was done, cancelling all of it and leaving the rest as it was brings the record rubrics back to none."""
    episode, judge = played(actions), RuleJudge(TASK)
    judge.update(episode.evidence, final=False)
    for record in [*episode.world.ledger.orders.values(), *episode.world.ledger.bookings.values()]:
        episode.cancel(record)
    states = judge.update(episode.evidence, final=True)
    records = {i: s for i, s in states.items() if i in ("store", "paid", "cheap", "other", "dear", "table")}
    assert satisfied_fraction(records) == 0
