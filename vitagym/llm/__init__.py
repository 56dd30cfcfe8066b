"""Language models behind any endpoint that speaks the OpenAI protocol.

- ``endpoint``: which model, where, and how patiently; from arguments and the environment
- ``chat``: one completion, with retries; in the calling thread, or many in flight from one thread
- ``completion``: what a model said, read from the body of an answer
- ``clients``: the clients of the ``openai`` package; ``direct``: requests straight to an endpoint
- ``asking``: work that waits for models, written once for threads and event loops
- ``usage``: requests, tokens and money, role by role
"""
