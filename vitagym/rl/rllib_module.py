"""RLlib's form of a policy that scores candidates (new API stack): logits for ``Discrete(K)``, and a value."""

from __future__ import annotations

from typing import Any

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor

from vitagym.rl.scoring import CandidateScorer, ValueHead


class CandidateModule(TorchRLModule, ValueFunctionAPI, InferenceOnlyAPI):  # type: ignore[misc]
    """A ``CandidateScorer`` under RLlib's contract.

    ``model_config`` may hold ``hidden``, the network's width.
    """

    def setup(self) -> None:
        """Build the network for the spaces."""
        super().setup()
        spaces = self.observation_space.spaces
        hidden = self.model_config.get("hidden", 64)
        self.scorer = CandidateScorer(spaces["ctx"].shape[0], spaces["cand"].shape[1], hidden)
        self.value_head = ValueHead(hidden)

    def get_non_inference_attributes(self) -> list[str]:
        """Name what only training needs: the value head."""
        return ["value_head"]

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Tensor]:
        del kwargs
        return {Columns.ACTION_DIST_INPUTS: self._scored(batch)[0]}

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Tensor]:
        del kwargs
        logits, summary = self._scored(batch)
        return {Columns.ACTION_DIST_INPUTS: logits, Columns.EMBEDDINGS: summary}

    def compute_values(self, batch: dict[str, Any], embeddings: Tensor | None = None) -> Tensor:
        """Return the values [B]."""
        if embeddings is None:
            embeddings = self._scored(batch)[1]
        return self.value_head(embeddings)  # type: ignore[no-any-return]

    def _scored(self, batch: dict[str, Any]) -> tuple[Tensor, Tensor]:
        seen = batch[Columns.OBS]
        scored: tuple[Tensor, Tensor] = self.scorer(seen["ctx"].float(), seen["cand"].float(), seen["mask"])
        return scored
