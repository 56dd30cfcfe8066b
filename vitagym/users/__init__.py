"""Simulated users: they go by what they were told, and see nothing but the agent's words.

- ``user``: the protocol, and what a reply is
- ``choice``: make_user
- ``scripted``: the scripted user; its ``agenda``, ``temper``, ``facts``, and how it puts things (``phrasing``)
- ``solo``: no user to talk with
- ``understanding``: what is understood of the agent's words (``ear``: the expressions for it)
"""
