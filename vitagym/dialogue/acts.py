"""Dialogue acts: what an utterance does, apart from its words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from vitagym.frozen import quickly_made


class Slot(StrEnum):
    """What a piece of information, or a question, is about."""

    NEED = "need"
    PRODUCT = "product"
    PROVIDER = "provider"
    TASTE = "taste"
    DIET = "diet"
    QUANTITY = "quantity"
    PEOPLE = "people"
    BUDGET = "budget"
    ADDRESS = "address"
    DATE = "date"
    TIME = "time"
    DISTANCE = "distance"
    RATING = "rating"
    FACILITY = "facility"
    NOTE = "note"
    ORIGIN = "origin"
    DESTINATION = "destination"
    SEAT = "seat"
    ROOM = "room"
    TICKET = "ticket"
    DURATION = "duration"
    WEATHER = "weather"
    OCCASION = "occasion"
    HISTORY = "history"
    IDENTITY = "identity"
    OCCUPATION = "occupation"
    FAMILY = "family"
    CONTACT = "contact"
    AGE = "age"
    GENDER = "gender"
    RESIDENCE = "residence"
    OTHER = "other"


class UserActKind(StrEnum):
    """What the user does with an utterance."""

    INFORM = "inform"
    """Conveys a point, or answers with one."""
    CHANGE = "change"
    """Conveys a point that replaces an earlier one."""
    CONFIRM = "confirm"
    """Says yes: go ahead."""
    CHOOSE_FOR_ME = "choose_for_me"
    """Asks the agent to choose or recommend."""
    DONT_KNOW = "dont_know"
    """Does not know, or does not remember."""
    INSIST = "insist"
    """Keeps to the need."""
    HURRY = "hurry"
    """Shows impatience, or refuses to repeat."""
    PROMPT = "prompt"
    """Asks the agent to go on."""
    THANK = "thank"
    CLOSE = "close"
    """Ends the conversation."""


class AgentActKind(StrEnum):
    """What the agent does with an utterance, as the user understood it."""

    ASK = "ask"
    """Asks about a slot."""
    ASK_OPEN = "ask_open"
    """Asks what is needed, nothing particular."""
    ASK_MORE = "ask_more"
    """Asks whether there is anything else."""
    OFFER = "offer"
    """Offers, recommends or describes options."""
    SEEK_CONFIRMATION = "seek_confirmation"
    """Asks whether to go ahead."""
    REPORT_DONE = "report_done"
    """Says that something has been done."""
    REPORT_IMPOSSIBLE = "report_impossible"
    """Says that something cannot be done or found."""
    DISSUADE = "dissuade"
    """Tries to change the need."""
    CHAT = "chat"
    """Anything else."""


@quickly_made
@dataclass(frozen=True, slots=True)
class UserAct:
    """One act of the user.

    Attributes:
        point: Id of the point conveyed, or None.
        slot: What it is about, or None.
    """

    kind: UserActKind
    point: str | None = None
    slot: Slot | None = None


@quickly_made
@dataclass(frozen=True, slots=True)
class AgentAct:
    """One act of the agent, as understood from its words."""

    kind: AgentActKind
    slot: Slot | None = None
