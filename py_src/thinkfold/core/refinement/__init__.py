"""Better summaries of a long thought's segments, by a small model (seed 004).

    models.py    which model: the smallest that chats, of those that a server offers
    request.py   what is asked: the trimmed text, the instruction, the body of the request
    reply.py     what comes back: a short text and what it cost, or why there is none
    queue.py     when: one at a time, live before history, again after an error that passes

All of it is pure: the page (``page/small_model.py``) sends and waits, and says what time it is.
"""

from .models import Chosen, choose_model, read_models
from .queue import Job, Queue
from .reply import MOST_COMPLAINT, NO_MODEL, NOT_SENT, Failure, Refined, Reply, failure_of, wait_of
from .request import INPUT_TOKENS, INSTRUCTION, RefineTrim, request_body, trim, without_refused

__all__ = [
    "INPUT_TOKENS",
    "INSTRUCTION",
    "MOST_COMPLAINT",
    "NOT_SENT",
    "NO_MODEL",
    "Chosen",
    "Failure",
    "Job",
    "Queue",
    "RefineTrim",
    "Refined",
    "Reply",
    "choose_model",
    "failure_of",
    "read_models",
    "request_body",
    "trim",
    "wait_of",
    "without_refused",
]
