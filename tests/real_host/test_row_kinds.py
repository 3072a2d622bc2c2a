"""Every kind of row that the real DSH Web draws beside thoughts, calls and texts: inside the box, or visible outside.

What cannot be made here is in ``tests/browser/test_kinds.py``: an image in a step, which no model of these hosts
answers with, and a row of an unknown kind, which they draw only for what a plugin logs and nobody else draws.
"""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect
from support.marks import lasting_lines

from .host import FIRST_VERSION, Host
from .model_server import Reply, ToolCall, bash
from .versions import CONTEXT_ROWS, FULL, NEWEST, ON_NEWEST

RUNNING = "[data-thinkfold-state=running], [data-state=running], [data-active]"

PASTE = """
async (picture) => {
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File([bytes], "picture.png", { type: "image/png" }));
  const composer = document.querySelector("[data-composer-input]");
  composer.focus();
  composer.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}
"""


def boxes(page: Page) -> Locator:
    return page.locator("[data-thinkfold-box]")


def last_turn(page: Page) -> list[str]:
    """The lines from the last message of the user on, with the numbers of compactions and retries left out."""
    lines = [re.sub(r"\d+ history items \(~\d+ tokens\)", "history", line) for line in lasting_lines(page)]
    lines = [re.sub(r"(request \(\d/\d\)) · \ds", r"\1", line) for line in lines]
    return lines[max(number for number, line in enumerate(lines) if line.startswith("user")) :]


def only_on(version: str, host: Host, *lines: str) -> list[str]:
    return list(lines) if host.version == version else []


@FULL
def test_a_message_that_steers_a_running_turn_stays_visible_between_two_boxes(
    chat: Page, host: Host, shots: Path
) -> None:
    wait = bash("until [ -e steered ]; do sleep 0.1; done", "Wait")
    host.model.script("go north", [Reply(think="North it is.", tools=[wait]), Reply(text="Never said.")])
    host.model.script(
        "turn left",
        [Reply(think="Left, then.", tools=[bash("echo left", "Turn")]), Reply(text="Went left.")],
    )
    steps = 2 + CONTEXT_ROWS[host.version]
    host.send(chat, "go north")
    expect(boxes(chat)).to_contain_text("Wait")
    assert last_turn(chat) == ["user: go north", f"box: Bash Wait {steps} steps"]

    host.send(chat, "turn left", key="Control+Enter")
    words = chat.locator("[data-chat-flow]").get_by_text("turn left")
    expect(words).to_be_visible()  # before the host has handed it to the model
    (host.home / "steered").touch()
    host.wait_for_turn(chat, 1)
    expect(words).to_be_visible()
    assert [line for line in last_turn(chat) if not line.startswith("control")] == [
        "user: go north",
        f"box: Bash Wait {steps} steps",
        "steering: turn left",
        "box: Bash Turn 2 steps",
        "text: Went left.",
    ]
    chat.screenshot(path=shots / f"{host.version}-steering.png")


@FULL
def test_an_approval_and_a_question_can_be_answered_while_the_process_is_folded(
    chat: Page, host: Host, shots: Path
) -> None:
    """Both wait in the composer's place. What stands in the chat is their calls, which fold."""
    outside = {"sandbox_permissions": "danger-full-access", "justification": "It is outside."}
    touch = ToolCall("bash", {"command": "touch approved", "description": "Write", **outside})
    colours = [{"label": "Red", "description": "warm"}, {"label": "Blue", "description": "cold"}]
    question = {"id": "colour", "header": "Colour", "question": "Which colour?", "options": colours}
    host.model.script(
        "paint it",
        [
            Reply(think="I write.", tools=[touch]),
            Reply(think="I ask.", tools=[ToolCall("ask_user_question", {"questions": [question]})]),
            Reply(text="It is blue."),
        ],
    )
    host.send(chat, "/permission workspace-write")
    expect(chat.get_by_role("button", name=re.compile("Workspace|workspace"))).not_to_have_count(0)
    host.send(chat, "paint it")
    steps = CONTEXT_ROWS[host.version]

    allow = chat.get_by_role("button", name="Allow once")
    allow.wait_for()
    expect(boxes(chat)).to_have_attribute("data-thinkfold-state", "running")
    assert last_turn(chat) == ["user: paint it", f"box: Bash Write {2 + steps} steps"]
    chat.screenshot(path=shots / f"{host.version}-approval.png")
    allow.click()

    chat.locator("[data-composer-seat]").get_by_text("Blue", exact=True).click()
    expect(boxes(chat)).to_contain_text("Ask question")
    assert last_turn(chat) == ["user: paint it", f"box: Ask question waiting {4 + steps} steps"]
    chat.screenshot(path=shots / f"{host.version}-question.png")
    chat.get_by_role("button", name="Submit").click()
    host.wait_for_turn(chat, 1)
    assert (host.home / "approved").exists()
    assert "Blue" in json.dumps(host.model.requests[-1]["messages"][-1])
    assert last_turn(chat) == [
        "user: paint it",
        f"box: Ask question 1/1 answered {4 + steps} steps",
        "text: It is blue.",
    ]


