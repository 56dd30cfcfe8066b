"""Data of the project: texts in two languages, word lists, task packs, figures."""
