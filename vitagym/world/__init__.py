"""The deterministic world: a catalogue shared by all episodes of a task, and a ledger owned by one episode.

- ``entities``: places, weather, providers and products
- ``records``: orders, bookings and reservations
- ``catalogue``: what the task gives and no action changes
- ``ledger``: what actions change
- ``search``: ranking by fuzzy match
- ``geography``: which place, and which city, a text means
- ``times``: the formats of times and dates
- ``calendar_cn``: public holidays, feasts and solar terms
- ``feast_names``: which feast a name means
- ``world``: ``call(tool, arguments)``

It knows nothing of users, rubrics or rewards.
"""
