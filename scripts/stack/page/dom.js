/** Makes an element. Text is always text: nothing a message says is ever read as HTML. */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function byId(id) {
  return document.getElementById(id);
}

/** The part is gone, or not there yet. */
class Unreachable extends Error {}

/** Calls the part whose page this is; throws an Error in its words when it refuses. */
export async function call(method, path, body) {
  const response = await fetch(path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
  }).catch(() => {
    throw new Unreachable("The stack does not answer.");
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error ?? `status ${response.status}`);
  return answer;
}

/** Says something to a screen reader. */
export function announce(text) {
  byId("live").textContent = text;
}

const clockTime = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const dayOnly = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

export function shortTime(iso) {
  const at = new Date(iso);
  const today = at.toDateString() === new Date().toDateString();
  return el(
    "time",
    { datetime: iso, title: full.format(at) },
    (today ? clockTime : dayOnly).format(at),
  );
}

export function fullTime(iso) {
  return el("time", { datetime: iso }, full.format(new Date(iso)));
}

export function bytes(count) {
  if (count < 1024) return `${count} B`;
  if (count < 1024 * 1024) return `${(count / 1024).toFixed(1)} kB`;
  return `${(count / 1024 / 1024).toFixed(1)} MB`;
}

export function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** A line drawing on a square of 32. */
export function picture(path) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 32 32");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/** Lets the arrow keys move through the buttons of a list. */
export function moveByArrows(list) {
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const buttons = [...list.querySelectorAll("button")];
    const next = buttons[buttons.indexOf(document.activeElement) + step];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  });
}

/** Looks again whenever the part has something new. */
export function watch(refresh) {
  // The stream opens again after each reconnection of its own, so nothing is missed while the stack restarts.
  const look = () =>
    refresh().catch((error) => {
      if (!(error instanceof Unreachable)) throw error;
    });
  const events = new EventSource("/api/events");
  events.addEventListener("open", look);
  events.addEventListener("message", look);
}

/** Shows the dialog; resolves with the value of the button that closed it, "" on Escape. */
export function ask(title, content, buttons) {
  const dialog = byId("dialog");
  dialog.returnValue = "";
  dialog.replaceChildren(
    el(
      "form",
      { method: "dialog" },
      el("h2", { id: "dialog-title" }, title),
      ...content,
      el("div", { class: "buttons" }, ...buttons),
    ),
  );
  if (!dialog.open) dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
  });
}
