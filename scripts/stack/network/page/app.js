import { accountEntry, accountView } from "./account.js";
import { contactEntry, contactView } from "./contact.js";
import { byId, call, el, moveByArrows, picture, plural, shortTime, watch } from "./dom.js";
import { postEntry, postView } from "./post.js";

/** The three lists: how each is read, what its entries say, and what shows of a chosen one. */
const LISTS = {
  people: {
    label: "People",
    noun: "contact",
    read: () => call("GET", "/api/contacts"),
    items: ({ contacts }) => contacts,
    total: ({ total }) => total,
    entry: contactEntry,
    view: contactView,
  },
  posts: {
    label: "Posts",
    noun: "post",
    read: () => call("GET", "/api/posts"),
    items: (posts) => posts,
    total: (posts) => posts.length,
    entry: postEntry,
    view: postView,
  },
  accounts: {
    label: "Accounts",
    noun: "account",
    read: () => call("GET", "/api/accounts"),
    items: (accounts) => accounts,
    total: (accounts) => accounts.length,
    entry: accountEntry,
    view: accountView,
  },
};

let drawing = 0;

/** The list and the entry in the address: `#/people/{owner}/{person}`, `#/posts/{id}`. */
function chosen() {
  const [, list, key] = /^#\/(\w+)(?:\/(.+))?$/.exec(location.hash) ?? [];
  return { name: Object.hasOwn(LISTS, list ?? "") ? list : "people", key };
}

async function refresh() {
  const turn = (drawing += 1);
  const { name, key } = chosen();
  const list = LISTS[name];
  const read = await list.read();
  const items = list.items(read);
  const entry = items.find((item) => list.entry(item).key === key);
  const view =
    entry === undefined ? emptyState(name, items.length) : await list.view(entry, refresh);
  // An answer to an older question must not overwrite a newer one.
  if (turn !== drawing) return;
  drawTabs(name);
  drawList(list, items, list.total(read), name, key);
  drawReader(view, key);
}

function drawTabs(name) {
  byId("lists").replaceChildren(
    ...Object.entries(LISTS).map(([id, { label }]) =>
      el("a", { href: `#/${id}`, "aria-current": id === name ? "page" : undefined }, label),
    ),
  );
}

function drawList(list, items, total, name, key) {
  const focused = document.activeElement?.dataset?.key;
  byId("threads").replaceChildren(...items.map((item) => listItem(list.entry(item), name, key)));
  if (focused !== undefined)
    [...byId("threads").querySelectorAll("button")]
      .find((button) => button.dataset.key === focused)
      ?.focus();
  const count = plural(total, list.noun);
  byId("count").textContent =
    items.length < total ? `${count}, the latest ${items.length} shown` : total > 0 ? count : "";
  document.body.classList.toggle("no-mail", items.length === 0);
  document.title = `Network: ${list.label}`;
}

function listItem({ key, title, mark, top, preview, at, unread = 0 }, name, current) {
  return el(
    "li",
    {},
    el(
      "button",
      {
        type: "button",
        class: `thread${unread > 0 ? " unread" : ""}`,
        "data-key": key,
        "aria-current": key === current ? "true" : undefined,
        onclick: () => (location.hash = `#/${name}/${key}`),
      },
      el(
        "span",
        { class: "avatar", "aria-hidden": "true", "data-hue": hue(title) },
        initials(title),
      ),
      el(
        "span",
        { class: "lines" },
        el("span", { class: "top" }, el("span", { class: "who" }, top), shortTime(at)),
        el(
          "span",
          { class: "subject" },
          el("span", {}, title),
          mark === null ? null : el("span", { class: `badge ${mark.look ?? ""}` }, mark.word),
        ),
        el("span", { class: "preview" }, preview),
      ),
    ),
  );
}

const initials = (name) =>
  name
    .split(" ")
    .slice(0, 2)
    .map((word) => [...word][0] ?? "")
    .join("");

const hue = (text) => String([...text].reduce((sum, letter) => sum + letter.codePointAt(0), 0) % 6);

/** What somebody is typing, and where, outlives a redrawing. */
function drawReader(view, key) {
  const reader = byId("reader");
  const isSame = reader.dataset.key === (key ?? "");
  const typed = isSame ? reader.querySelector("textarea")?.value : undefined;
  const isTyping = isSame && document.activeElement?.tagName === "TEXTAREA";
  reader.replaceChildren(view);
  reader.dataset.key = key ?? "";
  document.body.classList.toggle("reading", key !== undefined);
  const field = reader.querySelector("textarea");
  if (typed !== undefined && field !== null) field.value = typed;
  if (isTyping) field?.focus();
  const chat = byId("chat");
  if (chat !== null) chat.scrollTop = chat.scrollHeight;
}

const FACES =
  "M12 14a5 5 0 1 0 0-10 5 5 0 0 0 0 10z M3 27c0-11 18-11 18 0z M23 15a4 4 0 1 0 0-8 4 4 0 0 0 0 8z M22 19c4-1 8 2 8 8h-6";

function emptyState(name, count) {
  if (count > 0)
    return el("div", { class: "empty" }, picture(FACES), el("h2", {}, `Choose one of the ${name}`));
  return el(
    "div",
    { class: "empty" },
    picture(FACES),
    el("h2", {}, EMPTY[name].title),
    el("p", {}, ...EMPTY[name].words()),
  );
}

const code = (text) => el("code", {}, text);
const EMPTY = {
  people: {
    title: "Nobody yet",
    words: () => [
      "Whoever is invited or written to stands here. What people do is in their names: ",
      code("quick-answers-mara-lind"),
      " accepts after five minutes of the stack's clock and answers, ",
      code("declines-tom-berg"),
      " does not.",
    ],
  },
  posts: {
    title: "No posts yet",
    words: () => ["Publish one with ", code("POST /api/v1/socialnet/posts/"), "."],
  },
  accounts: {
    title: "No accounts yet",
    words: () => [
      "Connect one with ",
      code("POST /api/v1/connected-accounts/connect"),
      ", any password, and a username such as ",
      code("ok@example.zz"),
      ", or ",
      code("otp@example.zz"),
      ", which is asked for a code: 123456.",
    ],
  },
};

moveByArrows(byId("threads"));
window.addEventListener("hashchange", refresh);
watch(refresh);
await refresh();
