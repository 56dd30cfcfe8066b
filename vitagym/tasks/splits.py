"""What splits of tasks there are. Importing this is cheap: the environment ids are registered from it."""

TEST_SPLIT = "test"
"""The fixed split."""
TEST_TASKS = 100
"""How many tasks the test split of a domain has."""
TRAIN_SPLIT, DEV_SPLIT, OOD_SPLIT = "train", "dev", "ood"
MADE_SPLITS = (TRAIN_SPLIT, DEV_SPLIT, OOD_SPLIT)
"""The splits that never end. ``ood`` has what ``train`` and ``dev`` never show (see ``assets/held_out.toml``)."""
