from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import cache

import pytest
from playwright.sync_api import Page
from support.marks import wait_until_on

from .host import Host, running_host
from .model_server import Reply, bash

FEW_ROUNDS = [
    Reply(
        think="The user wants the files.\nI list them first.",
        text="First I look at what is there.",
        tools=[bash("ls", "List the files")],
    ),
    Reply(
        think="Three files. I read two of them at once.",
        tools=[bash("sleep 0.3; cat a.txt", "Read a"), bash("cat b.txt", "Read b")],
    ),
    Reply(
        text="Halfway: **two** files are read.\n\n- a is short\n- b is short",
        tools=[bash("cat c.txt", "Read c")],
    ),
    Reply(think="I have it all.", text="# Answer\n\nThere are three files.\n\n```py\nprint(3)\n```\n"),
]


def eight_rounds(pause: float = 0.015) -> list[Reply]:
    """A turn of eight rounds in which thoughts, texts and tools come in every order."""
    replies = []
    for number in range(1, 9):
        replies.append(
            Reply(
                think=f"Thought {number}, first line.\nThought {number}, second line." if number % 3 else "",
                text=f"Text of round {number}, long enough to take a few frames to arrive." if number % 2 else "",
                tools=[bash(f"echo {number}", f"Round {number}")] * (2 if number == 5 else 1),
                pause=pause,
            )
        )
    return [*replies, Reply(think="Done.", text="The answer after eight rounds.", pause=pause)]


def endless() -> list[Reply]:
    """A turn that goes on until somebody stops it."""
    return [Reply(think="First a look.", tools=[bash("ls", "Look")]), Reply(think="And on. " * 4000, pause=0.02)]


@pytest.fixture(scope="session")
def hosts() -> Iterator[Callable[[str], Host]]:
    """Gives the running host of a version: one for the whole run, because a start takes longer than most tests."""
    with ExitStack() as stack:
        yield cache(lambda version: stack.enter_context(running_host(version)))


@pytest.fixture
def host(request: pytest.FixtureRequest, hosts: Callable[[str], Host]) -> Host:
    """The host of the version that the test's parameter names, with no scripts but these."""
    started = hosts(request.param)
    started.model.forget_scripts()
    started.model.script("few rounds", FEW_ROUNDS)
    started.model.script("slow rounds", [replace(reply, pause=0.05) for reply in FEW_ROUNDS])
    started.model.script("eight rounds", eight_rounds())
    started.model.script("endless", endless())
    started.model.script("just answer", [Reply(text="A plain answer.")])
    return started


@pytest.fixture
def chat(page: Page, host: Host) -> Page:
    """The host's page with a new session, and Python up."""
    host.open(page)
    wait_until_on(page)
    host.new_session(page)
    return page
