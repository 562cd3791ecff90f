import { announce, ask, byId, call, el, moveByArrows, plural, shortTime, watch } from "./dom.js";

let hooks = [];
let chosen = null;
let loading = 0;

const chosenName = () => /^#\/hook\/([a-z0-9-]+)$/.exec(location.hash)?.[1] ?? null;

async function refresh() {
  const turn = (loading += 1);
  const name = chosenName();
  const [fresh, one] = await Promise.all([
    call("GET", "/api/hooks"),
    name === null ? null : call("GET", `/api/hooks/${name}`).catch(() => null),
  ]);
  // An answer to an older question must not overwrite a newer one.
  if (turn !== loading) return;
  const count = (all) => all.reduce((sum, { received }) => sum + received, 0);
  const more = count(fresh) - count(hooks);
  if (hooks.length > 0 && more > 0) announce(plural(more, "new event"));
  hooks = fresh;
  chosen = one;
  render();
}

function render() {
  const focused = document.activeElement?.dataset?.name;
  byId("threads").replaceChildren(...hooks.map(hookItem));
  if (focused !== undefined) byId("threads").querySelector(`[data-name="${focused}"]`)?.focus();
  byId("count").textContent = hooks.length === 0 ? "" : plural(hooks.length, "receiver");
  byId("delete-all").disabled = hooks.every(({ received }) => received === 0);
  document.body.classList.toggle("no-mail", hooks.length === 0);
  document.body.classList.toggle("reading", chosen !== null);
  if (chosen === null) return void byId("reader").replaceChildren(emptyState());
  // What is being typed stays, and what was opened stays open.
  if (byId("reader").querySelector("form")?.contains(document.activeElement)) return renderEvents();
  byId("reader").replaceChildren(hookView());
  renderEvents();
}

function hookItem({ name, received, last }) {
  return el(
    "li",
    {},
    el(
      "button",
      {
        type: "button",
        class: "thread",
        "data-name": name,
        "aria-current": name === chosenName() ? "true" : undefined,
        onclick: () => (location.hash = `#/hook/${name}`),
      },
      el(
        "span",
        { class: "lines" },
        el(
          "span",
          { class: "subject" },
          el("span", {}, `/hooks/${name}`),
          last === null ? null : shortTime(last.received_at),
        ),
        el(
          "span",
          { class: "preview" },
          last === null ? "nothing yet" : `${plural(received, "event")}, the last ${last.type}`,
        ),
      ),
    ),
  );
}

const STATUSES = [200, 204, 302, 400, 404, 410, 429, 500, 503];

function hookView() {
  const { name, status, has_secret: hasSecret } = chosen;
  const secret = el("input", {
    id: "secret",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: hasSecret ? "known; another one?" : "whsec_…",
  });
  const choice = el(
    "select",
    { id: "status" },
    ...STATUSES.map((each) =>
      el(
        "option",
        { value: String(each), selected: each === status ? "" : undefined },
        String(each),
      ),
    ),
  );
  return el(
    "article",
    { class: "hook", "aria-label": `Receiver ${name}` },
    el("h2", {}, `${location.origin}/hooks/${name}`),
    el(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          void save(name, secret.value.trim(), Number(choice.value));
        },
      },
      el("label", { for: "secret" }, "Secret, as it was shown once", secret),
      el("label", { for: "status" }, "Answer with", choice),
      el("button", { type: "submit" }, "Save"),
    ),
    el("p", { id: "said", role: "status" }),
    el("ol", { class: "events", id: "events" }),
  );
}

async function save(name, secret, status) {
  try {
    await call("POST", `/api/hooks/${name}`, { status, ...(secret === "" ? {} : { secret }) });
    document.activeElement?.blur();
    await refresh();
    byId("said").textContent = "Saved.";
  } catch (error) {
    byId("said").textContent = error.message;
  }
}

const VERDICTS = {
  right: "signature right",
  wrong: "signature wrong",
  late: "signed too long ago",
  unknown: "no secret to judge by",
};

function renderEvents() {
  const open = new Set(
    [...byId("events").querySelectorAll("details[open]")].map(({ dataset }) => dataset.key),
  );
  byId("events").replaceChildren(
    ...chosen.events.map((event) => {
      const key = `${event.id} ${event.received_at}`;
      return el(
        "li",
        {},
        el(
          "details",
          { "data-key": key, open: open.has(key) ? "" : undefined },
          el(
            "summary",
            {},
            el("span", {}, event.type),
            el("span", { class: event.signature }, VERDICTS[event.signature]),
            el("span", {}, `answered ${event.answered || "nothing"}`),
            el("time", { datetime: event.received_at }, shortTime(event.received_at)),
          ),
          el("pre", {}, pretty(event.body)),
        ),
      );
    }),
  );
}

function pretty(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function emptyState() {
  return el(
    "div",
    { class: "empty" },
    el("h2", {}, hooks.length > 0 ? "Choose a receiver" : "No events yet"),
    el("p", {}, "To see them arrive, create a webhook:"),
    el(
      "pre",
      {},
      `curl -X POST $API/api/v2/webhooks -H "Authorization: Bearer $KEY" \\\n  -H "Content-Type: application/json" \\\n  -d '{"url": "${location.origin}/hooks/mine"}'`,
    ),
    el("p", { class: "hint" }, "Paste its secret here, and each signature is judged by it."),
  );
}

async function deleteAll() {
  const answer = await ask(
    "Delete all events?",
    [el("p", {}, "They are gone here; the feed keeps them.")],
    [
      el("button", { value: "", class: "quiet" }, "Keep them"),
      el("button", { value: "delete", class: "danger" }, "Delete all"),
    ],
  );
  if (answer !== "delete") return;
  await call("DELETE", "/api/hooks");
  await refresh();
}

moveByArrows(byId("threads"));
byId("delete-all").addEventListener("click", deleteAll);
window.addEventListener("hashchange", refresh);
watch(refresh);
await refresh();
