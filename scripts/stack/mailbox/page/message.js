import { follow, sendBack, unsubscribe } from "./buttons.js";
import { byId, bytes, call, el, fullTime, plural, shortTime } from "./dom.js";

/** What opening each message loaded, so that looking again does not count as another open. */
const opened = new Map();
/** The message on show: redrawing the same one would reload its frame. */
let shown = null;

export function forgetMessage() {
  shown = null;
}

/** Shows a message in the reader; false when it is gone. */
export async function showMessage(reader, id, thread, open) {
  const siblings = turnsOf(thread);
  const key = `${id} ${siblings.length}`;
  if (shown === key) return true;
  const isNew = shown?.split(" ")[0] !== id;
  shown = key;
  let message;
  try {
    message = await call("GET", `/api/messages/${id}/details`);
  } catch {
    shown = null;
    return false;
  }
  if (shown !== key) return true;
  if (!isNew) {
    reader.querySelector(".siblings")?.replaceWith(conversation(siblings, id, open));
    return true;
  }
  reader.replaceChildren(...messageView(message, siblings, open));
  reader.scrollTop = 0;
  if (matchMedia("(max-width: 760px)").matches) reader.focus();
  return true;
}

/** What people and mail systems send back. */
const RETURNS = [
  [
    "Reply",
    "Answers as the recipient would",
    (id) => {
      const text = prompt("Your reply", "Sounds good, let us talk.");
      return text === null ? undefined : sendBack(id, "reply", { text });
    },
  ],
  [
    "Out of office",
    "The automatic answer of somebody who is away for a week",
    (id) => {
      const until = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
      return sendBack(id, "out-of-office", { until });
    },
  ],
  [
    "Bounce",
    "The recipient's mail system reports that there is no such user",
    (id) => sendBack(id, "bounce", { status: "5.1.1", text: "User unknown" }),
  ],
  ["Complain", "The mailbox provider reports abuse", (id) => sendBack(id, "complain", {})],
];

/** What was received and what went back, in the order in which it happened. */
function turnsOf({ messages = [], sent_back = [] } = {}) {
  const received = messages.map((message) => ({ ...message, at: message.received_at }));
  return [...received, ...sent_back].toSorted((one, other) => one.at.localeCompare(other.at));
}

function messageView(message, siblings, open) {
  const base = `/api/messages/${message.id}`;
  return [
    el("a", { class: "back", href: "#" }, "← All mail"),
    el(
      "header",
      { class: "head" },
      el("h2", {}, message.subject || "(no subject)"),
      el(
        "dl",
        { class: "envelope" },
        ...row("From", message.from_name ? `${message.from_name} <${message.from}>` : message.from),
        ...row("To", message.to.join(", ")),
        ...row("Received", fullTime(message.received_at)),
      ),
      el(
        "div",
        { class: "actions" },
        el(
          "button",
          {
            type: "button",
            class: "quiet",
            disabled: !message.one_click,
            title: message.one_click ? "The one-click POST of RFC 8058" : null,
            "aria-describedby": message.one_click ? null : "why-not",
            onclick: () => unsubscribe(message.id),
          },
          "Unsubscribe",
        ),
        message.one_click
          ? null
          : el(
              "span",
              { class: "why", id: "why-not" },
              "The message offers no one-click unsubscribe.",
            ),
        ...RETURNS.map(([label, title, send]) =>
          el(
            "button",
            { type: "button", class: "quiet", title, onclick: () => send(message.id) },
            label,
          ),
        ),
        el("span", { class: "opened", id: "opened", "data-message": message.id }),
      ),
    ),
    conversation(siblings, message.id, open),
    ...tabs([
      message.has_html ? ["Message", () => htmlPanel(message)] : null,
      ["Text", () => textPanel(message)],
      ["Headers", () => el("pre", {}, message.header_block)],
      ["Raw", () => rawPanel(`${base}/raw`)],
    ]),
    attachments(message, base),
  ];
}

function row(name, value) {
  return [el("dt", {}, name), el("dd", {}, value)];
}

function conversation(siblings, id, open) {
  return el(
    "ol",
    { class: "siblings", "aria-label": "In this conversation", hidden: siblings.length < 2 },
    ...siblings.map((one, index) =>
      one.action !== undefined
        ? answerTurn(one, index)
        : el(
            "li",
            {},
            el(
              "button",
              {
                type: "button",
                "aria-current": one.id === id ? "true" : undefined,
                onclick: () => open(one.id),
              },
              el("span", {}, `${index + 1}. ${one.from_name || one.from}`),
              shortTime(one.received_at),
            ),
          ),
    ),
  );
}

