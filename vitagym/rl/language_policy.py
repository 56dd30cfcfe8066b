"""A causal language model as RLlib's policy: it scores the candidates' actions given the transcript (transformers).

The score of a candidate is the mean log-probability of its tokens, times a scale: a softmax over them is the model's
own policy, held to what can be done, without a preference for short actions. The transcript is read once for all its
candidates. Any checkpoint on disk will do; with ``peft``, only adapters are trained.
"""

from __future__ import annotations

from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor, nn
from transformers import AutoModelForCausalLM

from vitagym.errors import CallerError
from vitagym.rl.scoring import NEVER

SCALE = 4.0
"""By how much mean log-probabilities are stretched."""
_LORA_RANK = 8


class LanguageModule(TorchRLModule, ValueFunctionAPI):  # type: ignore[misc]
    """A language model under RLlib's contract; observations are those of ``TokenView``.

    ``model_config``: ``path``, the model's folder; ``lora``, whether to train adapters alone (needs ``peft``);
    ``scale``, in place of ``SCALE``.
    """

    def setup(self) -> None:
        """Load the model."""
        super().setup()
        model = AutoModelForCausalLM.from_pretrained(
            self.model_config["path"], local_files_only=True, dtype=torch.float32
        )
        width = model.config.hidden_size
        self.model = _with_adapters(model) if self.model_config.get("lora") else model
        self.value_head = nn.Linear(width, 1)
        self.scale = float(self.model_config.get("scale", SCALE))

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Tensor]:
        del kwargs
        return {Columns.ACTION_DIST_INPUTS: self._scored(batch)[0]}

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Tensor]:
        del kwargs
        logits, summary = self._scored(batch)
        return {Columns.ACTION_DIST_INPUTS: logits, Columns.EMBEDDINGS: summary}

    def compute_values(self, batch: dict[str, Any], embeddings: Tensor | None = None) -> Tensor:
        """Return the values [B], told from the end of the transcript."""
        if embeddings is None:
            embeddings = self._read(batch[Columns.OBS]["ctx"].long())[1]
        # The transcript's reading belongs to the policy: the value only looks at it.
        return self.value_head(embeddings.detach()).squeeze(-1)  # type: ignore[no-any-return]

    def _scored(self, batch: dict[str, Any]) -> tuple[Tensor, Tensor]:
        seen = batch[Columns.OBS]
        prompt, there = seen["ctx"].long(), seen["mask"] > 0
        read, summary, first = self._read(prompt)
        tokens = seen["cand"].long()[there]
        row = there.nonzero()[:, 0]
        is_token = tokens >= 0
        width = max(1, int(is_token.sum(-1).max())) if len(tokens) else 1
        tokens, is_token = tokens[:, :width].clamp(min=0), is_token[:, :width]
        logits = first[row].unsqueeze(1)
        if width > 1:
            read.batch_select_indices(row)
            begins = (prompt >= 0).sum(-1)[row].unsqueeze(1)
            out = self.model(
                input_ids=tokens[:, :-1],
                attention_mask=torch.cat([(prompt >= 0)[row], is_token[:, :-1]], dim=-1).long(),
                position_ids=begins + torch.arange(width - 1, device=tokens.device),
                cache=read,
            )
            logits = torch.cat([logits, out.logits], dim=1)
        said = torch.log_softmax(logits.float(), -1).gather(-1, tokens.unsqueeze(-1)).squeeze(-1)
        means = (said * is_token).sum(-1) / is_token.sum(-1).clamp(min=1)
        scores = torch.full(there.shape, NEVER, device=means.device)
        scores[there] = self.scale * means
        return scores, summary

    def _read(self, prompt: Tensor) -> tuple[Any, Tensor, Tensor]:
        """Read transcripts [B, P]; returns what the model remembers, its last hidden state, and its last logits."""
        is_token = (prompt >= 0).long()
        # A transcript that has no token yet would leave nothing to attend to.
        is_token[:, -1] = 1
        out = self.model(
            input_ids=prompt.clamp(min=0),
            attention_mask=is_token,
            position_ids=(is_token.cumsum(-1) - 1).clamp(min=0),
            use_cache=True,
            output_hidden_states=True,
        )
        return out.cache, out.hidden_states[-1][:, -1], out.logits[:, -1]


def _with_adapters(model: Any) -> Any:
    try:
        from peft import LoraConfig, get_peft_model
    except ImportError:
        raise CallerError("lora=True needs the package peft: pip install vitagym[lm]") from None
    return get_peft_model(model, LoraConfig(r=_LORA_RANK, lora_alpha=2 * _LORA_RANK, target_modules="all-linear"))
