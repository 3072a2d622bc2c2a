"""Watches every painted frame of a chat for what a person must never see (F5).

The sampler runs in the page and knows nothing of the extension but its public marks. After each frame it
notes how many tool items of the chat show, how many texts there are and how many of them show.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

SAMPLER = r"""
globalThis.thinkfoldSampler = (() => {
  // What stands for a step of the process: a call, a thought, an injected context, a retry, a group's header.
  const TOOLS = '[data-chat-call-id], [data-variant="think"], [data-process-activity], ' +
    '[data-chat-flow-kind="context"] [data-disclosure-row], [data-chat-flow-kind="model-retry"] > *';
  const TEXTS = '[data-chat-flow-kind="assistant-step"] [class*="_markdown_"]';
  const shows = (element) => element.checkVisibility() && element.getBoundingClientRect().height > 0;
  const inThought = (element) => element.closest('[data-variant="think"]') !== null;
  let frames = null;
  const channel = new MessageChannel();
  // The turns of the chat, each a list of its elements of interest in the order of the page.
  const turns = () => {
    const found = [];
    const flow = document.querySelector("[data-chat-flow]");
    const all = `[data-chat-flow-kind="user"], [data-thinkfold-box], ${TOOLS}, ${TEXTS}`;
    for (const element of flow?.querySelectorAll(all) ?? []) {
      if (element.dataset.chatFlowKind === "user" || !found.length) found.push([]);
      found.at(-1).push(element);
    }
    return found;
  };
  const sample = () => turns().map((elements) => {
    const tools = elements.filter((element) => element.matches(TOOLS));
    const texts = elements.filter((element) => element.matches(TEXTS) && !inThought(element))
      .filter((element) => element.textContent.trim());
    const boxes = elements.filter((element) => element.matches("[data-thinkfold-box]"));
    return {
      tools: tools.filter((tool) => !tool.matches("[data-process-activity]")).length,
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
