"""The judge laboratory: transcripts whose truth is known from how each was made, and how well judges find it.

- ``structure``: which steps of a solution bring about which goal's record
- ``makings``: the ways to make a transcript, each with its truth
- ``playing``: plays a making with the reference agent and the scripted user
- ``variants``: judges to be tried, beside those of the paper
- ``trial``: runs judges on transcripts and sums up
"""
