"""What is said on the demo page (``demo/README.md`` lists the events)."""

from __future__ import annotations


def turn(number: int, *, tools: int = 2, answer: str = "The answer.") -> list[dict[str, object]]:
    """A finished turn: a thought and a tool a round, a text after the first, an answer."""
    events: list[dict[str, object]] = [{"user": f"Question {number}", "id": f"u{number}"}]
    for index in range(1, tools + 1):
        step = f"{number}:{index}"
        events.append({"think": f"Thought {number}.{index}", "step": step})
        if index > 1:
            events.append({"text": f"Between {number}.{index}", "step": step})
        events.append({"tool": "Bash", "id": f"c{number}_{index}", "summary": f"Run {number}.{index}", "state": "ok"})
    return [*events, {"text": answer, "step": f"{number}:{tools + 1}"}, {"tail": number}]
