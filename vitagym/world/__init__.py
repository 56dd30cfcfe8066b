"""The deterministic world: a catalogue shared by all episodes of a task, and a ledger owned by one episode.

- ``entities``: places, weather, providers and products
- ``records``: orders, bookings and reservations
- ``catalogue``: what the task gives and no action changes
- ``ledger``: what actions change
- ``search``: ranking, geocoding and city matching
- ``times``: the formats of times and dates
- ``world``: ``call(tool, arguments)``

It knows nothing of users, rubrics or rewards.
"""
