"""What splits of tasks there are. Importing this is cheap: the environment ids are registered from it."""

TEST_SPLIT = "test"
"""The fixed split."""
TEST_TASKS = 20
"""How many tasks the test split of a domain has."""
MADE_SPLITS = ("train", "dev")
"""The splits that never end."""
