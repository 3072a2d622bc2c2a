/* The Thinkfold demo: a chat page of our own that keeps the row contract of DSH Web, so that the
   extension works on it as on the real host, and replays a conversation as if it were streamed.

   URL parameters
     ?paused=1        nothing is loaded or played: an empty flow
     ?speed=N         default 1; 10 is ten times faster
     ?theme=dark|light   default: what the system prefers
     ?lang=en|zh      the page's own labels; default: the browser's language
     ?turns=N         N generated finished turns of 8 rows each come first (also with paused=1)
     ?generation=0.1|0.2   which host's shape the rows have: DSH Web 0.1.0 (default) or 0.2.1
     ?view=detailed|compact   0.2 only: whether a running turn's groups are open (default) or closed

   window.demo
     demo.ready                   a promise: the page is built (and, unless paused, loaded)
     demo.reset()                 empties the shown session's flow and stops its replay
     await demo.apply(events)     applies events at once: one event, one synchronous change of the DOM,
                                  with a microtask between two events
     await demo.play(events, {speed})   the same events with pauses; false if it was stopped
     demo.rows()                  the keys of the rows, in order
     demo.older(pages)            lists of events that the "load older" button brings, the last list first
     demo.select(n)               shows session n (0 or 1); demo.view("chat" | "notes") switches the view

   Events (an unknown one throws)
     {user: "text"}  {steering: "text"}  {context: "source name", text?}      all with an optional id, time;
      user begins a turn: `turn`, else that of the next step or tail in the list, else one more than the last
     {think: "text", step: "1:2", state?: "ok" | "running"}    adds a part to the step; so does text
     {text: "markdown", step: "1:2", state?: "ok" | "running"}
     {append: "more", step: "1:2"}         grows the step's last part
     {"step-state": "ok", step: "1:2"}     settles the step: no part runs, nothing streams
     {empty: true, step: "1:2"}            a step without any part: a row without any child
     {tool: "Bash", id: "c1", summary: "List files", state: "ok" | "running" | "error",
      takes?: ms, variant?, input?, output?}
     {"tool-state": "ok", id: "c1", output?}
     {tail: 1, time?, took?, ended?: "completed" | "stopped"}   closes turn 1; 0.2 folds a completed one
     {row: "<any other kind>", id: "x", text: "..."}
     {remove: "<row key>"}                 {remount: "<row key>"}  a new, equal element, the same key
     {wait: ms}                            a pause for play; nothing for apply

   Invariants, as on the host
     - Rows are the view's: an event touches only its own row's element. They are put in and taken out
       with insertBefore and removeChild on the element that they were given to (the flow; in 0.2 its slot
       or a group), so a row that someone moved throws.
     - Every node of a session is one row, in both generations. What differs is in `GENERATIONS`.
     - A closed Think row holds one line in the DOM: the latest while it runs, else the first.
     - What is open is the element's own state: a remounted row is closed.
     - Whoever writes scrollTop and is not Follow counts as the reader.
     - Text becomes nodes by textContent and nodeValue only. */

const query = new URLSearchParams(location.search);
const SPEED = Number(query.get("speed")) > 0 ? Number(query.get("speed")) : 1;
const LANG = (query.get("lang") ?? navigator.language ?? "en").startsWith("zh") ? "zh" : "en";
const DETAILED = query.get("view") !== "compact";
const NEAR_FLOOR = 25;

const LABELS = {
  en: {
    demo: "demo", sessions: "Sessions", menu: "Sessions", chat: "Chat", notes: "Notes",
    offline: "Everything here is bundled with the page. Nothing is sent or fetched from elsewhere.",
    composer: "A replayed conversation: nothing to type here", again: "Play again",
    playing: "Replaying", ended: "Replay finished", still: "Finished session",
    working: "Working…", running: "Running", failed: "Failed", 
    context: "Context", older: "Load older turns", loading: "Loading…",
    copy: "Copy", copied: "Copied", good: "Helpful", bad: "Not helpful",
    took: (s) => `Ran for ${s}s`,
    completed: (s) => (s ? `Completed in ${s}s` : "Completed"), stopped: "Stopped",
    thinking: "Thinking", thought: "Thoughts", tools: (n) => (n === 1 ? "1 tool" : `${n} tools`),
    kinds: {
      "model-retry": "Model asked again", "turn-error": "The turn failed", "turn-max-tokens": "Length limit reached",
      command: "Command", compaction: "Context compacted", "manual-compaction": "Context compacted by hand",
    },
  },
  zh: {
    demo: "演示", sessions: "会话", menu: "会话", chat: "对话", notes: "笔记",
    offline: "页面内容全部随包附带，不发送也不请求任何外部数据。",
    composer: "这是一段回放的对话，无需输入", again: "再放一遍",
    playing: "回放中", ended: "回放结束", still: "已结束的会话",
    working: "处理中…", running: "运行中", failed: "失败",
    context: "上下文", older: "加载更早的对话", loading: "加载中…",
    copy: "复制", copied: "已复制", good: "有帮助", bad: "没帮助",
    took: (s) => `用时 ${s} 秒`,
    completed: (s) => (s ? `已完成，用时 ${s} 秒` : "已完成"), stopped: "已停止",
    thinking: "思考中", thought: "思考", tools: (n) => `${n} 个工具`,
    kinds: {
      "model-retry": "重新请求模型", "turn-error": "本轮出错", "turn-max-tokens": "达到长度上限",
      command: "命令", compaction: "上下文已压缩", "manual-compaction": "上下文已手动压缩",
    },
  },
}[LANG];

/* ---- Small tools for nodes ---- */

function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function setText(element, text) {
  const only = element.firstChild;
  if (only && only === element.lastChild && only.nodeType === Node.TEXT_NODE) {
    if (only.nodeValue !== text) only.nodeValue = text;
  } else if (only || text) {
    element.textContent = text;
  }
}

function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, value);
  }
}

const slot = (name, ...children) => h("div", { "data-slot": name, style: "display: contents" }, ...children);
const unseen = (text) => h("span", { class: "demo-unseen" }, text);

const SHAPES = {
  think: "M8 2.2v2M8 11.8v2M2.2 8h2M11.8 8h2M3.9 3.9l1.4 1.4M10.7 10.7l1.4 1.4M3.9 12.1l1.4-1.4M10.7 5.3l1.4-1.4M8 6.6a1.4 1.4 0 1 0 0 2.8a1.4 1.4 0 0 0 0-2.8",
  bash: "M3.5 2.5h9a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 2 12V4a1.5 1.5 0 0 1 1.5-1.5M5 6l2 2l-2 2M8.5 10.2h2.5",
  read: "M4 2h5.5L13 5.5V13a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1M9.3 2v3.7H13M5.5 8.5h5M5.5 11h3.5",
  edit: "M10.8 2.7l2.5 2.5l-7.6 7.6l-3.2.7l.7-3.2zM9.2 4.3l2.5 2.5",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 0 0 0-9M10.3 10.3L13.8 13.8",
  context: "M8 2L14 5L8 8L2 5zM2.4 8L8 10.8L13.6 8M2.4 11L8 13.8L13.6 11",
  chevron: "M4 6.2l4 4l4-4",
  copy: "M6 6h7.5v7.5H6zM10 6V2.5H2.5V10H6",
  good: "M5.5 7.2L8 2.3c1 0 1.6.7 1.6 1.6l-.4 2.4h3.5c.8 0 1.3.7 1.1 1.5l-1 4.6c-.1.6-.6 1-1.2 1H5.5zM5.5 7.2H2.5v6.2h3",
  bad: "M5.5 8.8L8 13.7c1 0 1.6-.7 1.6-1.6l-.4-2.4h3.5c.8 0 1.3-.7 1.1-1.5l-1-4.6c-.1-.6-.6-1-1.2-1H5.5zM5.5 8.8H2.5V2.6h3",
  again: "M13 8a5 5 0 1 1-1.6-3.7M13 2v3H10",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h7",
};

