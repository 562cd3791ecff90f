import { follow } from "./buttons.js";
import {
  announce,
  ask,
  byId,
  call,
  el,
  moveByArrows,
  picture,
  plural,
  shortTime,
  watch,
} from "./dom.js";
import { forgetMessage, showMessage } from "./message.js";

const seen = new Set(JSON.parse(localStorage.getItem("seen") ?? "[]"));
let listing = { total: 0, found: 0, listed: 0, threads: [] };
let loading = 0;

function messageInHash() {
  return /^#\/message\/([^/]+)(?:\/follow\/(.+))?$/.exec(location.hash);
}

async function refresh() {
  const turn = (loading += 1);
  const recipient = encodeURIComponent(byId("filter").value);
  const fresh = await call("GET", `/api/threads?recipient=${recipient}`);
  // An answer to an older question must not overwrite a newer one.
  if (turn !== loading) return;
  const before = listing.total;
  listing = fresh;
  if (before > 0 && fresh.total > before)
    announce(`${plural(fresh.total - before, "new message")}`);
  renderList();
  await renderReader();
}

function renderList() {
  const focused = document.activeElement?.dataset?.thread;
  const open = messageInHash()?.[1];
  byId("threads").replaceChildren(...listing.threads.map((thread) => threadItem(thread, open)));
  if (focused !== undefined) byId("threads").querySelector(`[data-thread="${focused}"]`)?.focus();
  byId("count").textContent = countText();
  byId("delete-all").disabled = listing.total === 0;
  byId("delete-all").title = listing.total === 0 ? "There is no mail to delete" : "";
  document.body.classList.toggle("no-mail", listing.total === 0);
  document.title = listing.total === 0 ? "Mailbox" : `Mailbox (${listing.total})`;
}

function countText() {
  const { total, found, listed } = listing;
  if (total === 0) return "";
  const matching =
    found === total ? plural(total, "message") : `${found} of ${plural(total, "message")}`;
  return listed < found ? `${matching}, the newest ${listed} shown` : matching;
}

function threadItem(thread, open) {
  const last = thread.messages.at(-1);
  const unread = thread.messages.some((message) => !seen.has(message.id));
  const current = thread.messages.some((message) => message.id === open);
  const count = thread.messages.length;
  return el(
    "li",
    {},
    el(
      "button",
      {
        type: "button",
        class: `thread${unread ? " unread" : ""}`,
        "data-thread": thread.id,
        "aria-current": current ? "true" : undefined,
        onclick: () => openMessage(last.id),
      },
      el(
        "span",
        { class: "avatar", "aria-hidden": "true", "data-hue": hue(last.to[0] ?? "") },
        initial(last.to[0]),
      ),
      el(
        "span",
        { class: "lines" },
        el(
          "span",
          { class: "top" },
          el("span", { class: "who" }, `To ${last.to.join(", ")}`),
          shortTime(last.received_at),
        ),
        el(
          "span",
          { class: "subject" },
          unread ? el("span", { class: "hidden" }, "Unread: ") : null,
          el("span", {}, thread.subject || "(no subject)"),
          count > 1
            ? el("span", { class: "badge", title: plural(count, "message") }, String(count))
            : null,
        ),
        el("span", { class: "preview" }, `${last.from_name || last.from}: ${last.preview}`),
      ),
    ),
  );
}

function initial(address) {
  return (address ?? "?").slice(0, 1).toUpperCase();
}

function hue(text) {
  return String([...text].reduce((sum, letter) => sum + letter.codePointAt(0), 0) % 6);
}

function openMessage(id) {
  location.hash = `#/message/${id}`;
}

async function renderReader() {
  const [, id, url] = messageInHash() ?? [];
  document.body.classList.toggle("reading", id !== undefined);
  if (id === undefined) return void byId("reader").replaceChildren(emptyState());
  // A link in the frame can do one thing: name itself in the address. The page does the rest.
  if (url !== undefined) {
    history.replaceState(null, "", `#/message/${id}`);
    await renderReader();
    return follow(id, decodeURIComponent(url));
  }
  const thread = listing.threads.find(({ messages }) => messages.some((one) => one.id === id));
  const found = await showMessage(byId("reader"), id, thread, openMessage);
  if (!found) return void (location.hash = "");
  seen.add(id);
  localStorage.setItem("seen", JSON.stringify([...seen].slice(-2000)));
  renderList();
}

function emptyState() {
  forgetMessage();
  if (listing.total > 0) {
    return el(
      "div",
      { class: "empty" },
      picture("M4 8.5h24v16H4z M4 9l12 9 12-9"),
      el("h2", {}, "Choose a message"),
      el(
        "p",
        {},
        "Opening one loads its images, as a mail program would. Arrow keys move through the list.",
      ),
    );
  }
  return el(
    "div",
    { class: "empty" },
    picture("M4 8.5h24v16H4z M4 9l12 9 12-9"),
    el("h2", {}, "No mail yet"),
    el("p", {}, "Whatever Overture sends arrives here, the moment it is sent. To see something:"),
    el(
      "ul",
      {},
      el(
        "li",
        {},
        "launch a campaign, or send one mail with ",
        el("code", {}, "POST /api/v1/mailer/emails"),
        "; or",
      ),
      el(
        "li",
        {},
        "point any mail program at the server below. ",
        el("code", {}, "npm start"),
        " prints its password.",
      ),
    ),
    el(
      "dl",
      { class: "facts" },
      ...fact("Server", `${settings.host}:${settings.port}`),
      ...fact("Encryption", settings.security === "starttls" ? "STARTTLS" : "none"),
      ...fact("User name", settings.username),
    ),
    el(
      "p",
      { class: "hint" },
      "Some recipients have a will of their own: ",
      el("code", {}, "bounce@"),
      " does not exist, ",
      el("code", {}, "full@"),
      " is full, ",
      el("code", {}, "greylist@"),
      " accepts the second attempt. Any domain will do.",
    ),
  );
}

function fact(name, value) {
  return [el("dt", {}, name), el("dd", {}, el("code", {}, value))];
}

async function deleteAll() {
  const answer = await ask(
    "Delete all messages?",
    [el("p", {}, `${plural(listing.total, "message")} will be gone. The wire log is kept.`)],
    [
      el("button", { value: "", class: "quiet" }, "Keep them"),
      el("button", { value: "delete", class: "danger" }, "Delete all"),
    ],
  );
  if (answer !== "delete") return;
  await call("DELETE", "/api/messages");
  location.hash = "";
  await refresh();
}

const settings = await call("GET", "/api/settings");
if (settings.messaging_url !== null) {
  byId("messaging").href = settings.messaging_url;
  byId("messaging").hidden = false;
}
moveByArrows(byId("threads"));
byId("filter").addEventListener("input", refresh);
byId("delete-all").addEventListener("click", deleteAll);
window.addEventListener("hashchange", () => {
  renderList();
  void renderReader();
});
watch(refresh);
await refresh();
