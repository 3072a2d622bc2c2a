"""The boundary to JavaScript: listening, observing, timing, and undoing all of it at once.

A call across the boundary costs 5 to 10 microseconds, so callers ask for little and remember the answer.
The page's objects are taken from ``js`` when they are needed and never when this module is imported: the
snapshot from which Python starts may hold none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import js
from pyodide.ffi import create_proxy, to_js

Element = Any
Handler = Callable[..., object]


def options(**values: object) -> Any:
    """A plain JavaScript object with these members."""
    return to_js(values, dict_converter=js.Object.fromEntries)


def to_frames(frames: Iterable[dict[str, str]]) -> Any:
    """Keyframes of an animation."""
    return to_js([*frames], dict_converter=js.Object.fromEntries)


def to_array(values: list[object]) -> Any:
    """A JavaScript array with these values."""
    return to_js(values)


class Attachments:
    """All that one part of the extension has attached to the page. :meth:`close` takes it all away.

    *on_error* is called with any exception that a handler raises.
    """

    def __init__(self, on_error: Callable[[BaseException], None]) -> None:
        self._on_error = on_error
        self._abort = js.AbortController.new()
        self._undo: list[Callable[[], object]] = []
        self._closed = False

    @property
    def fail(self) -> Callable[[BaseException], None]:
        """What is called with an exception."""
        return self._on_error

    def guard(self, handler: Handler) -> Any:
        """*handler* as a JavaScript function that reports exceptions. Whoever calls it forgets it at :meth:`close`."""
        proxy = self.later(handler)
        self._undo.append(proxy.destroy)
        return proxy

    def later(self, handler: Handler) -> Any:
        """The same for a promise or a timeout, which may call it after :meth:`close`: then it does nothing. The
        browser's garbage collector frees it."""

        def guarded(*arguments: Any) -> object:
            if self._closed:
                return None
            try:
                return handler(*arguments)
            except Exception as error:
                self._on_error(error)
                return None

        return create_proxy(guarded)

    def listen(
        self, target: Any, event: str, handler: Handler, *, capture: bool = False, passive: bool = False
    ) -> None:
        """Call ``handler(event)`` for every *event* on *target*. *passive* promises never to prevent its default."""
        how = options(capture=capture, passive=passive, signal=self._abort.signal)
        target.addEventListener(event, self.guard(handler), how)

    def observer(self, handler: Handler) -> Any:
        """A MutationObserver that calls ``handler(records, observer)``; it observes nothing yet."""
        observer = js.MutationObserver.new(self.guard(handler))
        self._undo.append(observer.disconnect)
        return observer

    def undo(self, action: Callable[[], object]) -> None:
        """Do *action* at the end, before what was attached earlier is undone."""
        self._undo.append(action)

    def close(self) -> None:
        """Undo everything, last first. What fails to be undone does not keep the rest from it."""
        if self._closed:
            return
        self._closed = True
        self._abort.abort()
        for action in reversed(self._undo):
            try:
                action()
            except Exception as error:
                self._on_error(error)
        self._undo.clear()


class Interval:
    """A timer that runs only while somebody wants it."""

    def __init__(self, attachments: Attachments, handler: Handler, milliseconds: int) -> None:
        self._handler = attachments.guard(handler)
        self._milliseconds = milliseconds
        self._id: int | None = None
        attachments.undo(lambda: self.want(False))

    @property
    def is_wanted(self) -> bool:
        """The timer runs."""
        return self._id is not None

    def want(self, wanted: bool) -> None:
        """Start or stop the timer; both may be said again and again."""
        if wanted and self._id is None:
            self._id = js.setInterval(self._handler, self._milliseconds)
        elif not wanted and self._id is not None:
            js.clearInterval(self._id)
            self._id = None


class Frames:
    """Calls *handler* before each of the browser's paints, while somebody wants it. A page that nobody sees is not
    painted, so then it is not called."""

    def __init__(self, attachments: Attachments, handler: Callable[[], object]) -> None:
        self._handler = handler
        self._on_frame = attachments.guard(self._call)
        self._id: int | None = None
        attachments.undo(lambda: self.want(False))

    def want(self, wanted: bool) -> None:
        """Start or stop; both may be said again and again."""
        if wanted and self._id is None:
            self._id = js.requestAnimationFrame(self._on_frame)
        elif not wanted and self._id is not None:
            js.cancelAnimationFrame(self._id)
            self._id = None

    def _call(self, _time: float) -> None:
        self._id = js.requestAnimationFrame(self._on_frame)
        self._handler()


def now() -> float:
    """Seconds on the page's monotonic clock."""
    return float(js.performance.now()) / 1000


def set_attributes(element: Element, before: dict[str, str], after: dict[str, str]) -> None:
    """Turn our attributes of *element* from *before* into *after*, touching only what differs."""
    for name in before.keys() - after.keys():
        element.removeAttribute(name)
    for name, value in after.items():
        if before.get(name) != value:
            element.setAttribute(name, value)
