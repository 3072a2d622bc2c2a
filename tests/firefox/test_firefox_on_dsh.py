"""The extension in Firefox on the real DSH Web, with a scripted model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import wait_until_on
from real_host.host import COMPOSER, NEWER_VERSIONS, Host, running_host
from real_host.model_server import Reply, bash
from support.firefox import Firefox, Tab
from support.marks import lasting_lines, marks_left, visible_lines
from support.sampling import faults, start_sampling, stop_sampling

LINE = "[data-thinkfold-box]"
TURN_ENDED = "document.querySelectorAll('[data-chat-flow-kind=turn-tail]').length === "
ROUNDS = [
    Reply(think="I list the files.", text="First I look.", tools=[bash("ls", "List the files")], pause=0.02),
    Reply(think="Two at once.", tools=[bash("cat a.txt", "Read a"), bash("cat b.txt", "Read b")], pause=0.02),
    Reply(text="Halfway: **two** files.", tools=[bash("cat c.txt", "Read c")], pause=0.02),
    Reply(think="I have it all.", text="There are three files.", pause=0.02),
]
FOLDED = [
    "user: rounds",
    "box: Think I have it all. 7 steps",
    "text: First I look.",
    "text: Halfway: two files.",
    "text: There are three files.",
]


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    with running_host(NEWER_VERSIONS[-1]) as started:
        yield started


@pytest.fixture
def dsh(tab: Tab, host: Host) -> Tab:
    """The host's page, open on an empty chat, as on a first visit."""
    tab.goto(host.url)
    tab.click("button", "Continue")
    tab.click("button", "Choose workspace")
    tab.click("button", "Open")
    tab.wait_for(f"document.querySelector({COMPOSER!r})")
    wait_until_on(tab)
    return tab


def send(tab: Tab, prompt: str) -> None:
    tab.wait_for(
        f"(box => {{ box?.focus(); return box && document.activeElement === box }})"
        f"([...document.querySelectorAll({COMPOSER!r})].at(-1))"
    )
    tab.type(prompt)
    tab.press("Enter")


def test_a_turn_and_the_copy_of_a_message_with_thinking(firefox: Firefox, dsh: Tab, host: Host, shots: Path) -> None:
    host.model.script("rounds", ROUNDS)
    host.model.script("tags", [Reply(text="<think>\nLet me see.\n</think>\n\nThe **answer**.", pause=0.02)])

    # A streamed turn is one folded box in every painted frame, and in history after a reload.
    start_sampling(dsh)
    send(dsh, "rounds")
    dsh.wait_for(f"{TURN_ENDED} 1", timeout=60)
    assert faults(stop_sampling(dsh), 0) == []
    assert lasting_lines(dsh) == FOLDED
    dsh.screenshot(shots / "firefox-dsh-folded.png")
    dsh.reload()
    wait_until_on(dsh)
    dsh.wait_for(f"{TURN_ENDED} 1")
    assert lasting_lines(dsh) == FOLDED

    # It opens and folds.
    dsh.click(LINE)
    dsh.wait_for(f"document.querySelector('{LINE}').getAttribute('aria-expanded') === 'true'")
    kinds = [line.split(":")[0] for line in visible_lines(dsh)]
    assert kinds == ["user", "box", "group", "text", "group", "text", "group", "text"]
    dsh.screenshot(shots / "firefox-dsh-opened.png")
    dsh.click("[data-thinkfold-arrow]")
    dsh.wait_for(f"document.querySelector('{LINE}').getAttribute('aria-expanded') === 'false'")

    # The host's copy button leaves the thinking of a message behind.
    send(dsh, "tags")
    dsh.wait_for(f"{TURN_ENDED} 2", timeout=60)
    dsh.wait_for("document.querySelector('[data-thinkfold-think]')")
    dsh.evaluate(
        "[...document.querySelectorAll('[data-chat-flow-kind=turn-tail]')].at(-1).querySelector('button').click()"
    )
    assert firefox.in_window("navigator.clipboard.readText()") == "The **answer**."

    # Removed, it leaves the host's own page.
    firefox.uninstall()
    dsh.wait_for(f"!document.querySelector('{LINE}')")
    assert marks_left(dsh) == []
    firefox.install()
    wait_until_on(dsh)