function icon(name, size = 14) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  const attributes = { width: size, height: size, viewBox: "0 0 16 16", fill: "none", "aria-hidden": "true" };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  const stroke = { d: SHAPES[name] ?? SHAPES.bash, stroke: "currentColor", "stroke-width": 1.15, "stroke-linecap": "round", "stroke-linejoin": "round" };
  for (const [key, value] of Object.entries(stroke)) path.setAttribute(key, value);
  svg.append(path);
  return svg;
}

function iconButton(name, label, onClick) {
  const button = h("button", { type: "button", "aria-label": label, title: label }, icon(name, 16));
  if (onClick) button.addEventListener("click", () => onClick(button));
  return button;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/* ---- Markdown: a simple subset, parsed to plain blocks and then painted as differences ---- */

function blocksOf(source) {
  const blocks = [];
  let open = null;
  let fence = null;
  for (const line of source.split("\n")) {
    if (fence) {
      if (line.trim().startsWith(fence.mark) && !line.trim().slice(3).trim()) fence = null;
      else fence.lines.push(line);
      continue;
    }
    const start = /^(```|~~~)\s*([\w+-]*)\s*$/.exec(line);
    const heading = /^(#{1,4}) +(.*)$/.exec(line);
    const item = /^\s*(?:([-*])|(\d+)\.) +(.*)$/.exec(line);
    if (start) {
      fence = { type: "pre", mark: start[1], lang: start[2], lines: [] };
      blocks.push(fence);
      open = null;
    } else if (heading) {
      blocks.push({ type: `h${Math.max(2, heading[1].length)}`, text: heading[2] });
      open = null;
    } else if (/^\|.*\|$/.test(line)) {
      if (open?.type !== "table") blocks.push((open = { type: "table", rows: [] }));
      if (!/^[|: -]+$/.test(line)) open.rows.push(line.slice(1, -1).split("|"));
    } else if (item) {
      const type = item[1] ? "ul" : "ol";
      if (open?.type !== type) blocks.push((open = { type, items: [] }));
      open.items.push(item[3]);
    } else if (!line.trim()) {
      open = null;
    } else if (open?.items) {
      open.items[open.items.length - 1] += ` ${line.trim()}`;
    } else if (open) {
      open.text += `\n${line}`;
    } else {
      blocks.push((open = { type: "p", text: line }));
    }
  }
  return blocks;
}

function inlinesOf(text) {
  const pieces = [];
  let from = 0;
  for (const match of text.matchAll(/`([^`]+)`|\*\*([^*]+)\*\*|(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g)) {
    if (match.index > from) pieces.push({ tag: null, text: text.slice(from, match.index) });
    const tag = match[1] !== undefined ? "code" : match[2] !== undefined ? "strong" : "em";
    pieces.push({ tag, text: match[1] ?? match[2] ?? match[3] });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ tag: null, text: text.slice(from) });
  return pieces;
}

/* A list of children that is brought up to date by index: equal kind, update; else replace. */
class Children {
  constructor(parent) {
    this.parent = parent;
    this.made = [];
  }

  update(wanted, make) {
    wanted.forEach((item, index) => {
      const old = this.made[index];
      if (old && old.type === item.type) return old.update(item);
      const made = make(item);
      made.type = item.type;
      made.update(item);
      if (old) this.parent.replaceChild(made.node, old.node);
      else this.parent.appendChild(made.node);
      this.made[index] = made;
    });
    for (const extra of this.made.splice(wanted.length)) this.parent.removeChild(extra.node);
  }
}

function makeInline(piece) {
  if (piece.type === "plain") {
    const node = document.createTextNode("");
    return { node, update: ({ text }) => { if (node.nodeValue !== text) node.nodeValue = text; } };
  }
  const node = h(piece.type);
  return { node, update: ({ text }) => setText(node, text) };
}

function inlineChildren(node) {
  const children = new Children(node);
  let seen = null;
  return (text) => {
    if (text === seen) return;
    seen = text;
    children.update(inlinesOf(text).map((piece) => ({ type: piece.tag ?? "plain", text: piece.text })), makeInline);
  };
}

function makeBlock(block) {
  if (block.type === "pre") {
    const lang = h("span");
    const code = h("code");
    const button = h("button", { type: "button" }, LABELS.copy);
    button.addEventListener("click", async () => {
      if (!(await copy(code.textContent))) return;
      setText(button, LABELS.copied);
      setTimeout(() => setText(button, LABELS.copy), 1200);
    });
    const node = h("div", { class: "demo-code" }, h("div", { class: "demo-code-bar" }, lang, button), h("pre", { tabindex: "0" }, code));
    return { node, update: (next) => { setText(lang, next.lang || "text"); setText(code, next.lines.join("\n")); } };
  }
  if (block.type === "table") {
    const body = h("tbody");
    const rows = new Children(body);
    const makeCell = (cell) => {
      const node = h(cell.type);
      const paint = inlineChildren(node);
      return { node, update: ({ text }) => paint(text) };
    };
    const makeRow = () => {
      const node = h("tr");
      const cells = new Children(node);
      return { node, update: (row) => cells.update(row.cells.map((text) => ({ type: row.cell, text: text.trim() })), makeCell) };
    };
    const asRow = (cells, index) => ({ type: "tr", cells, cell: index ? "td" : "th" });
    return { node: h("div", { class: "demo-table" }, h("table", {}, body)), update: (next) => rows.update(next.rows.map(asRow), makeRow) };
  }
  const node = h(block.type);
  if (block.items) {
    const list = new Children(node);
    const makeItem = () => {
      const item = h("li");
      const paint = inlineChildren(item);
      return { node: item, update: ({ text }) => paint(text) };
    };
    return { node, update: ({ items }) => list.update(items.map((text) => ({ type: "li", text })), makeItem) };
  }
  const paint = inlineChildren(node);
  return { node, update: ({ text }) => paint(text) };
}

function markdown(extraClass = "") {
  const element = h("div", { class: `demo_markdown_ ${extraClass}`.trim() });
  const children = new Children(element);
  return { element, update: ({ text }) => children.update(blocksOf(text), makeBlock) };
}

/* ---- Rows ---- */

const firstLine = (text) => text.trimStart().split("\n", 1)[0];
function latestLine(text) {
  const seen = text.trimEnd();
  return seen.slice(seen.lastIndexOf("\n") + 1);
}

/* The one-line row that Think, context and tool rows share. Open, a body stands after it; only a tool
   row keeps its summary then. */
function expandable({ attributes, lead, title, holder, body, keepsSummary = false, onToggle = () => {} }) {
  const idle = h("span", { class: "demo-lead-idle" }, lead);
  const leading = h("span", { class: "demo-lead" }, idle, icon("chevron"));
  const name = h("span", { class: "demo-line-title" }, title);
  const separator = h("span", { class: "demo-line-sep", "aria-hidden": "true" });
  const summary = h("span", { class: "demo-line-summary" });
  const row = h("div", {
    class: "demo-line", ...attributes, "data-expandable": "true", role: "button", tabindex: "0", "aria-expanded": "false",
  }, leading, name, separator, summary);
  const line = { row, idle, leading, name, summary, opened: null };

  function toggle() {
    if (line.opened) {
      holder().removeChild(line.opened.element);
      line.opened = null;
      if (!keepsSummary) row.append(separator, summary);
    } else {
      if (!keepsSummary) [separator, summary].forEach((element) => row.removeChild(element));
      line.opened = body();
      holder().appendChild(line.opened.element);
    }
    row.setAttribute("aria-expanded", String(line.opened !== null));
    onToggle(line.opened !== null);
  }
  line.close = () => line.opened && toggle();
  row.addEventListener("click", toggle);
  row.addEventListener("keydown", (event) => {
    if (event.target !== row || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    toggle();
  });
  return line;
}

function plainBody(text) {
  const element = h("div", { class: "demo-fold-body" });
  setText(element, text);
  return { element, update: (next) => setText(element, next) };
}

function thinkPart(part) {
  const fold = h("div", { class: "demo-fold" });
  const line = expandable({
    attributes: { "data-disclosure-row": "true" }, lead: icon("think"), title: "Think",
    holder: () => fold, body: () => shape.thinkBody(part.text), onToggle: (open) => shape.markThink(element, fold, open),
  });
  fold.append(shape.thinkHead(line.row));
  const element = h("div", { class: "demo-think", "data-variant": "think", "data-state": part.state }, fold);
  shape.markThink(element, fold, false);
  const mark = unseen(LABELS.running);
  let frame = 0;
  let scrolled = false;
  function scrollSummary() { // the end of the latest line, at most once a frame
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      scrolled = part.state === "running";
      line.summary.scrollLeft = scrolled ? line.summary.scrollWidth : 0;
    });
  }
  return {
    element,
    close: line.close,
    update() {
      const running = part.state === "running";
      setAttribute(element, "data-state", part.state);
      if (running && !mark.parentNode) element.insertBefore(mark, fold);
      if (!running && mark.parentNode) element.removeChild(mark);
      setText(line.summary, running ? latestLine(part.text) : firstLine(part.text));
      setAttribute(line.summary, "data-at-end", running ? "true" : null);
      line.opened?.update(part.text);
      if (running || scrolled) scrollSummary();
    },
  };
}

function textPart(part) {
  const prose = markdown();
  return { element: prose.element, update: () => prose.update(part) };
}

function stepBody(node) {
  const body = h("div", { class: "demo-step-body" });
  const element = h("div", { class: "demo-step" }, body);
  const parts = [];
  return {
    element,
    close: () => parts.forEach((part) => part.close?.()),
    lastSeat: () => parts.at(-1).seat,
    update() {
      setAttribute(element, "data-streaming", node.streaming ? "true" : null);
      node.parts.forEach((part, index) => {
        if (!parts[index]) {
          parts[index] = part.type === "think" ? thinkPart(part) : textPart(part);
          parts[index].seat = shape.seatPart(part, parts[index].element);
          body.appendChild(parts[index].seat);
        } else if (parts[index].version === part.version) {
          return;
        }
        parts[index].version = part.version;
        parts[index].update();
      });
    },
  };
}

function toolCardBody(node) {
  const input = h("div", {}, node.input ?? node.summary ?? node.tool);
  const output = h("div");
  const element = h("div", { class: "demo-card-body" }, input);
  const update = () => {
    if (node.output) setText(output, node.output);
    if (node.output && !output.parentNode) element.appendChild(output);
  };
  update();
  return { element, update };
}

function toolBody(node) {
  const card = h("div", { class: "demo-card" });
  const variant = node.variant ?? node.tool.toLowerCase();
  const line = expandable({
    attributes: { "data-variant": variant, "data-state": node.state }, lead: icon(variant), title: node.tool,
    holder: () => card, body: () => toolCardBody(node), keepsSummary: true,
  });
  card.append(line.row);
  const symbol = line.idle.firstChild;
  const dot = h("span", { class: "demo-dot", "data-state": "error", "aria-hidden": "true" });
  const marks = { running: unseen(LABELS.running), error: unseen(LABELS.failed) };
  return {
    element: h("div", { class: "demo-call", "data-chat-anchor-key": `call:${node.id}`, "data-chat-call-id": node.id }, slot("tool.call.toolview", card)),
    update() {
      setAttribute(line.row, "data-state", node.state);
      const lead = node.state === "error" ? dot : symbol;
      if (line.idle.firstChild !== lead) line.idle.replaceChild(lead, line.idle.firstChild);
      for (const [state, mark] of Object.entries(marks)) {
        if (state === node.state && !mark.parentNode) line.row.insertBefore(mark, line.name);
        if (state !== node.state && mark.parentNode) line.row.removeChild(mark);
      }
      setText(line.summary, node.summary ?? "");
      line.opened?.update();
    },
  };
}

function contextBody(node) {
  const fold = h("div", { class: "demo-fold" });
  const line = expandable({
    attributes: { "data-disclosure-row": "true" }, lead: icon("context"), title: LABELS.context,
    holder: () => fold, body: () => plainBody(node.text ?? node.source),
  });
  line.summary.setAttribute("data-context-source", "true");
  setText(line.summary, node.source);
  fold.append(line.row);
  return { element: fold, update() {} };
}

function saidBody(node) {
  const tools = h("div", { class: "demo-tools" },
    node.time ? h("time", {}, node.time) : null, iconButton("copy", LABELS.copy, () => copy(node.text)));
  const element = h("div", { class: `demo-said demo-said-${node.kind}` }, h("div", { class: "demo-bubble" }, node.text), tools);
  return { element, update() {} };
}

function tailBody(node) {
  const rated = (button) => setAttribute(button, "aria-pressed", button.getAttribute("aria-pressed") !== "true");
  const good = iconButton("good", LABELS.good, rated);
  const bad = iconButton("bad", LABELS.bad, rated);
  for (const button of [good, bad]) button.setAttribute("aria-pressed", "false");
  const about = [node.time, node.took && LABELS.took(node.took)].filter(Boolean).join(" · ");
  const tools = h("div", { class: "demo-tools" },
    iconButton("copy", LABELS.copy, () => copy(node.answer())), good, bad,
    about ? h("time", {}, about) : null);
  return { element: h("div", { class: "demo-tail", "data-turn-tail": node.turn }, tools), update() {} };
}

function otherBody(node) {
  const title = LABELS.kinds[node.kind] ?? node.kind;
  const text = node.text ?? "";
  if (node.kind === "compaction" || node.kind === "manual-compaction") {
    return { element: h("div", { class: "demo-divider" }, h("span", {}, text || title)), update() {} };
  }
  if (node.kind === "command") return { element: h("div", { class: "demo-command" }, text), update() {} };
  const bad = node.kind === "turn-error" || node.kind === "turn-max-tokens";
  return { element: h("div", { class: `demo-notice${bad ? " demo-notice-bad" : ""}` }, h("div", {}, h("b", {}, title), text)), update() {} };
}

/* The row that tells how a turn ended and folds it: an empty slot until then. */
function processBody() {
  const seat = slot("conversation.chat.node");
  const status = h("span", { class: "demo-unseen", role: "status", "aria-live": "polite", "aria-atomic": "true" });
  const label = h("span", { class: "demo-process-label" });
  const button = h("button", { class: "demo-process", type: "button" }, label, icon("chevron"));
  let onToggle = null;
  button.addEventListener("click", () => onToggle());
  return {
    seat,
    update() {},
    show(turn, toggle) {
      onToggle = toggle;
      if (!turn.tail) return seat.replaceChildren();
      const stopped = turn.tail.ended === "stopped";
      setText(status, stopped ? LABELS.stopped : LABELS.completed());
      setText(label, stopped ? LABELS.stopped : LABELS.completed(turn.tail.took));
      setAttribute(button, "data-turn-process", turn.number);
      setAttribute(button, "data-turn-process-messages", turn.messages);
      setAttribute(button, "data-turn-process-tool-calls", turn.tools);
      setAttribute(button, "data-turn-process-subagents", "0");
      setAttribute(button, "disabled", turn.foldable ? null : "");
      setAttribute(button, "data-open", turn.folded ? null : "true");
      setAttribute(button, "aria-expanded", turn.process.length > 0 ? String(!turn.folded) : null);
      if (!button.parentNode) seat.append(status, button);
    },
  };
}

const BODIES = {
  "assistant-step": stepBody, "tool-call": toolBody, "turn-tail": tailBody,
  user: saidBody, steering: saidBody, context: contextBody,
};

function mountRow(node) {
  const row = h("div", { class: "demo-row", ...shape.rowAttributes(node) });
  const mounted = {
    row,
    body: null,
    update() {
      if (node.parts?.length === 0) return; // a step that only calls tools: no child at all
      if (mounted.body) return mounted.body.update();
      const body = (mounted.body = (shape.bodies[node.kind] ?? otherBody)(node));
      body.update();
      row.appendChild(body.seat ?? slot("conversation.chat.node", body.element));
    },
  };
  mounted.update();
  return mounted;
}

/* ---- A session: its nodes, and the events that change them ---- */

const keyOf = (kind, id) => `${kind.length}:${kind}${id}`;
const turnOfStep = (id) => Number(id.split(":", 1)[0]);
let counter = 0;
const newId = () => globalThis.crypto?.randomUUID?.() ?? `m-${Date.now().toString(16)}-${(counter += 1)}`;

/* A user event's turn is that of the first step or tail after it, if one comes before the next user. */
function numbered(events) {
  let turn;
  const back = events.toReversed().map((event) => {
    if (event.step) turn = turnOfStep(event.step);
    if (event.tail) turn = event.tail;
    if (!("user" in event)) return event;
    const made = { ...event, turn: event.turn ?? turn };
    turn = undefined;
    return made;
  });
  return back.reverse();
}

class Session {
  constructor({ id = "", title = "", age = "", notes = "" } = {}) {
    Object.assign(this, { id, title, age, notes });
    this.view = null;
    this.live = null;
    this.replay = null;
    this.clear();
  }

  clear() {
    this.nodes = [];
    this.byKey = new Map();
    this.olderPages = [];
    this.running = false;
    this.turn = 0;
    this.partsMade = 0;
  }

  reset() {
    this.stop();
    this.clear();
    this.view?.rebuild();
  }

  apply(event) {
    const name = Object.keys(EVENTS).find((known) => known in event);
    if (!name) throw new Error(`demo: unknown event ${JSON.stringify(event)}`);
    EVENTS[name](this, event);
  }

  applyAll(events) {
    for (const event of numbered(events)) this.apply(event);
  }

  add(node) {
    node.turn ??= this.turn;
    if (this.byKey.has(node.key)) throw new Error(`demo: a second row with the key ${node.key}`);
    this.nodes.push(node);
    this.byKey.set(node.key, node);
    this.view?.insertAll([node], null);
    return node;
  }

  changed(node) {
    this.view?.update(node);
  }

  get(key) {
    const node = this.byKey.get(key);
    if (!node) throw new Error(`demo: no row with the key ${key}`);
    return node;
  }

  remove(key) {
    const node = this.get(key);
    this.nodes.splice(this.nodes.indexOf(node), 1);
    this.byKey.delete(key);
    this.view?.remove(node);
  }

  setRunning(running) {
    if (this.running === running) return;
    this.running = running;
    this.view?.updateStatus();
  }

  /* From here on, rows belong to this turn. */
  enterTurn(turn) {
    if (turn <= this.turn) return;
    this.turn = turn;
    const key = keyOf("turn-process", turn);
    if (shape.processRows && !this.byKey.has(key)) this.add({ kind: "turn-process", key });
  }

  said(kind, text, event) {
    this.settle();
    const turn = kind === "user" ? event.turn ?? this.turn + 1 : this.turn;
    this.add({ kind, key: keyOf("input-message", event.id ?? newId()), text, source: text, time: event.time, turn });
    this.enterTurn(turn);
    if (kind !== "context") this.setRunning(true);
  }

  /* The rows that a step has. */
  stepNodes(id) {
    return shape.stepKeys(id).map((key) => this.byKey.get(key)).filter(Boolean);
  }

  /* As stepNodes; a step without a row is an error where each has one. */
  knownStep(id) {
    const nodes = this.stepNodes(id);
    if (nodes.length === 0 && shape.emptySteps) this.get(keyOf("assistant-step", id));
    return nodes;
  }

  /* The row of a step that shows parts of this type. */
  stepNode(id, type) {
    const key = shape.partKey(id, type);
    const node = { kind: "assistant-step", key, turn: turnOfStep(id), step: id, type, parts: [], streaming: false };
    return this.byKey.get(key) ?? this.add(node);
  }

  /* Begins the step when it is first named. A new step ends the one before it. */
  step(id) {
    if (this.stepNodes(id).length > 0) return;
    this.settle();
    this.enterTurn(turnOfStep(id));
    this.setRunning(true);
    if (shape.emptySteps) this.stepNode(id);
  }

  lastPart(id) {
    const ends = this.knownStep(id).filter((node) => node.parts.length > 0).map((node) => ({ node, part: node.parts.at(-1) }));
    return ends.sort((one, other) => other.part.order - one.part.order)[0];
  }

  addPart(id, type, text, state = "ok") {
    this.step(id);
    const last = this.lastPart(id);
    if (last?.part.state === "running") this.endPart(last.part);
    this.stepNode(id, type).parts.push({ type, text, state, version: 1, order: (this.partsMade += 1) });
    for (const node of this.stepNodes(id)) {
      node.streaming = state === "running";
      this.changed(node);
    }
  }

  append(id, text) {
    const last = this.lastPart(id);
    if (!last) throw new Error(`demo: step ${id} has no part to append to`);
    last.part.text += text;
    last.part.version += 1;
    this.changed(last.node);
  }

  endPart(part) {
    part.state = "ok";
    part.version += 1;
  }

  /* A thought has ended and its step streams on. */
  endThink(id) {
    const last = this.lastPart(id);
    if (last?.part.state !== "running") return;
    this.endPart(last.part);
    this.changed(last.node);
  }

  settle(id) {
    const nodes = id === undefined ? this.nodes.slice(-12) : this.knownStep(id);
    for (const node of nodes) {
      if (node.kind !== "assistant-step" || (!node.streaming && !node.parts.some((part) => part.state === "running"))) continue;
      node.streaming = false;
      node.parts.filter((part) => part.state === "running").forEach((part) => this.endPart(part));
      this.changed(node);
    }
  }

  answer(tail) {
    const before = this.nodes.slice(0, this.nodes.indexOf(tail)).reverse();
    const step = before.find((node) => node.parts?.some((part) => part.type === "text"));
    return step ? step.parts.filter((part) => part.type === "text").map((part) => part.text).join("\n\n") : "";
  }

  loadOlder() {
    const page = this.olderPages.pop();
    if (!page) return;
    const scratch = new Session();
    scratch.applyAll(page);
    const first = this.nodes[0] ?? null;
    for (const node of scratch.nodes) this.byKey.set(node.key, node);
    this.nodes.unshift(...scratch.nodes);
    this.view?.prepend(scratch.nodes, first);
  }

  /* -- The replay -- */

  stop() {
    this.replay?.stop();
    this.replay = null;
  }

  async play(events, { speed = SPEED } = {}) {
    this.stop();
    const replay = (this.replay = new Replay(this, speed));
    showState();
    const finished = await replay.run(events);
    if (this.replay === replay) this.replay = null;
    showState();
    return finished;
  }

  playLive() {
    this.stop();
    const keep = this.nodes.indexOf(this.live.after) + 1;
    for (const node of this.nodes.slice(keep).reverse()) this.remove(node.key);
    this.turn = this.live.after?.turn ?? 0;
    this.setRunning(false);
    return this.play(this.live.events);
  }
}

const EVENTS = {
  row: (session, event) => session.add({ kind: event.row, key: keyOf(event.row, event.id ?? newId()), text: event.text }),
  remove: (session, event) => session.remove(event.remove),
  remount: (session, event) => session.view?.remount(session.get(event.remount)),
  append: (session, event) => session.append(event.step, event.append),
  "step-state": (session, event) => session.settle(event.step),
  "tool-state": (session, event) => {
    const node = session.get(keyOf("tool-call", event.id));
    node.state = event["tool-state"];
    if (event.output !== undefined) node.output = event.output;
    session.changed(node);
  },
  tool: (session, { tool, id, summary, state = "ok", variant, input, output }) => {
    session.settle();
    session.enterTurn(session.turn || 1);
    session.add({ kind: "tool-call", key: keyOf("tool-call", id), id, tool, summary, state, variant, input, output });
    session.setRunning(true);
  },
  think: (session, event) => session.addPart(event.step, "think", event.think, event.state),
  user: (session, event) => session.said("user", event.user, event),
  steering: (session, event) => session.said("steering", event.steering, event),
  context: (session, event) => {
    session.said("context", event.context, event);
    session.nodes.at(-1).text = event.text;
  },
  empty: (session, event) => void session.step(event.step),
  tail: (session, event) => {
    session.settle();
    session.enterTurn(event.tail);
    const node = { kind: "turn-tail", key: keyOf("turn-tail", event.tail), turn: event.tail, time: event.time, took: event.took, ended: event.ended ?? "completed" };
    node.answer = () => session.answer(node);
    session.add(node);
    session.setRunning(false);
  },
  text: (session, event) => session.addPart(event.step, "text", event.text, event.state), // after row and context: they too may have a text
  wait: () => {},
};

/* Plays events with pauses: text grows a few characters at a time, tools take their time. */
class Replay {
  constructor(session, speed) {
    Object.assign(this, { session, speed, stopped: false, wake: null });
    this.chunk = Math.max(1, Math.round(5 * Math.max(1, speed)));
    this.tick = 32 / Math.min(1, speed);
  }

  stop() {
    this.stopped = true;
    this.wake?.();
  }

  pause(ms) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  rest(ms) {
    return this.pause(ms / this.speed);
  }

  async run(events) {
    for (const event of numbered(events)) {
      if (this.stopped) return false;
      await this.one(event);
    }
    return !this.stopped;
  }

  async one(event) {
    const { session } = this;
    const streamed = "think" in event ? "think" : "text" in event && "step" in event ? "text" : null;
    if (streamed) return this.stream(event, streamed, event[streamed]);
    if ("append" in event) return this.grow(event.step, Array.from(event.append), 0);
    if ("wait" in event) return this.rest(event.wait);
    if ("tool-state" in event) await this.rest(event.takes ?? 0);
    if (this.stopped) return;
    if (!("tool" in event)) {
      session.apply(event);
      return this.rest("user" in event ? 700 : 120);
    }
    session.apply({ ...event, state: "running", output: undefined });
    if (event.state === "running") return this.rest(150);
    await this.rest(event.takes ?? 600);
    if (this.stopped) return;
    session.apply({ "tool-state": event.state ?? "ok", id: event.id, output: event.output });
    await this.rest(260);
  }

  async stream(event, name, text) {
    const letters = Array.from(text);
    this.session.apply({ ...event, [name]: letters.slice(0, this.chunk).join(""), state: "running" });
    await this.pause(this.tick);
    await this.grow(event.step, letters, this.chunk);
    if (this.stopped) return;
    if (event.state !== "running" && name === "think") this.session.endThink(event.step);
    await this.rest(220);
  }

  async grow(step, letters, from) {
    for (let at = from; at < letters.length && !this.stopped; at += this.chunk) {
      this.session.apply({ append: letters.slice(at, at + this.chunk).join(""), step });
      await this.pause(this.tick);
    }
  }
}

/* ---- The views ---- */

/* Follows the bottom. The ledger is the scrollTop written last: a scroll event at that position is our
   own; any other is the reader's, except where the browser only clamped to a shorter page. */
class Follow {
  constructor(port) {
    this.port = port;
    this.following = true;
    this.ledger = 0;
    port.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.observer = new ResizeObserver(() => {
      if (this.following) this.toFloor();
    });
  }

  watch(flow) {
    this.observer.disconnect();
    if (!flow) return;
    this.observer.observe(flow);
    this.observer.observe(this.port);
    this.following = true;
    this.toFloor();
  }

  write(top) {
    this.port.scrollTop = top;
    this.ledger = this.port.scrollTop;
  }

  toFloor() {
    this.write(this.port.scrollHeight);
  }

  scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.port;
    if (Math.abs(scrollTop - this.ledger) < 1) return;
    const floor = scrollHeight - clientHeight;
    if (this.ledger > floor + 1 && scrollTop >= floor - 1) {
      this.ledger = scrollTop;
      return;
    }
    this.following = floor - scrollTop <= NEAR_FLOOR;
  }
}

class ChatView {
  constructor(session, follow) {
    Object.assign(this, { session, follow, mounted: new Map() });
    this.element = h("div", { class: "demo-view" });
    this.rebuild();
  }

  /* A fresh flow with every row of the session. */
  rebuild() {
    this.mounted.clear();
    this.status = null;
    this.olderSeat = null;
    this.flow = h("div", { class: "demo-flow", "data-chat-flow": "" });
    this.rows = this.makeRows();
    this.insertAll(this.session.nodes, null);
    this.updateOlder();
    this.updateStatus();
    this.element.replaceChildren(h("div", { class: "demo-view-pad" }, this.flow));
    if (this.element.isConnected) this.follow.watch(this.flow);
  }

  /* The rows' parent. */
  makeRows() {
    return this.flow;
  }

  insertAll(nodes, before) {
    const next = before ? this.mounted.get(before).row : this.status;
    for (const node of nodes) {
      const made = mountRow(node);
      this.mounted.set(node, made);
      if (next) this.rows.insertBefore(made.row, next);
      else this.rows.appendChild(made.row);
    }
  }

  update(node) {
    this.mounted.get(node).update();
  }

  remove(node) {
    this.flow.removeChild(this.mounted.get(node).row);
    this.mounted.delete(node);
  }

  remount(node) {
    const made = mountRow(node);
    this.flow.replaceChild(made.row, this.mounted.get(node).row);
    this.mounted.set(node, made);
  }

  updateStatus() {
    if (this.session.running && !this.status) {
      this.status = shape.status();
      this.rows.appendChild(this.status);
    } else if (!this.session.running && this.status) {
      this.rows.removeChild(this.status);
      this.status = null;
    }
  }

  updateOlder() {
    const wanted = this.session.olderPages.length > 0;
    if (wanted && !this.olderSeat) {
      const button = h("button", { type: "button" }, LABELS.older);
      button.addEventListener("click", () => {
        button.disabled = true;
        setText(button, LABELS.loading);
        setTimeout(() => {
          if (button.isConnected) this.session.loadOlder();
        }, 160 / SPEED);
      });
      this.olderSeat = h("div", { class: "demo-older" }, button);
      this.flow.insertBefore(this.olderSeat, this.flow.firstChild);
    } else if (!wanted && this.olderSeat) {
      this.flow.removeChild(this.olderSeat);
      this.olderSeat = null;
    } else if (this.olderSeat) {
      const button = this.olderSeat.firstChild;
      button.disabled = false;
      setText(button, LABELS.older);
    }
  }

  /* Older rows come in above; the first visible anchor row stays where it is on the screen. */
  prepend(nodes, first) {
    const { port } = this.follow;
    const edge = port.getBoundingClientRect().top;
    let anchor = null;
    let top = 0;
    for (const element of this.flow.querySelectorAll(shape.anchors)) {
      const box = element.getBoundingClientRect();
      if (box.height === 0 || box.bottom <= edge) continue;
      anchor = element.getAttribute("data-chat-anchor-key");
      top = box.top;
      break;
    }
    this.insertAll(nodes, first);
    this.updateOlder();
    if (anchor === null) return;
    const moved = this.flow.querySelector(`[data-chat-anchor-key="${CSS.escape(anchor)}"]`).getBoundingClientRect().top - top;
    this.follow.write(port.scrollTop + moved);
  }
}

/* The 0.2 flow: thoughts and tools between two texts are in a group, and a turn that has ended with an
   answer is folded. A span is the nodes of one turn that follow each other; `arrange` brings a span's rows
   and groups to their places and their attributes up to date, and changes nothing that is right already. */

const isGrouped = (node) => node.kind === "tool-call" || node.type === "think";
const isStep = (node) => node.kind === "tool-call" || node.kind === "assistant-step";
const NO_MEMBERS = new Set(["user", "steering", "turn-process", "turn-tail", "turn-error", "turn-max-tokens"]);
const isMember = (node) => !NO_MEMBERS.has(node.kind);
const isRunning = (node) => node.state === "running" || Boolean(node.parts?.some((part) => part.state === "running"));
const nodeKey = (node) => (node.step ? keyOf("assistant-step", node.step) : node.key);
const groupKey = (first) => JSON.stringify(["process", nodeKey(first), first.type === "think" ? "reasoning" : null]);
const untilFound = (hidden) => (hidden ? "until-found" : null);

class Group {
  constructor(first, onToggle) {
    this.key = groupKey(first);
    this.open = false;
    this.placed = false;
    this.nodes = [];
    const id = `demo-group-${(counter += 1)}`;
    this.icon = h("span", { "data-step-process-icon": "true" });
    this.label = h("span", { class: "demo-group-label" });
    this.button = h("button", { class: "demo-group-button", type: "button", "aria-expanded": "false", "aria-controls": id },
      h("span", { class: "demo-group-lead", "aria-hidden": "true" }, this.icon, h("span", { "data-step-process-chevron": "true" }, icon("chevron"))),
      this.label);
    this.head = h("div", {}, this.button);
    this.content = h("div", { class: "demo-group-content", "data-step-process-content": "true", "data-chat-flow": "" });
    this.body = h("div", { class: "demo-group-body", id, "data-step-process-body": "true" }, this.content);
    this.element = h("div", {
      class: "demo-group", "data-chat-group-key": this.key, "data-chat-flow-key": this.key, "data-chat-anchor-key": `group:${this.key}`,
      "data-chat-turn": first.turn || undefined, "data-step-process": "true",
    }, this.head, this.body);
    this.button.addEventListener("click", () => {
      this.open = !this.open;
      onToggle(first);
    });
  }

  updateLabel() {
    const tools = this.nodes.filter((node) => node.kind === "tool-call");
    const now = this.nodes.findLast(isRunning);
    const thinking = now ? now.kind !== "tool-call" : tools.length === 0;
    const shown = thinking ? "think" : "bash";
    if (this.shown !== shown) this.icon.replaceChildren(icon((this.shown = shown)));
    setAttribute(this.button, "data-process-activity", thinking ? "thinking" : "commands");
    setAttribute(this.button, "data-running", now ? "true" : null);
    if (thinking) setText(this.label, now ? LABELS.thinking : LABELS.thought);
    else setText(this.label, now ? [now.tool, now.summary].filter(Boolean).join(" · ") : LABELS.tools(tools.length));
  }

  mark(turn) {
    this.updateLabel();
    const closed = !turn.expanded && !this.open;
    setAttribute(this.button, "aria-expanded", String(!turn.expanded && this.open));
    setAttribute(this.element, "data-chat-paging-anchor", closed ? "true" : null);
    setAttribute(this.element, "data-group-expanded-mode", turn.expanded ? "true" : null);
  }

  hide(turn) {
    setAttribute(this.element, "hidden", untilFound(turn.folded));
    setAttribute(this.head, "hidden", turn.expanded ? "" : null);
    setAttribute(this.body, "hidden", untilFound(!turn.expanded && !this.open));
  }
}

class GroupedView extends ChatView {
  makeRows() {
    this.groups = new Map();
    this.unfolded = new Set(); // turns that the reader opened
    const rows = slot("conversation.chat.flow");
    this.flow.classList.add("demo-flow-grouped");
    this.flow.append(rows);
    this.flow.addEventListener("beforematch", (event) => this.reveal(event.target));
    return rows;
  }

  insertAll(nodes) {
    for (const node of nodes) this.mounted.set(node, mountRow(node));
    let span = [];
    for (const node of nodes.toReversed()) { // from the end: a span is put before the one after it
      if (!span.includes(node)) this.arrange((span = this.span(node)));
    }
  }

  update(node) {
    super.update(node);
    this.mounted.get(node).group?.updateLabel();
  }

  remove(node) {
    const { row, parent } = this.mounted.get(node);
    parent.removeChild(row);
    this.mounted.delete(node);
    if (node.kind === "turn-process") this.unfolded.delete(node.turn);
    const rest = this.session.nodes.findLast((other) => other.turn === node.turn);
    if (rest) this.arrange(this.span(rest));
    for (const [key, group] of this.groups) {
      if (group.nodes.some((member) => this.mounted.get(member)?.group === group)) continue;
      this.rows.removeChild(group.element);
      this.groups.delete(key);
    }
  }

  remount(node) {
    const old = this.mounted.get(node);
    const made = { ...mountRow(node), parent: old.parent, group: old.group };
    old.parent.replaceChild(made.row, old.row);
    this.mounted.set(node, made);
    this.arrange(this.span(node));
  }

  span(node) {
    const { nodes } = this.session;
    let from = nodes.lastIndexOf(node);
    let to = from + 1;
    while (from > 0 && nodes[from - 1].turn === node.turn) from -= 1;
    while (to < nodes.length && nodes[to].turn === node.turn) to += 1;
    return nodes.slice(from, to);
  }

  turnOf(span) {
    const number = span[0].turn;
    const tail = span.findLast((node) => node.kind === "turn-tail");
    const last = span.findLast(isStep);
    const answer = tail && tail.ended !== "stopped" && last?.type === "text" ? last : null;
    const process = span.slice(0, answer ? span.indexOf(answer) : span.length).filter(isMember);
    const foldable = answer !== null && process.length > 0;
    return {
      number, tail, answer, process, foldable,
      folded: foldable && !this.unfolded.has(number),
      expanded: DETAILED && !foldable,
      messages: span.filter((node) => node.type === "text" && node !== answer).length,
      tools: span.filter((node) => node.kind === "tool-call").length,
    };
  }

  arrange(span) {
    const turn = this.turnOf(span);
    const blocks = this.blocks(span);
    const groups = blocks.map((block) => block.group).filter(Boolean);
    const hidden = new Set(turn.folded ? turn.process : []);
    for (const node of span) this.markRow(node, turn, hidden.has(node));
    for (const group of groups) group.mark(turn);
    this.place(blocks, this.session.nodes[this.session.nodes.lastIndexOf(span.at(-1)) + 1]);
    for (const node of span) this.hideRow(node, hidden.has(node));
    for (const group of groups) group.hide(turn);
  }

  /* What stands in the flow itself: rows, and groups with their rows in them. */
  blocks(span) {
    const blocks = [];
    for (const node of span) {
      if (!isGrouped(node)) blocks.push({ node });
      else if (blocks.at(-1)?.nodes) blocks.at(-1).nodes.push(node);
      else blocks.push({ nodes: [node] });
    }
    for (const block of blocks) {
      if (block.nodes) block.group = this.fill(block.nodes);
    }
    return blocks;
  }

  fill(nodes) {
    const key = groupKey(nodes[0]);
    const group = this.groups.get(key) ?? new Group(nodes[0], (first) => this.arrange(this.span(first)));
    this.groups.set(key, group);
    group.nodes = nodes;
    let next = null;
    for (const node of nodes.toReversed()) {
      let made = this.mounted.get(node);
      if (made.group && made.group !== group) { // its group has another key now: a new element there
        made.parent.removeChild(made.row);
        this.mounted.set(node, (made = mountRow(node)));
      }
      if (!made.group) group.content.insertBefore(made.row, next);
      Object.assign(made, { group, parent: group.content });
      next = made.row;
    }
    return group;
  }

  place(blocks, after) {
    const follower = after && this.mounted.get(after);
    let next = follower ? (follower.group ?? follower).element ?? follower.row : this.status;
    for (const { node, group } of blocks.toReversed()) {
      const made = node && this.mounted.get(node);
      const element = group ? group.element : made.row;
      if (!(group ? group.placed : made.parent)) this.rows.insertBefore(element, next);
      if (group) group.placed = true;
      else made.parent = this.rows;
      next = element;
    }
  }

  markRow(node, turn, hidden) {
    const { row, body } = this.mounted.get(node);
    body?.show?.(turn, () => this.toggle(node));
    setAttribute(row, "data-turn-process-hidden", hidden ? "true" : null);
    setAttribute(row, "data-turn-process-member", isMember(node) && node !== turn.answer ? "true" : null);
    setAttribute(row, "data-turn-process-answer", turn.folded && node === turn.answer ? "true" : null);
    if (node.type === "think" && body) { // of the answer's own step, the thought too
      setAttribute(body.lastSeat(), "data-turn-process-inline", hidden && node.step === turn.answer.step ? "true" : null);
    }
  }

  hideRow(node, hidden) {
    const { row, body } = this.mounted.get(node);
    const seat = body?.lastSeat?.();
    if (seat && node.type === "think") setAttribute(seat, "hidden", untilFound(seat.hasAttribute("data-turn-process-inline")));
    setAttribute(row, "hidden", untilFound(hidden));
  }

  toggle(node) {
    const span = this.span(node);
    if (!this.unfolded.delete(node.turn)) this.unfolded.add(node.turn);
    else span.forEach((each) => this.close(each));
    this.arrange(span);
  }

  close(node) {
    const { group, body } = this.mounted.get(node);
    if (group) group.open = false;
    body?.close?.();
  }

  /* The browser has found text in something that is hidden. */
  reveal(target) {
    for (const [node, { row, group }] of this.mounted) {
      if (!(group?.element ?? row).contains(target)) continue;
      this.unfolded.add(node.turn);
      if (group && target !== group.element) group.open = true;
      this.arrange(this.span(node));
      return;
    }
  }
}

/* ---- The two shapes: everything that a row, a step or the flow has differently ---- */

const wrapped = (element) => h("div", {}, element);

const GENERATIONS = {
  "0.1": {
    View: ChatView,
    bodies: BODIES,
    anchors: "[data-chat-anchor-key]",
    emptySteps: true, // a step that only calls tools has a row
    processRows: false,
    stepKeys: (id) => [keyOf("assistant-step", id)],
    partKey: (id) => keyOf("assistant-step", id),
    rowAttributes: (node) => ({ "data-chat-anchor-key": node.key, "data-chat-flow-key": node.key, "data-chat-flow-kind": node.kind }),
    seatPart: (part, element) => element,
    thinkHead: (row) => row,
    thinkBody: plainBody,
    markThink() {},
    status: () => h("div", { class: "demo-status", role: "status", "aria-live": "polite" }, LABELS.working),
  },
  "0.2": {
    View: GroupedView,
    bodies: { ...BODIES, "turn-process": processBody },
    anchors: "[data-chat-paging-anchor]:not([hidden], [hidden] *)",
    emptySteps: false,
    processRows: true,
    stepKeys: (id) => ["think", "text"].map((type) => shape.partKey(id, type)),
    partKey(id, type) {
      const key = keyOf("assistant-step", id);
      return type === "think" ? JSON.stringify([key, "reasoning"]) : key;
    },
    rowAttributes: (node) => ({
      "data-chat-anchor-key": node.key, "data-chat-flow-key": node.key,
      "data-chat-paging-anchor": node.kind !== "turn-process" && "true",
      "data-chat-node-key": nodeKey(node),
      "data-chat-group-part": node.step && (node.type === "think" ? "reasoning" : "response"),
      "data-chat-flow-kind": node.kind,
      "data-chat-turn": node.turn || undefined,
      "data-turn-process-member": isMember(node) && "true",
    }),
    seatPart: (part, element) => (part.type === "think" ? wrapped(element) : element),
    thinkHead: (row) => h("div", { "data-disclosure-header": "true" }, row),
    thinkBody(text) {
      const prose = markdown();
      prose.element.setAttribute("data-markdown-variant", "compact");
      const update = (next) => prose.update({ text: next });
      update(text);
      return { element: h("div", { class: "demo-fold-body" }, slot("conversation.chat.reasoning.body", prose.element)), update };
    },
    markThink(element, fold, open) {
      setAttribute(fold, "data-open", open ? "true" : null);
      setAttribute(element, "data-expanded", open ? "true" : null);
      setAttribute(element, "data-preview", DETAILED && !open ? "true" : null);
    },
    status: () => h("div", { class: "demo-status", "data-chat-running": "true" }, h("span", { role: "status", "aria-live": "polite" }, LABELS.working)),
  },
};
const shape = GENERATIONS[query.get("generation")] ?? GENERATIONS["0.1"];

class NotesView {
  constructor(session) {
    const prose = markdown("demo-notes");
    prose.update({ text: session.notes ?? "" });
    this.element = h("div", { class: "demo-view" }, h("div", { class: "demo-view-pad" }, prose.element));
  }
}

/* ---- The page ---- */

const byId = (id) => document.getElementById(id);
const page = { sessions: [], current: null, viewName: "chat", shown: null, follow: null };

function show() {
  if (page.shown) byId("port").removeChild(page.shown.element);
  for (const session of page.sessions) session.view = null;
  const { current, viewName, follow } = page;
  page.shown = viewName === "chat" ? new shape.View(current, follow) : new NotesView(current);
  byId("port").insertBefore(page.shown.element, byId("port").firstElementChild);
  if (viewName === "chat") current.view = page.shown;
  follow.watch(viewName === "chat" ? page.shown.flow : null);
  if (viewName !== "chat") byId("port").scrollTop = 0;
  setText(byId("title"), current.title);
  for (const button of document.querySelectorAll(".demo-session")) {
    setAttribute(button, "aria-current", button.dataset.id === current.id ? "true" : null);
  }
  for (const tab of byId("tabs").children) {
    const selected = tab.dataset.view === viewName;
    setAttribute(tab, "aria-selected", String(selected));
    tab.tabIndex = selected ? 0 : -1;
  }
  showState();
}

function showState() {
  const { current } = page;
  setText(byId("state"), current.replay ? LABELS.playing : current.live ? LABELS.ended : LABELS.still);
  byId("again").hidden = !current.live;
}

function select(n) {
  const session = page.sessions[n];
  if (!session || session === page.current) return;
  page.current = session;
  show();
}

function view(name) {
  if (name === page.viewName) return;
  page.viewName = name;
  show();
}

function openSide(open) {
  setAttribute(byId("side"), "data-open", open ? "true" : null);
  byId("menu").setAttribute("aria-expanded", String(open));
}

function build() {
  document.documentElement.lang = LANG === "zh" ? "zh-CN" : "en";
  for (const element of document.querySelectorAll("[data-label]")) setText(element, LABELS[element.dataset.label]);

  const tabs = ["chat", "notes"].map((name) => {
    const tab = h("button", { type: "button", class: "demo-tab", role: "tab", "data-view": name }, LABELS[name]);
    tab.addEventListener("click", () => view(name));
    return tab;
  });
  byId("tabs").append(...tabs);
  byId("tabs").addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const other = tabs.find((tab) => tab.getAttribute("aria-selected") !== "true");
    other.click();
    other.focus();
  });

  byId("sessions").append(...page.sessions.map((session, n) => {
    const button = h("button", { type: "button", class: "demo-session", "data-id": session.id },
      h("span", { class: "demo-session-title" }, session.title), h("span", { class: "demo-session-age" }, session.age));
    button.addEventListener("click", () => {
      openSide(false);
      select(n);
    });
    return button;
  }));

  byId("menu").append(icon("menu", 18));
  byId("menu").setAttribute("aria-label", LABELS.menu);
  byId("menu").addEventListener("click", (event) => {
    event.stopPropagation();
    openSide(byId("menu").getAttribute("aria-expanded") !== "true");
  });
  document.addEventListener("click", (event) => {
    if (!byId("side").contains(event.target)) openSide(false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") openSide(false);
  });

  byId("again").append(icon("again", 15), LABELS.again);
  byId("again").addEventListener("click", () => {
    if (page.viewName !== "chat") view("chat");
    page.follow.following = true;
    page.current.playLive();
  });
  page.follow = new Follow(byId("port"));
}

