import { byDay, timeOfDay } from "./bubbles.js";
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

let listing = { total: 0, listed: 0, conversations: [] };
let loading = 0;

/** The number in the address; null while none is chosen. */
function chosenNumber() {
  return /^#\/telephone\/(\d+)$/.exec(location.hash)?.[1] ?? null;
}

const conversationOf = (number) =>
  listing.conversations.find((conversation) => conversation.to === `+${number}`);

async function refresh() {
  const turn = (loading += 1);
  const fresh = await call("GET", "/api/conversations");
  // An answer to an older question must not overwrite a newer one.
  if (turn !== loading) return;
  const before = listing.total;
  listing = fresh;
  if (before > 0 && fresh.total > before)
    announce(`${plural(fresh.total - before, "new message")}`);
  render();
}

function render() {
  renderList();
  renderTelephone();
}

const isUnread = ({ status }) => status === "delivered";

function renderList() {
  const focused = document.activeElement?.dataset?.number;
  byId("threads").replaceChildren(...listing.conversations.map(conversationItem));
  if (focused !== undefined) byId("threads").querySelector(`[data-number="${focused}"]`)?.focus();
  byId("count").textContent = countText();
  byId("delete-all").disabled = listing.total === 0;
  document.body.classList.toggle("no-mail", listing.total === 0);
  document.title = listing.total === 0 ? "WhatsApp" : `WhatsApp (${listing.total})`;
}

function countText() {
  const { total, listed } = listing;
  if (total === 0) return "";
  return listed < total
    ? `${plural(total, "message")}, the newest ${listed} shown`
    : plural(total, "message");
}

function conversationItem({ to, messages }) {
  const number = to.slice(1);
  const last = messages.at(-1);
  const unread = messages.filter(isUnread).length;
  return el(
    "li",
    {},
    el(
      "button",
      {
        type: "button",
        class: `thread${unread > 0 ? " unread" : ""}`,
        "data-number": number,
        "aria-current": number === chosenNumber() ? "true" : undefined,
        onclick: () => (location.hash = `#/telephone/${number}`),
      },
      el("span", { class: "avatar", "aria-hidden": "true" }, picture("M9 4h14v24H9z M14 25h4")),
      el(
        "span",
        { class: "lines" },
        el(
          "span",
          { class: "subject" },
          el("span", {}, to),
          unread > 0
            ? el("span", { class: "badge", title: `${unread} unread` }, String(unread))
            : null,
          shortTime(last.received_at),
        ),
        el("span", { class: "preview" }, last.text.split("\n")[0]),
      ),
    ),
  );
}

function renderTelephone() {
  const number = chosenNumber();
  const conversation = number === null ? undefined : conversationOf(number);
  document.body.classList.toggle("reading", conversation !== undefined);
  if (conversation === undefined) return void byId("reader").replaceChildren(emptyState());
  byId("reader").replaceChildren(telephone(conversation));
  byId("chat").scrollTop = byId("chat").scrollHeight;
  const unread = conversation.messages.filter(isUnread);
  for (const { id } of unread) void call("POST", `/api/messages/${encodeURIComponent(id)}/read`);
}

function telephone({ to, messages }) {
  return el(
    "article",
    { class: "telephone", "aria-label": `Telephone ${to}` },
    el(
      "header",
      {},
      el("a", { class: "back", href: "#" }, "All telephones"),
      el("span", { class: "avatar", "aria-hidden": "true" }, "O"),
      el(
        "div",
        {},
        el("h2", {}, "Overture"),
        el("p", {}, `Business account ${settings.number}, to ${to}`),
      ),
    ),
    el(
      "ol",
      { id: "chat", class: "chat", "aria-label": "Messages" },
      ...byDay(messages, (message) => message.received_at, bubble),
    ),
  );
}

/** One of each status; a failed message never reached the telephone. */
const STATUSES = {
  accepted: ["✓", "Accepted"],
  sent: ["✓", "Sent"],
  delivered: ["✓✓", "Delivered"],
  read: ["✓✓", "Read"],
  failed: ["!", "Failed"],
};

function bubble({ id, text, template, language, received_at: at, status, failure }) {
  const [sign, word] = STATUSES[status];
  return el(
    "li",
    { class: `bubble ${status}`, "data-id": id },
    el("p", { class: "words", dir: "auto" }, text),
    failure === null
      ? null
      : el("p", { class: "failure" }, `Not delivered: ${failure.title} (${failure.code})`),
    el(
      "p",
      { class: "under" },
      el("code", {}, `${template} · ${language}`),
      el(
        "span",
        {},
        el("time", { datetime: at }, timeOfDay(at)),
        " ",
        el("span", { class: "ticks", "aria-label": word, title: word, role: "img" }, sign),
      ),
    ),
  );
}

function emptyState() {
  const chosen = listing.total > 0;
  return el(
    "div",
    { class: "empty" },
    picture("M5 7.5h22v15H14l-6 5v-5H5z"),
    el("h2", {}, chosen ? "Choose a telephone" : "No messages yet"),
    ...(chosen
      ? [el("p", {}, "Opening one reads its messages, and Overture is told so.")]
      : [
          el("p", {}, "Notices that Overture sends by WhatsApp arrive here. To see one:"),
          el(
            "ul",
            {},
            el(
              "li",
              {},
              "set ",
              el("code", {}, "whatsapp_enabled"),
              " and a ",
              el("code", {}, "whatsapp_number"),
              " with ",
              el("code", {}, "PUT /api/v1/notifications/preferences"),
              "; then",
            ),
            el("li", {}, "reply to a campaign's message in the mailbox."),
          ),
          el(
            "p",
            { class: "hint" },
            "A number that ends in ",
            el("code", {}, "000000"),
            " is on no telephone: what is sent there fails.",
          ),
        ]),
  );
}

async function deleteAll() {
  const answer = await ask(
    "Delete all messages?",
    [el("p", {}, `${plural(listing.total, "message")} will be gone.`)],
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
if (settings.mailbox_url !== null) {
  byId("mailbox").href = settings.mailbox_url;
  byId("mailbox").hidden = false;
}
moveByArrows(byId("threads"));
byId("delete-all").addEventListener("click", deleteAll);
window.addEventListener("hashchange", render);
watch(refresh);
await refresh();
