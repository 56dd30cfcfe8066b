"""Learning without a language model: the symbolic view, vectors, and trainers.

Importing it imports neither torch nor ray; the modules that need them say so in their first line.
"""
