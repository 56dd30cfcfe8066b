"""What is said and done in an episode.

- ``acts``: dialogue acts of user and agent, and the slots they are about
- ``transcript``: turns, tool calls, and the OpenAI-format messages of them
"""
