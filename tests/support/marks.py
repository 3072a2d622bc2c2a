"""Reads the extension's public marks, and what a person sees of a chat."""

from __future__ import annotations

from playwright.sync_api import Page, expect

MARKS_LEFT = """
() => [...document.querySelectorAll("*")].flatMap((element) =>
  [...element.attributes]
    .filter((a) => a.name.startsWith("data-thinkfold") || (a.name === "style" && /anchor-name/.test(a.value)))
    .map((a) => `${element.tagName.toLowerCase()} ${a.name}=${a.value}`))
"""

VISIBLE_LINES = """
() => [...document.querySelectorAll("[data-chat-flow-kind]")].flatMap((row) => {
  const kind = row.dataset.chatFlowKind;
  const shows = (element) => element.getClientRects().length > 0 && element.getBoundingClientRect().height > 0;
  const words = (element) => element.innerText.split(/\\s+/).filter(Boolean).join(" ");
  const found = [];
  for (const element of row.querySelectorAll(
    '[data-thinkfold-box], [data-variant="think"], [class*="_markdown_"], [data-chat-call-id]')) {
    if (shows(element)) found.push(element);
  }
  if (kind === "user") return shows(row) ? [`user: ${words(row)}`] : [];
  return found.map((element) => {
    if (element.hasAttribute("data-thinkfold-box")) return `box: ${words(element)}`;
    if (element.dataset.variant === "think") return `think: ${words(element)}`;
    if (element.dataset.chatCallId) return `tool: ${words(element)}`;
    return `text: ${words(element)}`;
  });
})
"""


def marks_left(page: Page) -> list[str]:
    """Every trace of the extension in the page's document."""
    return list(page.evaluate(MARKS_LEFT))


def visible_lines(page: Page) -> list[str]:
    """What a person sees of the chat, in order: ``user: …``, ``box: …``, ``think: …``, ``tool: …``, ``text: …``."""
    return list(page.evaluate(VISIBLE_LINES))


def wait_until_on(page: Page) -> None:
    """Wait until Python is up and has folded what is there."""
    expect(page.locator("html[data-thinkfold=on]")).to_be_attached(timeout=20_000)