/* ---- Loading ---- */

function generatedTurn(turn) {
  const files = ["cache.py", "router.py", "queue.py", "schema.sql", "settings.toml"];
  const file = files[turn % files.length];
  return [
    { user: `Check ${file} for leftovers (${turn}).`, id: `generated-${turn}` },
    { think: `I read ${file} first.\nThen I look for names that nothing uses.`, step: `${turn}:1` },
    { tool: "Read", id: `generated_${turn}_1`, summary: file, state: "ok" },
    { text: `\`${file}\` is short. I look for callers.`, step: `${turn}:2` },
    { tool: "Bash", id: `generated_${turn}_2`, summary: "Find callers", state: turn % 7 === 0 ? "error" : "ok" },
    { tool: "Bash", id: `generated_${turn}_3`, summary: "Run the tests", state: "ok" },
    { text: `Nothing in \`${file}\` is left over:\n\n- every name is used\n- the tests pass`, step: `${turn}:3` },
    { tail: turn },
  ];
}

/* Turn numbers in conversation.json begin at 1; generated turns come before them. */
function shifted(events, by) {
  if (!by) return events;
  return events.map((event) => {
    const moved = { ...event };
    if (event.step) moved.step = event.step.replace(/^\d+/, (turn) => Number(turn) + by);
    if (event.tail) moved.tail = event.tail + by;
    return moved;
  });
}

