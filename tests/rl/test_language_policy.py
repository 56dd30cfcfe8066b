"""A tiny language model with random weights learns by the same command as the small network."""

import numpy as np
import pytest
from support.toy_symbolic import NAMES, ToySymbolic

pytest.importorskip("ray", reason="needs vitagym[rl]")
torch = pytest.importorskip("torch", reason="needs vitagym[rl]")
pytest.importorskip("transformers", reason="needs vitagym[lm]")

from ray.rllib.core.columns import Columns  # noqa: E402
from support.tiny_language_model import save_tiny_model  # noqa: E402

from vitagym.errors import CallerError  # noqa: E402
from vitagym.rl import rllib_training  # noqa: E402
from vitagym.rl.evaluating import ModulePolicy, evaluate, load  # noqa: E402
from vitagym.rl.language_policy import SCALE  # noqa: E402
from vitagym.rl.plan import TrainingPlan  # noqa: E402
from vitagym.rl.policies import score  # noqa: E402
from vitagym.rl.scoring import NEVER  # noqa: E402
from vitagym.rl.token_view import ABSENT, TokenView, tokenizer_of  # noqa: E402

VIEW = {"prompt_tokens": 40, "candidate_tokens": 12}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return str(save_tiny_model(tmp_path_factory.mktemp("model")))


@pytest.fixture
def plan(model, toy_id):
    return TrainingPlan(
        toy_id,
        settings={"size": 5},
        pool=None,
        policy=f"lm:{model}",
        view=VIEW,
        batch=384,
        minibatch=128,
        epochs=3,
        lr=5e-4,
        entropy=0.0,
    )


def module_of(plan):
    spec = rllib_training.module_spec(plan)
    env = TokenView(ToySymbolic(size=5), plan.language_model, **VIEW)
    spec.observation_space, spec.action_space = env.observation_space, env.action_space
    return spec.build(), env


def test_the_view_shows_the_conversation_and_the_candidates(model):
    env = TokenView(ToySymbolic(size=5), model, **VIEW)
    observation, _ = env.reset(seed=3)
    assert env.observation_space.contains(observation)
    tokenizer = tokenizer_of(model)
    read = [tokenizer.decode(row[row != ABSENT]) for row in (observation["ctx"], *observation["cand"])]
    inner = env.unwrapped
    assert read[0] == f"user: I want {NAMES[inner.wish]}\nassistant: "[-40:]
    assert read[1 : inner.valid + 1] == [NAMES[wish][:12] for wish in inner.grants]
    assert not any(read[inner.valid + 1 :])


def test_scores_are_mean_log_probabilities_however_they_are_batched(plan):
    module, env = module_of(plan)
    seen = [env.reset(seed=seed)[0] for seed in range(3)]
    batch = {name: torch.from_numpy(np.stack([s[name] for s in seen])) for name in seen[0]}
    with torch.no_grad():
        together = module.forward_inference({Columns.OBS: batch})[Columns.ACTION_DIST_INPUTS]
    for place, one in enumerate(seen):
        prompt = one["ctx"][one["ctx"] != ABSENT].tolist()
        for row, (tokens, there) in enumerate(zip(one["cand"], one["mask"], strict=True)):
            written = tokens[tokens != ABSENT].tolist()
            if not there:
                assert together[place, row] == NEVER
                continue
            with torch.no_grad():
                logits = module.model(torch.tensor([prompt + written])).logits[0, len(prompt) - 1 : -1]
            said = torch.log_softmax(logits, -1).gather(-1, torch.tensor(written).unsqueeze(-1))
            assert together[place, row].item() == pytest.approx(SCALE * said.mean().item(), abs=1e-3)


@pytest.mark.parametrize("seed", range(5))
def test_success_rises_over_training(seed, plan, tmp_path):
    from dataclasses import replace

    rows = rllib_training.train(replace(plan, seed=seed), tmp_path, steps=4000)
    early = np.mean([row["success"] for row in rows[:2]])
    late = np.mean([row["success"] for row in rows[-2:]])
    assert late > early + 0.2, [round(row["success"], 2) for row in rows]


def test_what_was_trained_is_loaded_again(plan, tmp_path):
    rllib_training.train(plan, tmp_path, steps=1)
    loaded, module = load(tmp_path)
    assert loaded == plan
    episodes = evaluate(loaded, ModulePolicy(module), plan.env_id.replace("-Train", "-Dev"), episodes=4, at_once=4)
    assert score(episodes).episodes == 4


def test_adapters_alone_are_trained_where_that_is_asked_for(plan):
    pytest.importorskip("peft", reason="needs vitagym[lm]")
    from dataclasses import replace

    module, env = module_of(replace(plan, model={"lora": True}))
    trained = [name for name, parameter in module.named_parameters() if parameter.requires_grad]
    assert all("lora" in name or "value_head" in name for name in trained)
    seen = {name: torch.from_numpy(array[None]) for name, array in env.reset(seed=0)[0].items()}
    out = module.forward_train({Columns.OBS: seen})
    (out[Columns.ACTION_DIST_INPUTS][0, 0] + module.compute_values({Columns.OBS: seen}).sum()).backward()
    assert any(p.grad is not None and p.grad.abs().sum() > 0 for n, p in module.named_parameters() if "lora" in n)


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(CallerError, match="no tokenizer"):
        TokenView(ToySymbolic(), str(tmp_path))
