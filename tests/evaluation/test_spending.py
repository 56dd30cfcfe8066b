"""Prices and budgets as they are written, and when a budget is spent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitagym.errors import CallerError
from vitagym.evaluation.spending import Budget, Prices, Spent


@pytest.mark.parametrize(
    ("texts", "budget"),
    [
        ([], Budget()),
        (["5usd"], Budget(cost=5)),
        (["0.5€", "90min"], Budget(cost=0.5, seconds=5400)),
        (["2Mtokens", "1h"], Budget(tokens=2_000_000, seconds=3600)),
        (["500ktokens"], Budget(tokens=500_000)),
        (["100 tokens", "30s"], Budget(tokens=100, seconds=30)),
    ],
)
def test_a_budget_is_a_number_and_its_unit(texts, budget):
    assert Budget.read(texts) == budget


@pytest.mark.parametrize("text", ["5", "usd", "5 usd please", "-1usd", "5Mmin?", "1month"])
def test_any_other_budget_is_refused_with_what_is_allowed(text):
    with pytest.raises(CallerError, match=r"usd.*tokens.*min"):
        Budget.read([text])


def test_two_limits_of_a_kind_are_refused():
    with pytest.raises(CallerError, match="90min"):
        Budget.read(["1h", "90min"])


@pytest.mark.parametrize("text", ["gpt", "gpt=1", "gpt=1,x", "=1,2", "gpt=1.2.3,4"])
def test_any_other_price_is_refused(text):
    with pytest.raises(CallerError, match="MODEL=IN,OUT"):
        Prices.read([text])


amounts = st.integers(0, 10**7)


@given(prompt=amounts, completion=amounts, prices=st.tuples(st.floats(0, 100), st.floats(0, 100)))
def test_cost_is_linear_in_tokens_and_unknown_without_a_price(prompt, completion, prices):
    known = Prices.read([f"a=b/c:free={prices[0]:f},{prices[1]:f}"])
    cost = known.cost("a=b/c:free", prompt, completion)
    assert cost == pytest.approx(
        (prompt * float(f"{prices[0]:f}") + completion * float(f"{prices[1]:f}")) / 1e6, rel=1e-9
    )
    assert known.cost("other", prompt, completion) is None


@given(st.lists(st.tuples(amounts, amounts, st.floats(0, 10)), max_size=5), amounts)
def test_a_budget_is_reached_just_when_as_much_was_spent(episodes, limit):
    spent = Spent()
    for prompt, completion, cost in episodes:
        used = {"prompt_tokens": prompt, "completion_tokens": completion, "cost": cost}
        spent.add({"roles": {"user": used}, "priced": True})
    tokens = sum(prompt + completion for prompt, completion, _ in episodes)
    assert spent.tokens == tokens
    assert (Budget(tokens=limit).reached(spent) is not None) is (tokens >= limit)
    assert Budget().reached(spent) is None
