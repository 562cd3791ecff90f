import { byDay, timeOfDay } from "./bubbles.js";
import { announce, call, el } from "./dom.js";

const LOOKS = { connected: "good", withdrawn: "bad" };

export function contactEntry({ owner, owner_name: ownerName, person, name, state, ...rest }) {
  return {
    key: `${owner}/${encodeURIComponent(person)}`,
    title: name,
    mark: { word: state, look: LOOKS[state] },
    top: `${ownerName} to`,
    preview: rest.last_text?.split("\n")[0] ?? person,
    at: rest.last_at,
    unread: rest.unread,
  };
}

/** All that happened between a member and somebody, and what somebody can do about it. */
export async function contactView({ owner, person }, refresh) {
  const contact = await call("GET", `/api/contacts/${owner}/${encodeURIComponent(person)}`);
  return el(
    "article",
    { class: "contact", "aria-label": contact.person.name },
    el("a", { class: "back", href: "#/people" }, "All people"),
    el(
      "header",
      {},
      el("h2", {}, contact.person.name),
      el("p", { class: "hint" }, contact.person.headline),
      el("p", { class: "hint" }, el("code", {}, contact.person.public_identifier)),
    ),
    el(
      "ol",
      { id: "chat", class: "chat", "aria-label": "What happened" },
      ...byDay(happenings(contact), ({ at }) => at, shown),
    ),
    contact.state === "invited" ? decision(contact, refresh) : null,
    contact.state === "connected" && contact.account_id !== null
      ? replyBox(contact, refresh)
      : null,
  );
}

/** Oldest first. */
function happenings({ owner, person, invitation, since, messages }) {
  const all = messages.map((message) => ({ ...message, by: message.direction }));
  if (invitation !== null) {
    const words = invitation.note ?? "An invitation, without a note.";
    const label = `${owner.name} invites`;
    all.push({ by: "out", text: words, at: invitation.sent_at, label });
    if (invitation.state === "withdrawn")
      all.push({ event: `${owner.name} withdrew the invitation`, at: invitation.ended_at });
  }
  if (since !== null) all.push({ event: `${person.name} is connected`, at: since });
  return all.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

function shown({ event, by, text, at, label, id }) {
  if (event !== undefined) return el("li", { class: "day" }, `${event}, ${timeOfDay(at)}`);
  return el(
    "li",
    { class: `bubble ${by}`, "data-id": id },
    label === undefined ? null : el("p", { class: "label" }, label),
    el("p", { class: "words", dir: "auto" }, text),
    el("p", { class: "under" }, el("time", { datetime: at }, timeOfDay(at))),
  );
}

function decision({ invitation, person }, refresh) {
  const act = (what, words) => async () => {
    await call("POST", `/api/invitations/${invitation.id}/${what}`).catch((error) =>
      announce(error.message),
    );
    announce(words);
    await refresh();
  };
  const ignored = invitation.state === "ignored";
  return el(
    "div",
    { class: "deed" },
    el(
      "p",
      { class: "hint" },
      ignored
        ? `${person.name} said no; the member is not told.`
        : `What does ${person.name} say to it?`,
    ),
    el("button", { type: "button", onclick: act("accept", "Accepted") }, "Accept"),
    ignored
      ? null
      : el(
          "button",
          { type: "button", class: "quiet", onclick: act("decline", "Declined") },
          "Decline",
        ),
  );
}

function replyBox({ account_id: account, person }, refresh) {
  const field = el("textarea", {
    rows: "2",
    maxlength: "8000",
    required: true,
    "aria-label": `What ${person.name} writes`,
    placeholder: `Write as ${person.name}`,
  });
  const submit = async (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (text === "") return;
    field.value = "";
    await call("POST", `/api/accounts/${account}/replies`, {
      from: person.public_identifier,
      text,
    }).catch((error) => announce(error.message));
    await refresh();
  };
  return el(
    "form",
    { class: "deed", onsubmit: submit },
    field,
    el("button", { type: "submit" }, "Send"),
  );
}
