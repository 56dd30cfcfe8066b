"""The network that scores candidates: any number of them, in any order, and a value of the situation (torch).

A candidate is seen beside the context; what speaks for each is summed up, weighted by its score, for the value. Only
candidates that are there cost anything: rows that the mask leaves out are never multiplied.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

NEVER = -1e9
"""The logit of a candidate that is not there: finite, so that an entropy of it is 0 and no NaN."""


class CandidateScorer(nn.Module):
    """Logits of candidates, and a summary of the situation.

    Args:
        context: Length of the context vector.
        candidate: Length of a candidate's vector.
        hidden: Width.
    """

    def __init__(self, context: int, candidate: int, hidden: int = 64) -> None:
        super().__init__()
        self.context = nn.Sequential(nn.Linear(context, hidden), nn.Tanh())
        self.candidate = nn.Linear(candidate, hidden)
        self.beside = nn.Linear(hidden, 2 * hidden)
        self.mixed = nn.Sequential(nn.Linear(hidden, hidden), nn.Tanh())
        self.score = nn.Linear(hidden, 1)
        nn.init.orthogonal_(self.score.weight, 0.01)
        nn.init.zeros_(self.score.bias)

    def forward(self, ctx: Tensor, cand: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Score a batch.

        Args:
            ctx: [B, C].
            cand: [B, K, D].
            mask: [B, K], not 0 where there is a candidate.

        Returns:
            Logits [B, K], ``NEVER`` where there is no candidate; summaries [B, 2 · hidden].
        """
        there = mask > 0
        row = there.nonzero()[:, 0]
        context = self.context(ctx)
        shift, scale = self.beside(context).chunk(2, dim=-1)
        seen = torch.relu(self.candidate(cand[there]) * (1 + scale[row]) + shift[row])
        mixed = self.mixed(seen)
        logits = ctx.new_full(mask.shape, NEVER)
        logits[there] = self.score(mixed).squeeze(-1)
        weights = torch.softmax(logits.detach(), dim=-1)[there]
        pooled = torch.zeros_like(context).index_add(0, row, mixed * weights.unsqueeze(-1))
        return logits, torch.cat([context, pooled], dim=-1)


class ValueHead(nn.Module):
    """The value of a situation, from its summary.

    Args:
        hidden: Width of the scorer whose summaries it reads.
    """

    def __init__(self, hidden: int = 64) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2 * hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def forward(self, summary: Tensor) -> Tensor:
        """Return values [B] of summaries [B, 2 · hidden]."""
        return self.layers(summary).squeeze(-1)  # type: ignore[no-any-return]
