"""The way tasks are made: scenario families, written once for both languages. It knows no domain.

- ``terms``: texts in both languages, word lists, sayings
- ``spots``: addresses and where they are
"""
