"""A run as a page, as plots, and as a server on this machine. It reads rows of a log; it plays nothing.

- ``page``: the self-contained HTML; its style and scripts lie in ``assets/report``
- ``entries``, ``packing``, ``privacy``: what the page keeps of an episode, in what form, and what it must not show
- ``headline``, ``drawn``: the table and the plots, every figure of them from ``vitagym.analysis``
- ``plots``: a plot as data; ``images``: as PNG, SVG and CSV
- ``local``, ``view``: served on 127.0.0.1
"""

from vitagym.report.page import Reporter

__all__ = ["Reporter"]
