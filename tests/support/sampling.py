"""Watches every painted frame of a chat for what a person must never see (F5).

The sampler runs in the page and knows nothing of the extension but its public marks. After each frame it
notes how many tool items of the chat show, how many texts there are and how many of them show.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

SAMPLER = r"""
globalThis.thinkfoldSampler = (() => {
  const TOOLS = '[data-chat-flow-kind="tool-call"] [data-chat-call-id], [data-variant="think"], ' +
    '[data-chat-flow-kind="context"] [data-disclosure-row], [data-chat-flow-kind="model-retry"] > *';
  const shows = (element) => element.getClientRects().length > 0 && element.getBoundingClientRect().height > 0;
  let frames = null;
  const channel = new MessageChannel();
  const turns = () => {
    const found = [];
    for (const row of document.querySelectorAll("[data-chat-flow-kind]")) {
      if (row.dataset.chatFlowKind === "user" || !found.length) found.push([]);
      found.at(-1).push(row);
    }
    return found;
  };
  const sample = () => turns().map((rows) => {
    const tools = rows.flatMap((row) => [...row.querySelectorAll(TOOLS)]);
    const texts = rows.filter((row) => row.dataset.chatFlowKind === "assistant-step")
      .flatMap((row) => [...row.querySelectorAll('[class*="_markdown_"]')]).filter((text) => text.textContent.trim());
    const boxes = rows.flatMap((row) => [...row.querySelectorAll("[data-thinkfold-box]")]);
    return {
      tools: tools.length,
      toolsShown: tools.filter(shows).length,
      texts: texts.length,
      textsShown: texts.filter(shows).length,
      boxes: boxes.length,
      folded: boxes.filter((box) => box.getAttribute("aria-expanded") === "false" && shows(box)).length,
    };
  });
  channel.port1.onmessage = () => {
    if (!frames) return;
    frames.push(sample());
    requestAnimationFrame(() => channel.port2.postMessage(0));
  };
  return {
    start() { frames = []; requestAnimationFrame(() => channel.port2.postMessage(0)); },
    stop() { const taken = frames; frames = null; return taken; },
    sample,
  };
})();
"""

Frame = list[dict[str, int]]
"""One painted frame: what each turn shows."""


def start_sampling(page: Page) -> None:
    """Note every frame from now on. The page must have been opened with :data:`SAMPLER` as an init script."""
    page.evaluate("thinkfoldSampler.start()")


def stop_sampling(page: Page) -> list[Frame]:
    """All frames since the start, in order."""
    frames: Any = page.evaluate("thinkfoldSampler.stop()")
    return list(frames)


def faults(frames: list[Frame], turn: int) -> list[str]:
    """What was wrong in which frame for the turn number *turn* (from 0); empty when nothing ever was."""
    found = []
    texts_before = 0
    for number, frame in enumerate(frames):
        if turn >= len(frame):
            continue
        seen = frame[turn]
        if seen["toolsShown"] > 1:
            found.append(f"frame {number}: {seen['toolsShown']} tool items show")
        if seen["folded"] and seen["toolsShown"]:
            found.append(f"frame {number}: a tool item shows beside its folded box")
        if seen["textsShown"] < seen["texts"]:
            found.append(f"frame {number}: a text is hidden")
        if seen["texts"] < texts_before:
            found.append(f"frame {number}: a text is gone")
        texts_before = seen["texts"]
    return found