const ACTIONS = {
  reply: "replied",
  "out-of-office": "is out of office",
  bounce: "does not exist: a bounce went",
  complain: "complained",
};

/** What somebody here, or their mail system, sent back; there is nothing more of it to open. */
function answerTurn({ action, to, at, text }, index) {
  return el(
    "li",
    { class: "sent-back" },
    el("span", {}, `${index + 1}. The recipient ${ACTIONS[action]}, to ${to}`),
    shortTime(at),
    text === null ? null : el("p", {}, text),
  );
}

/** Tabs after the WAI-ARIA pattern; a panel is made when it is first shown. */
function tabs(entries) {
  const known = entries.filter((entry) => entry !== null);
  const panel = el("div", { class: "panel", role: "tabpanel", id: "panel", tabindex: "0" });
  const made = new Map();
  const list = el("div", { class: "tabs", role: "tablist", "aria-label": "Views of the message" });
  const buttons = known.map(([name], index) =>
    el(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${name.toLowerCase()}`,
        "aria-controls": "panel",
        onclick: () => select(index),
        onkeydown(event) {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
          if (step === undefined) return;
          const next = (index + step + known.length) % known.length;
          select(next);
          buttons[next].focus();
        },
      },
      name,
    ),
  );
  function select(index) {
    buttons.forEach((button, at) => {
      button.setAttribute("aria-selected", String(at === index));
      button.tabIndex = at === index ? 0 : -1;
    });
    if (!made.has(index)) made.set(index, known[index][1]());
    panel.setAttribute("aria-labelledby", buttons[index].id);
    panel.replaceChildren(made.get(index));
  }
  list.append(...buttons);
  select(0);
  return [list, panel];
}

/** The frame waits for the images that opening loads, but not for long: they appear when they are there. */
function htmlPanel(message) {
  const frame = el("iframe", {
    class: "frame",
    title: "The message as HTML",
    sandbox: "allow-top-navigation-by-user-activation",
    referrerpolicy: "no-referrer",
  });
  const show = () => frame.setAttribute("src", `/api/messages/${message.id}/frame`);
  const patience = setTimeout(show, 1500);
  void openOnce(message.id).finally(() => {
    clearTimeout(patience);
    show();
  });
  return frame;
}

function openOnce(id) {
  if (!opened.has(id)) opened.set(id, call("POST", `/api/messages/${id}/open`));
  note(id, "Loading images…");
  return opened.get(id).then(
    ({ images }) => {
      const loaded = images.filter((image) => image.status === 200).length;
      if (images.length === 0) note(id, "Opened. It has no images to load.");
      else note(id, `Opened. ${loaded} of ${plural(images.length, "image")} loaded.`);
    },
    (error) => note(id, `Opening failed: ${error.message}`),
  );
}

/** The line may belong to another message by now, or not be drawn yet. */
function note(id, text) {
  queueMicrotask(() => {
    const line = byId("opened");
    if (line?.dataset.message === id) line.textContent = text;
  });
}

function textPanel(message) {
  const text = el("pre", { class: "text" });
  let at = 0;
  for (const match of message.text.matchAll(/https?:\/\/[^\s<>"]+/gi)) {
    const url = match[0].replace(/[.,;:!?'"»)\]]+$/, "");
    text.append(
      message.text.slice(at, match.index),
      el("button", { type: "button", class: "link", onclick: () => follow(message.id, url) }, url),
    );
    at = match.index + url.length;
  }
  text.append(message.text.slice(at));
  return message.text.trim() === "" ? el("p", { class: "hint" }, "The message has no text.") : text;
}

function rawPanel(path) {
  const text = el("pre", {}, "Loading…");
  void fetch(path)
    .then((response) => response.text())
    .then((raw) => (text.textContent = raw));
  return text;
}

function attachments(message, base) {
  return el(
    "ul",
    { class: "attachments", "aria-label": "Attachments", hidden: message.attachments.length === 0 },
    ...message.attachments.map(({ filename, content_type: type, size }, index) =>
      el(
        "li",
        {},
        el("a", { href: `${base}/attachments/${index}`, download: filename }, filename),
        el("span", {}, `${type}, ${bytes(size)}`),
      ),
    ),
  );
}