@FULL
def test_turns_that_end_badly_fold_and_say_so_and_nothing_runs_for_ever(chat: Page, host: Host, shots: Path) -> None:
    """On 0.1.0 the host puts a call that was cut off behind the turn's end, where it stays visible."""
    look = Reply(think="First a look.", tools=[bash("ls", "Look")])
    long = Reply(think="It is long.", text="This answer is", finish="length")
    wait = Reply(think="Then a nap.", text="Now I wait.", tools=[bash("sleep 60", "Sleep")])
    host.model.script("be stubborn", [look, Reply(text="It works.", status=500, failures=2)])
    host.model.script("be long", [look, long])
    host.model.script("be broken", [look, Reply(text="The model is broken.", status=400)])
    host.model.script("be slow", [look, wait])
    first = CONTEXT_ROWS[host.version]

    host.send(chat, "be stubborn")
    chat.wait_for_function(
        "() => /^Retrying/.test(document.querySelector('[data-thinkfold-state=running]')?.innerText.trim() ?? '')"
    )
    assert last_turn(chat)[0] == "user: be stubborn"
    assert len(last_turn(chat)) == 2
    host.wait_for_turn(chat, 1)
    assert last_turn(chat) == [
        "user: be stubborn",
        f"box: Retried model request (2/5) {3 + first} steps",
        "text: It works.",
    ]

    host.send(chat, "be long")
    host.wait_for_turn(chat, 2)
    notice = "Output token limit reached"
    assert [line[: len("turn-max-tokens: ") + len(notice)] for line in last_turn(chat)] == [
        "user: be long",
        "box: Think It is long. 3 steps",
        "text: This answer is",
        f"turn-max-tokens: {notice}",
    ]
    chat.screenshot(path=shots / f"{host.version}-max-tokens.png")

    host.send(chat, "be broken")
    host.wait_for_turn(chat, 3)
    assert last_turn(chat) == [
        "user: be broken",
        *only_on(NEWEST, host, "control: Failed"),
        "box: Bash Look 2 steps",
        "turn-error: This turn failedThe model is broken. INVALID_REQUEST",
    ]
    chat.screenshot(path=shots / f"{host.version}-error.png")

    host.send(chat, "be slow")
    expect(boxes(chat).last).to_contain_text("Sleep")
    assert last_turn(chat) == ["user: be slow", "box: Bash Sleep 4 steps", "text: Now I wait."]
    chat.get_by_role("button", name="Stop").first.click()
    host.wait_for_turn(chat, 4)
    expect(chat.locator(RUNNING)).to_have_count(0)
    cut_off = "Bash Error: tool call aborted"
    assert last_turn(chat) == [
        "user: be slow",
        *only_on(NEWEST, host, "control: Stopped", f"box: {cut_off} 4 steps"),
        *only_on(FIRST_VERSION, host, "box: Think Then a nap. 3 steps"),
        "text: Now I wait.",
        *only_on(FIRST_VERSION, host, f"tool: Failed {cut_off}"),
    ]
    chat.screenshot(path=shots / f"{host.version}-stopped.png")


