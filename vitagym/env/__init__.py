"""The Gymnasium environment: what an agent meets.

- ``environment``: ``VitaEnv``; its docstring is the documentation
- ``episode``: one episode, turn by turn, without Gymnasium
- ``actions``, ``written_calls``, ``python_calls``: what an agent sends, read into words and tool calls
- ``spaces``, ``shared_texts``: text as observation and action, also in vector environments
- ``reward_vector``: rewards as vectors, one entry a term
- ``task_source``: ``tasks=`` of the environment
- ``offer``, ``prompt``: the tools, their schemas and the instructions that an agent gets
- ``rendering``: transcripts for people
- ``registration``: the environment ids

It finds domains through ``vitagym.domains`` and knows none; users, judges and rewards are behind their protocols.
"""
