"""A person plays an episode in the browser: the agent, with the tools as forms, or the user.

- ``seat``: where the episode waits for what the person does
- ``game``: one episode, and what the person may see of it; ``session``: one after the other
- ``web``: the page, on 127.0.0.1 alone; style and scripts lie in ``assets/report``

What the person sees while playing is what the agent, or the user, would see: no rubric and nothing hidden.
"""

from vitagym.play.game import Role
from vitagym.play.session import Session
from vitagym.play.web import play_server

__all__ = ["Role", "Session", "play_server"]
