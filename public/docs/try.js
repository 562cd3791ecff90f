import { byId, el, pretty } from "./dom.js";

const MAX_SHOWN = 100_000;

/** A form that makes the call from this page: it really happens, with the key of the field. */
export function tryForm(operation) {
  const { parameters, bodyTypes, example } = operation;
  const inputs = parameters
    .filter((each) => each.in !== "header")
    .map((each) => ({
      ...each,
      input: el("input", {
        type: "text",
        name: each.name,
        required: each.in === "path",
        placeholder: each.in === "path" ? "" : "not sent",
        autocomplete: "off",
      }),
    }));
  const takesJson = bodyTypes.includes("application/json");
  const body = takesJson
    ? el("textarea", { rows: "8", spellcheck: "false", "aria-label": "Body" })
    : null;
  if (body !== null) body.value = pretty(example ?? {});
  const file =
    !takesJson && bodyTypes.includes("multipart/form-data")
      ? el("input", { type: "file", name: "file", required: true })
      : null;
  if (bodyTypes.length > 0 && body === null && file === null)
    return el("p", { class: "soft" }, "Its body is no JSON: call it from a program.");
  const result = el("div", { class: "result", role: "status" });
  const button = el("button", { type: "submit" }, "Send");
  const form = el(
    "form",
    { class: "try" },
    ...inputs.map(({ name, in: place, input }) => field(name, place, input)),
    file === null ? null : field("file", "form", file),
    body === null ? null : field("Body", "JSON", body),
    el("div", { class: "send" }, button, el("span", { class: "hint" }, hintOf(operation))),
    result,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    result.replaceChildren(...(await send(operation, inputs, body, file)));
    button.disabled = false;
  });
  return el("details", { class: "trying" }, el("summary", {}, "Try it"), form);
}

const field = (name, place, input) =>
  el("label", { class: "field" }, el("span", {}, name, " ", el("small", {}, place)), input);

const hintOf = ({ method }) =>
  method === "get"
    ? "Answered by this deployment."
    : "This really happens, in the workspace of the key.";

async function send(operation, inputs, body, file) {
  const { url, init } = requestOf(operation, inputs, body, file);
  const startedAt = performance.now();
  try {
    const response = await fetch(url, init);
    const text = await response.text();
    const ms = Math.round(performance.now() - startedAt);
    return [
      el(
        "p",
        {},
        el("b", { class: `status ${response.ok ? "good" : "bad"}` }, String(response.status)),
        ` in ${ms} ms · X-Request-Id ${response.headers.get("x-request-id") ?? "none"}`,
      ),
      el("pre", { tabindex: "0" }, shown(text)),
    ];
  } catch (error) {
    return [el("p", { class: "bad" }, `No answer: ${error.message}`)];
  }
}

/** The path with its ids in their places, and only what was filled in; never to another origin. */
function requestOf({ method, path }, inputs, body, file) {
  const filled = inputs.filter(({ input }) => input.value !== "");
  const ofPlace = (place) => filled.filter((each) => each.in === place);
  const target = ofPlace("path").reduce(
    (left, { name, input }) => left.replace(`{${name}}`, encodeURIComponent(input.value)),
    path,
  );
  const url = new URL(target, location.origin);
  for (const { name, input } of ofPlace("query")) url.searchParams.append(name, input.value);
  const key = byId("key").value.trim();
  const headers = {
    ...(key === "" ? {} : { Authorization: `Bearer ${key}` }),
    ...(body === null ? {} : { "Content-Type": "application/json" }),
  };
  const init = { method: method.toUpperCase(), headers, redirect: "manual", credentials: "omit" };
  if (body !== null) return { url, init: { ...init, body: body.value } };
  if (file === null) return { url, init };
  const form = new FormData();
  form.append("file", file.files[0]);
  return { url, init: { ...init, body: form } };
}

function shown(text) {
  const cut = (whole) =>
    whole.length > MAX_SHOWN ? `${whole.slice(0, MAX_SHOWN)}\n… ${whole.length} characters` : whole;
  try {
    return cut(pretty(JSON.parse(text)));
  } catch {
    return cut(text) || "(no body)";
  }
}
