"""The published figures: complete where they are given, ordered, and never taken for measured ones."""

from vitagym.analysis.published import DOMAINS, published


def test_the_headline_figures():
    models = {model.name: model for model in published().models}
    best = models["o3 (high)"]
    assert (best.mean["cross"], best.pass_at["cross"], best.pass_hat["cross"]) == (0.30, 0.61, 0.06)
    assert models["GPT-5 (high)"].pass_at["instore"] == 0.86
    assert published().all_models == {"cross": 0.162, "delivery": 0.38, "instore": 0.421, "ota": 0.207}


def test_figures_are_shares_in_order_and_marked_as_published():
    found = published()
    assert "not measured" in found.note
    means = [model.mean["cross"] for model in found.models]
    assert means == sorted(means, reverse=True)
    for model in found.models:
        assert set(model.mean) <= set(DOMAINS)
        for domain, share in model.pass_hat.items():
            assert 0 <= share <= model.mean[domain] <= model.pass_at[domain] <= 1
    assert abs(sum(found.failures.values()) - 1) < 1e-9
