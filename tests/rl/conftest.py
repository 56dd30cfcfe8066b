"""The toy environment under ids of its own, as the real ones have them."""

import gymnasium as gym
import pytest
from support.toy_symbolic import ToySymbolic

TOY = "VitaBench-Toy{}-Symbolic-v0"


@pytest.fixture(scope="session")
def toy_id():
    """Id of the toy's train split; Dev and the benchmark are registered, too."""
    for name, split in (("-Train", "train"), ("-Dev", "dev"), ("", "test")):
        env_id = TOY.format(name)
        if env_id not in gym.registry:
            gym.register(env_id, entry_point=ToySymbolic, kwargs={"tasks": split})
    return TOY.format("-Train")
