"""Simulated users: they go by what they were told, and see nothing but the agent's words.

- ``user``: the protocol, and what a reply is
- ``choice``: make_user
- ``scripted``: the scripted user; its ``agenda``, ``temper``, ``facts``, and how it puts things (``phrasing``)
- ``solo``: no user to talk with
- ``language_model``: a language model that plays the user; ``disclosure``: what it has said so far
- ``replay``: a user that says again what one said in a log
- ``clauses``, ``first_person``: points cut from an instruction, for tasks that have none
- ``understanding``: what is understood of the agent's words (``ear``: the expressions for it)
"""
