"""Language models behind any endpoint that speaks the OpenAI protocol.

- ``endpoint``: which model, where, and how patiently; from arguments and the environment
- ``chat``: one completion, with retries; in the calling thread, or many in flight from one thread
"""
