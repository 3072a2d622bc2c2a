"""Watches, frame by frame, where on screen a reader's paragraph is and how far the chat is from its bottom (F8).

The recorder looks at the last moment before each paint: after the host's own resize observers, which are older than
the one that it makes in every frame. So it notes what is painted, and never a state in between.
"""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Locator, Page

RECORDER = r"""
globalThis.thinkfoldPlace = (() => {
  let recording = null;
  const scroller = () => document.querySelector("[data-conversation-scroll]");
  const PARAGRAPHS = '[data-chat-flow] [class*="_markdown_"] p';
  const place = () => {
    let { watched } = recording;
    // The host draws a text anew when it is complete: the reader reads on in the new paragraph.
    if (watched && !watched.isConnected) {
      const again = [...document.querySelectorAll(PARAGRAPHS)].filter((p) => p.innerText === recording.words);
      watched = recording.watched = again.at(-1) ?? watched;
    }
    if (!watched?.isConnected || !watched.getClientRects().length) return null;
    const { top, bottom } = watched.getBoundingClientRect();
    return [top, bottom];
  };
  const look = () => {
    const chat = scroller();
    return {
      place: place(),
      to_bottom: chat ? chat.scrollHeight - chat.clientHeight - chat.scrollTop : null,
      rows: document.querySelectorAll("[data-chat-flow-kind]").length,
      boxes: document.querySelectorAll("[data-thinkfold-box]").length,
    };
  };
  const next = (mine) => requestAnimationFrame(() => {
    const beforePaint = new ResizeObserver(() => {
      beforePaint.disconnect();
      if (recording !== mine) return;
      mine.frames.push(look());
      next(mine);
    });
    beforePaint.observe(document.documentElement);
  });
  return {
    start(watched) {
      recording = { watched, words: watched?.innerText, frames: [] };
      next(recording);
    },
    stop() {
      const { frames } = recording;
      recording = null;
      return frames;
    },
    // The paragraph in the chat that a reader's eyes are on: the one nearest to a third of the view.
    read() {
      const view = scroller().getBoundingClientRect();
      const away = (element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return Math.abs((top + bottom) / 2 - view.top - view.height / 3);
      };
      const visible = [...document.querySelectorAll(PARAGRAPHS)].filter((p) => p.checkVisibility());
      return visible.sort((a, b) => away(a) - away(b))[0];
    },
  };
})();
"""

RECORD_FROM_THE_START = "thinkfoldPlace.start(null)"
"""An init script for after :data:`RECORDER`: notes every frame of a page from its first on."""


@dataclass(frozen=True)
class Frame:
    """What one painted frame showed, in CSS pixels.

    *place* has the upper and the lower edge of the watched element in the window, None where it did not show;
    *to_bottom* is how far the chat could be scrolled down still, None before there was a chat.
    """

    place: tuple[float, float] | None
    to_bottom: float | None
    rows: int
    boxes: int


def record(page: Page, watched: Locator | None = None) -> None:
    """Note every frame from now on; *watched* is the element whose place is noted."""
    if watched is None:
        page.evaluate("thinkfoldPlace.start(null)")
    else:
        watched.evaluate("element => thinkfoldPlace.start(element)")


def record_what_is_read(page: Page) -> str:
    """Note every frame from now on, with the place of the paragraph that a reader would be reading. Returns its
    words."""
    return str(page.evaluate("() => { const p = thinkfoldPlace.read(); thinkfoldPlace.start(p); return p.innerText; }"))


def recorded(page: Page) -> list[Frame]:
    """All frames since the start, in order; ends the recording."""
    return [
        Frame(tuple(frame["place"]) if frame["place"] else None, frame["to_bottom"], frame["rows"], frame["boxes"])
        for frame in page.evaluate("thinkfoldPlace.stop()")
    ]


def wait_for_frames(page: Page, number: int) -> None:
    """Wait until *number* more frames have been painted."""
    page.evaluate(
        "number => new Promise((resolve) => { const next = () => number-- ? requestAnimationFrame(next) : resolve();"
        " next(); })",
        number,
    )


def largest_move(frames: list[Frame], edge: int = 0) -> float:
    """By how many pixels the watched element was away from where it was first, at most. *edge* is 0 for its upper
    edge, 1 for its lower one. Infinite when it did not show in every frame."""
    if any(frame.place is None for frame in frames):
        return float("inf")
    edges = [frame.place[edge] for frame in frames if frame.place is not None]
    return max(abs(position - edges[0]) for position in edges)


def largest_distance(frames: list[Frame]) -> float:
    """How far from its bottom the chat was at most, in pixels."""
    return max(abs(frame.to_bottom) for frame in frames if frame.to_bottom is not None)
