"""Every kind of check, in one place: the vocabulary of rubrics that need no language model.

- on one record: ``provider``, ``includes``, ``only_products``, ``delivered_to``, ``delivered_between``,
  ``visit_between``, ``people``, ``product_date``, ``quantity``, ``note_says``, ``attributes``, ``status``,
  ``total_at_most``, ``existing``, ``changed_to``
- on what was said: ``told``, ``told_none``, ``asked_before``; on what was looked up: ``looked_up``
- on what must not be: ``no_other``, ``none_of_kind``, ``untouched``, ``spent_at_most``, ``not_invented``

A rubric's ``goal`` groups the requirements on one record. Checks of two kinds of record in one goal (a voucher and the
reservation to use it) are two records. A goal with an ``existing`` check is about that old record, once it is changed.
Requirements of one kind that belong to no goal are on one record, too.
"""

from __future__ import annotations

from vitagym.rewards.absence_checks import AbsenceCheck, NoneOfKind, NoOther, SpentAtMost, Untouched
from vitagym.rewards.call_checks import CallCheck, LookedUp
from vitagym.rewards.record_checks import (
    Attributes,
    ChangedTo,
    DeliveredBetween,
    DeliveredTo,
    Existing,
    HasStatus,
    Includes,
    NoteSays,
    OnlyProducts,
    People,
    ProductDate,
    Provided,
    Quantity,
    RecordCheck,
    TotalAtMost,
    VisitBetween,
)
from vitagym.rewards.records import Meaning, RecordKind
from vitagym.rewards.talk_checks import AskedBefore, NotInvented, TalkCheck, Told, ToldNone

__all__ = [
    "AbsenceCheck",
    "AskedBefore",
    "Attributes",
    "CallCheck",
    "ChangedTo",
    "DeliveredBetween",
    "DeliveredTo",
    "Existing",
    "HasStatus",
    "Includes",
    "LookedUp",
    "Meaning",
    "NoOther",
    "NoneOfKind",
    "NotInvented",
    "NoteSays",
    "OnlyProducts",
    "People",
    "ProductDate",
    "Provided",
    "Quantity",
    "RecordCheck",
    "RecordKind",
    "SpentAtMost",
    "TalkCheck",
    "Told",
    "ToldNone",
    "TotalAtMost",
    "Untouched",
    "VisitBetween",
]