function load(session, turns, generated) {
  for (let turn = 1; turn <= generated; turn += 1) session.applyAll(generatedTurn(turn));
  for (const turn of turns) {
    const events = shifted(turn.events, generated);
    if (turn.live) session.live = { after: session.nodes.at(-1), events };
    else if (turn.older && !generated) session.olderPages.push(events);
    else session.applyAll(events);
  }
}

async function start() {
  const theme = query.get("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  const data = await (await fetch(new URL("conversation.json", import.meta.url))).json();
  page.sessions = data.sessions.map((session) => new Session(session));
  page.current = page.sessions[0];
  build();
  const paused = query.get("paused") === "1";
  const generated = Math.max(0, Math.floor(Number(query.get("turns")) || 0));
  data.sessions.forEach((session, n) => load(page.sessions[n], paused ? [] : session.turns, n === 0 ? generated : 0));
  show();
  if (!paused && page.current.live) setTimeout(() => page.sessions[0].live && !page.sessions[0].replay && page.sessions[0].playLive(), 900 / SPEED);
}

window.demo = {
  reset() {
    page.current.live = null;
    page.current.reset();
    showState();
  },
  async apply(events) {
    const session = page.current;
    for (const event of numbered(events)) {
      session.apply(event);
      await null;
    }
  },
  play: (events, options) => page.current.play(events, options),
  rows: () => page.current.nodes.map((node) => node.key),
  older(pages) {
    page.current.olderPages = [...pages];
    page.current.view?.updateOlder();
  },
  select,
  view,
  ready: start(),
};
