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

/** Calls the mailbox; throws an Error in its words when it refuses. */
export async function call(method, path, body) {
  const response = await fetch(path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
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
