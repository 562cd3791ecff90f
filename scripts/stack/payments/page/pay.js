import { announce, byId, call, el, fullTime } from "./dom.js";

const id = location.pathname.split("/").at(-1);
const api = `/api/sessions/${id}`;

/** What is said where there is nothing to pay, by state of the session. */
const ENDED = {
  paid: ["Paid", "This payment has been made. It cannot be made twice."],
  waiting: ["Thank you", "The bank has been asked, and settles the payment within three days."],
  refused: ["Not paid", "The bank refused the payment."],
  expired: ["Too late", "The time for this payment is over. Begin again where you came from."],
};

function stateOf(session) {
  if (session.status === "open") return "open";
  if (session.status === "expired") return "expired";
  if (session.payment_status !== "unpaid") return "paid";
  return session.payment === "processing" ? "waiting" : "refused";
}

async function show() {
  const session = await call("GET", api).catch(() => null);
  const page = byId("page");
  page.removeAttribute("aria-busy");
  if (session === null) {
    document.title = "No such payment";
    page.replaceChildren(
      ended("No such payment", "There is no payment at this address.", [
        link("/", "See all payments"),
      ]),
    );
    return;
  }
  document.title = `${session.total} to ${session.merchant}`;
  const state = stateOf(session);
  page.replaceChildren(order(session), state === "open" ? desk(session) : outcome(session, state));
}

function order(session) {
  return el(
    "section",
    { class: "order", "aria-label": "What is paid" },
    el("p", { class: "merchant" }, `Pay ${session.merchant}`),
    el("h1", { class: "total" }, session.total),
    el("p", { class: "sum" }, el("span", {}, session.name), el("strong", {}, session.total)),
  );
}

function desk(session) {
  return el(
    "section",
    { class: "desk", "aria-label": "Payment" },
    el("h2", {}, "How does this payment end?"),
    session.is_declined
      ? el("p", { class: "refusal", role: "alert" }, "Your card was declined. Try again.")
      : null,
    choice("Pay", "The card is good: paid at once.", () => act("pay"), "main"),
    choice("Pay later", "By bank account, which settles or refuses within three days.", () =>
      act("pay-later"),
    ),
    choice("Decline", "The card is refused; another attempt is possible.", () => act("decline")),
    choice("Cancel", "Nothing is paid; the payment stays open.", () =>
      location.assign(session.cancel_url),
    ),
    el("p", { class: "soft" }, "Open until ", fullTime(session.expires_at)),
  );
}

function choice(label, explanation, onclick, look = "quiet") {
  const note = `note-${label.replace(" ", "-")}`;
  return el(
    "div",
    { class: "choice" },
    el("button", { type: "button", class: look, "aria-describedby": note, onclick }, label),
    el("p", { id: note, class: "soft" }, explanation),
  );
}

async function act(action) {
  const page = byId("page");
  for (const button of page.querySelectorAll("button")) button.disabled = true;
  page.setAttribute("aria-busy", "true");
  try {
    const { redirect_url: back } = await call("POST", `${api}/${action}`);
    if (back !== undefined) return void location.assign(back);
    announce("The card was declined.");
  } catch (error) {
    announce(error.message);
  }
  await show();
}

function outcome(session, state) {
  const [title, words] = ENDED[state];
  const isBack = state === "paid" || state === "waiting";
  const back = isBack ? session.success_url : session.cancel_url;
  return ended(title, words, [link(back, `Back to ${URL.parse(back)?.host ?? "the shop"}`)]);
}

function ended(title, words, links) {
  return el("section", { class: "desk ended" }, el("h2", {}, title), el("p", {}, words), ...links);
}

function link(href, label) {
  return el("p", {}, el("a", { href }, label));
}

// Going back after a payment shows what has become of it, not the page as it was left.
addEventListener("pageshow", ({ persisted }) => persisted && show());
await show();