@FULL
def test_a_compaction_folds_and_commands_stay_visible(chat: Page, host: Host, shots: Path) -> None:
    look = [bash("ls", "Look"), bash("ls -l", "Look closer")]
    host.model.script("talk", [Reply(text="Much to say. " * 300)])
    host.model.script("go on", [Reply(tools=look), Reply(text="This exceeds the maximum context length.", status=400)])
    host.model.script("compaction engine", [Reply(text="<compacted-summary>They talked.</compacted-summary>")])
    host.model.script("automatically generated checkpoint", [Reply(text="It fits now.")])  # what then stands for all
    host.send(chat, "talk")
    host.wait_for_turn(chat, 1)
    host.send(chat, "go on")
    host.wait_for_turn(chat, 2)
    turn = ["user: go on", "box: Context compacted Compacted history 3 steps", "text: It fits now."]
    assert last_turn(chat) == turn

    host.send(chat, "/compact")
    expect(chat.locator("[data-chat-flow-kind=manual-compaction]")).to_contain_text("Compacted")
    host.send(chat, "/goal clear")
    expect(chat.locator("[data-chat-flow-kind=command]")).to_have_count(1)
    assert last_turn(chat) == [
        *turn,
        "manual-compaction: compact Compacted history",
        "command-input: /goal clear",
        "command: goal No goal to clear.",
    ]
    host.send(chat, "few rounds")
    host.wait_for_turn(chat, 3)
    chat.screenshot(path=shots / f"{host.version}-commands.png")
    assert [line.split(":")[0] for line in last_turn(chat)] == ["user", "box", "text", "text", "text"]
    assert [line for line in lasting_lines(chat) if line.startswith("command")] == [
        "command-input: /goal clear",
        "command: goal No goal to clear.",
    ]


@FULL
def test_a_workflow_is_a_step_of_the_process(chat: Page, host: Host) -> None:
    script = "phase('Look'); return await agent('look around', {label: 'scout', phase: 'Look'});"
    meta = {"name": "scouting", "description": "Looks around", "phases": [{"title": "Look"}]}
    host.model.script("look around", [Reply(text="Nothing to see.")])
    host.model.script(
        "send a scout",
        [
            Reply(think="Off it goes.", tools=[ToolCall("workflow", {"script": script, "meta": meta})]),
            Reply(text="It is back."),
        ],
    )
    host.send(chat, "send a scout")
    host.wait_for_turn(chat, 1)
    expect(chat.locator("[data-chat-flow-kind=workflow-run]")).to_have_count(1)
    steps = 3 + CONTEXT_ROWS[host.version]
    assert last_turn(chat) == ["user: send a scout", f"box: scouting 1 member {steps} steps", "text: It is back."]
    boxes(chat).click()
    if host.version == NEWEST:
        chat.locator("[data-process-activity]").click()
    assert [line.split(":")[0] for line in last_turn(chat) if not line.startswith("group")] == [
        *["user", "box", "think", "tool", "workflow-run", "text"]
    ]


@FULL
def test_a_call_that_calls_others_is_one_step_and_shows_them_when_the_box_is_open(chat: Page, host: Host) -> None:
    inner = "await tools.bash({command: 'echo 1', description: 'Inner'});"
    code = ToolCall("run_code", {"code": f"{inner} {inner} return 'done';", "description": "Run both"})
    host.model.script("run code", [Reply(think="I write a program.", tools=[code]), Reply(text="Both ran.")])
    chat.get_by_text("Standard mode").last.click()
    chat.get_by_text("PTC mode").click()
    host.send(chat, "run code")
    host.wait_for_turn(chat, 1)
    assert last_turn(chat) == [
        "user: run code",
        f"box: Code Run both {2 + CONTEXT_ROWS[host.version]} steps",
        "text: Both ran.",
    ]
    boxes(chat).click()
    if host.version == NEWEST:
        chat.locator("[data-process-activity]").click()
    expect(chat.locator("[data-subcalls] [data-chat-call-id]:visible")).to_have_count(2)


@ON_NEWEST
def test_an_image_from_the_user_stays_and_one_that_a_tool_reads_folds(chat: Page, host: Host) -> None:
    """0.1.0 takes no image: none of its models reads one."""
    picture = chat.screenshot(clip={"x": 0, "y": 0, "width": 64, "height": 64})
    (host.home / "picture.png").write_bytes(picture)
    read = ToolCall("read_image", {"file_path": "picture.png"})
    host.model.script("look at it", [Reply(think="I look.", tools=[read]), Reply(text="It is white.")])
    chat.evaluate(PASTE, base64.b64encode(picture).decode())
    expect(chat.locator("[data-composer-seat] img")).to_have_count(1)
    host.send(chat, "look at it")
    host.wait_for_turn(chat, 1)
    expect(chat.locator("[data-chat-flow-kind=user] img")).to_be_visible()
    assert last_turn(chat) == ["user: look at it", "box: Read image picture.png 2 steps", "text: It is white."]
