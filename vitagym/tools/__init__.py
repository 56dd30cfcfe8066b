"""Tools as plain typed functions of the world. The signature gives schema, validation, conditions and graph.

- ``conditions``: facts that parameters need and results give
- ``tool``: the decorator and the tool
- ``schema``: JSON schema in OpenAI format, in both languages
- ``results``: results and refusals
- ``toolset``: the tools on offer in an episode
- ``graph``: the dependency graph
- ``published``: the derived graphs beside the published sizes
- ``drawing``: a picture of a graph

It knows no domain: domains register their tools.
"""
