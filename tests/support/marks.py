"""Reads the extension's public marks, and what a person sees of a chat."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from .extension import answers_in

MARKS_LEFT = """
() => [...document.querySelectorAll("*")].flatMap((element) =>
  [...element.attributes]
    .filter((a) => a.name.startsWith("data-thinkfold") || (a.name === "style" && /anchor-name|thinkfold/.test(a.value)))
    .map((a) => `${element.tagName.toLowerCase()} ${a.name}=${a.value}`))
"""

VISIBLE_LINES = """
() => {
  const shows = (element) => element.checkVisibility() && element.getBoundingClientRect().height > 0;
  const words = (element) => element.innerText.split(/\\s+/).filter(Boolean).join(" ");
  const NAMES = {
    user: '[data-chat-flow-kind="user"]',
    box: "[data-thinkfold-box]",
    control: "[data-turn-process]",
    group: "[data-process-activity]",
    think: '[data-variant="think"]',
    tool: "[data-chat-call-id]",
    text: '[data-chat-flow-kind="assistant-step"] [class*="_markdown_"]',
  };
  const named = Object.values(NAMES).join();
  const known = ["user", "assistant-step", "tool-call", "context", "system-prompt", "turn-process", "turn-tail"];
  const others = "[data-chat-flow-kind] > [data-slot] > :first-child";
  const kind = (element) => element.closest("[data-chat-flow-kind]").dataset.chatFlowKind;
  const flow = document.querySelector("[data-chat-flow]");
  return [...(flow?.querySelectorAll(`${named}, ${others}`) ?? [])]
    .filter((element) => element.matches(named) || !known.includes(kind(element)))
    .filter((element) => shows(element) && !element.parentElement.closest('[data-variant="think"]'))
    .map((element) => {
      const name = Object.keys(NAMES).find((each) => element.matches(NAMES[each])) ?? kind(element);
      return `${name}: ${words(element)}`;
    });
}
"""


def marks_left(page: Page) -> list[str]:
    """Every trace of the extension in the page's document."""
    return list(page.evaluate(MARKS_LEFT))


def marks_on_rows(page: Page) -> list[str]:
    """The traces of the extension besides those that a page without a single box has too."""
    always = (
        "html data-thinkfold=",
        "div data-thinkfold-flow=",
        "div data-thinkfold-live=",
        "button data-thinkfold-summaries-tab=",
    )
    return [mark for mark in marks_left(page) if not mark.startswith(always)]


def visible_lines(page: Page) -> list[str]:
    """What a person sees of the chat, in order: ``user: …``, ``box: …``, ``think: …`` and so on.

    ``control`` is the button of the host's own fold, ``group`` the header of a group of rows. A row of any other
    kind has its kind for a name: ``steering: …``. Rows of context and of the system prompt are left out: each host
    shows others.
    """
    return list(page.evaluate(VISIBLE_LINES))


def lasting_lines(page: Page) -> list[str]:
    """The visible lines without what differs from run to run: times of day, durations at a line's end, and how long
    the latest thought is, which is known a moment after it is seen."""
    return [re.sub(r" · (\d+[hms] ?)+$| \d\d:\d\d$| · ≈ [\d,]+ tokens", "", line) for line in visible_lines(page)]


def wait_until_on(page: Page) -> None:
    """Wait until Python is up and has folded what is there; a failure tells what the extension and the console say."""
    try:
        expect(page.locator("html[data-thinkfold=on]")).to_be_attached(timeout=20_000)
    except AssertionError as error:
        told = [message.text[:300] for message in page.console_messages() if message.type in ("error", "warning")]
        told += [str(each)[:300] for each in page.page_errors()]
        raise AssertionError(f"{error}\nThe extension says {answers_in(page)}, the console {told}") from None
