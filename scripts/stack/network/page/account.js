import { announce, call, el, fullTime } from "./dom.js";

function markOf({ status, challenge, is_restricted: restricted }) {
  if (restricted) return { word: "restricted", look: "bad" };
  if (challenge !== null) return { word: CHALLENGES[challenge] };
  return status === "OK"
    ? { word: "connected", look: "good" }
    : { word: status.toLowerCase(), look: "bad" };
}

const CHALLENGES = {
  OTP: "waits for a code",
  "2FA_APP": "waits for the app's code",
  IN_APP: "waits for a yes in the app",
  CAPTCHA: "waits for a captcha",
  PHONE: "waits for a number",
};

export const accountEntry = (account) => ({
  key: account.id,
  title: account.owner.name,
  mark: markOf(account),
  top: account.is_premium ? "Pays the network" : "Does not pay",
  preview: account.owner.public_identifier,
  at: account.created_at,
});

const LIMITS = [
  ["Invitations a day", "invitations_per_day"],
  ["Invitations a week", "invitations_per_week"],
  ["Notes in 30 days", "notes_per_month"],
  ["Messages a day", "messages_per_day"],
  ["Profile views a day", "views_per_day"],
];

export function accountView(account, refresh) {
  const { id, owner, status, challenge, limits, is_restricted: restricted } = account;
  const { word, look } = markOf(account);
  const act = (label, path, body, words) =>
    el(
      "button",
      {
        type: "button",
        class: "quiet",
        onclick: async () => {
          await call("POST", `/api/accounts/${id}/${path}`, body).catch((error) =>
            announce(error.message),
          );
          announce(words);
          await refresh();
        },
      },
      label,
    );
  const become = (label, next) => act(label, "status", { status: next }, label);
  return el(
    "article",
    { class: "card", "aria-label": "Account" },
    el("a", { class: "back", href: "#/accounts" }, "All accounts"),
    el("h2", {}, owner.name),
    el("p", { class: "hint" }, owner.headline),
    el("p", {}, el("span", { class: `badge ${look ?? ""}` }, word)),
    el(
      "dl",
      { class: "facts" },
      ...fact("Account", el("code", {}, id)),
      ...fact("Member", el("code", {}, owner.provider_id)),
      ...fact("Since", fullTime(account.created_at)),
      ...LIMITS.flatMap(([label, name]) => fact(label, limits[name] ?? "as many as it likes")),
    ),
    el(
      "div",
      { class: "deed" },
      challenge === "IN_APP" ? act("Say yes in the app", "approve", {}, "Approved") : null,
      challenge !== null || status === "OK" ? null : become("Connect again", "OK"),
      status === "OK" ? become("Disconnect", "CREDENTIALS") : null,
      status === "OK" ? become("Break the session", "ERROR") : null,
      restricted
        ? act("Lift the restriction", "restrict", { restricted: false }, "Lifted")
        : act("Restrict", "restrict", { restricted: true }, "Restricted"),
    ),
  );
}

const fact = (name, value) => [el("dt", {}, name), el("dd", {}, value)];
