import { announce, ask, call, el } from "./dom.js";

/** Clicks a link as a person would, and shows where it led. */
export async function follow(id, url) {
  announce("Following the link");
  let result;
  try {
    result = await call("POST", `/api/messages/${id}/click`, { url });
  } catch (error) {
    return tell("The link was not followed", [el("p", {}, error.message)]);
  }
  const target = el(
    "a",
    { href: result.final_url, target: "_blank", rel: "noopener noreferrer" },
    "Open in a new tab",
  );
  return tell(
    "Where the link led",
    [
      el(
        "ol",
        { class: "hops" },
        ...result.hops.map((hop) =>
          el("li", {}, status(hop.status), el("span", { class: "url" }, hop.url)),
        ),
      ),
      result.error === undefined
        ? null
        : el(
            "p",
            { class: "hint" },
            `The last address gave no page: ${result.error}. Outside sites are out of reach offline; the click itself was counted at the first hop.`,
          ),
    ],
    target,
  );
}

/** Makes the one-click POST, and shows what came of it. */
export async function unsubscribe(id) {
  try {
    const { url, status: code, error } = await call("POST", `/api/messages/${id}/unsubscribe`);
    const done = code !== null && code >= 200 && code < 300;
    await tell(done ? "Unsubscribed" : "The unsubscribe failed", [
      el("p", {}, "A one-click POST went to"),
      el("ol", { class: "hops" }, el("li", {}, status(code), el("span", { class: "url" }, url))),
      error === undefined ? null : el("p", { class: "hint" }, error),
    ]);
  } catch (error) {
    await tell("The unsubscribe failed", [el("p", {}, error.message)]);
  }
}

/** Sends a mail back as the recipient or their mail system would, and says where it went. */
export async function sendBack(id, action, fields) {
  announce("Sending it back");
  try {
    const { to, subject } = await call("POST", `/api/messages/${id}/${action}`, fields);
    await tell("It is on its way back", [
      el("p", {}, `"${subject}" went to`),
      el("p", { class: "url" }, to),
    ]);
  } catch (error) {
    await tell("It was not sent", [el("p", {}, error.message)]);
  }
}

function status(code) {
  const good = code !== null && code < 400;
  return el(
    "span",
    { class: `status ${good ? "good" : "bad"}` },
    code === null ? "no answer" : String(code),
  );
}

function tell(title, content, extra) {
  const shownContent = content.filter((one) => one !== null);
  return ask(
    title,
    shownContent,
    [extra ?? null, el("button", { value: "", autofocus: true }, "Close")].filter(
      (one) => one !== null,
    ),
  );
}
