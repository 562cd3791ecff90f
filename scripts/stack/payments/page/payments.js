import { announce, byId, call, el, plural, shortTime, watch } from "./dom.js";

/** Payments whose events are unfolded, kept while the list is drawn anew. */
const unfolded = new Set();
/** Amounts typed for a charge and not yet refunded, likewise. */
const amounts = new Map();

async function show() {
  const { total, payments } = await call("GET", "/api/payments");
  byId("count").textContent =
    total === 0
      ? "No payments yet. A purchase of credits leads to a page here."
      : total === payments.length
        ? plural(total, "payment")
        : `The newest ${payments.length} of ${total} payments`;
  const focused = document.activeElement?.id;
  byId("payments").replaceChildren(...payments.map(payment));
  if (focused) byId(focused)?.focus();
}

function payment(each) {
  return el(
    "li",
    { class: "payment", "aria-label": each.id },
    el(
      "div",
      { class: "head" },
      el("strong", { class: "total" }, each.total),
      el("span", { class: `badge ${lookOf(each)}` }, wordOf(each)),
      el("span", {}, each.name),
      shortTime(each.created_at),
    ),
    el("p", { class: "soft" }, "Session ", el("code", {}, each.id)),
    el("p", { class: "soft" }, "Order ", el("code", {}, each.client_reference_id)),
    el("div", { class: "buttons" }, ...sessionButtons(each)),
    ...each.charges.map(charge),
    each.events.length === 0 ? null : events(each),
  );
}

function wordOf({ status, payment_status: paid, payment: intent }) {
  if (status !== "complete") return status;
  if (paid !== "unpaid") return "paid";
  return intent === "processing" ? "waiting for the bank" : "refused by the bank";
}

function lookOf(each) {
  return { paid: "good", "refused by the bank": "bad", expired: "bad" }[wordOf(each)] ?? "";
}

function sessionButtons({ id, status, payment }) {
  if (status === "open") {
    return [el("a", { class: "button", href: `/pay/${id}` }, "Open the payment page")];
  }
  if (payment !== "processing") return [];
  const settle = (outcome) => () => act(`/api/sessions/${id}/settle`, { outcome });
  return [
    button("The bank pays", settle("succeeded")),
    button("The bank refuses", settle("failed")),
  ];
}

function charge(each) {
  const mark = each.status === "succeeded" ? "good" : each.status === "failed" ? "bad" : "";
  return el(
    "div",
    { class: "charge" },
    el(
      "p",
      {},
      "Charge ",
      el("code", {}, each.id),
      " ",
      el("span", { class: `badge ${mark}` }, each.failure ?? each.status),
    ),
    ...each.refunds.map(refund),
    ...each.disputes.map(dispute),
    each.status !== "succeeded" || each.is_disputed ? null : chargeButtons(each),
  );
}

function chargeButtons({ id, left, left_shown: shown }) {
  const amount = el("input", {
    id: `amount-${id}`,
    type: "number",
    value: amounts.get(id),
    oninput: (input) => amounts.set(id, input.target.value),
    min: "1",
    max: String(left),
    placeholder: "all",
    "aria-label": "Amount to refund, in the smallest unit",
  });
  const refundIt = () => {
    amounts.delete(id);
    const wanted = amount.value === "" ? {} : { amount: Number(amount.value) };
    return act(`/api/charges/${id}/refund`, wanted);
  };
  return el(
    "div",
    { class: "buttons" },
    ...(left > 0
      ? [amount, button("Refund", refundIt), el("span", { class: "soft" }, `of ${shown} left`)]
      : []),
    button("Dispute", () => act(`/api/charges/${id}/dispute`, {})),
  );
}

function refund({ id, status, total }) {
  return el(
    "p",
    { class: "line" },
    `Refund of ${total} `,
    el("span", { class: `badge ${status === "failed" ? "bad" : "good"}` }, status),
    status === "failed" ? null : button("Fail it", () => act(`/api/refunds/${id}/fail`)),
  );
}

function dispute({ id, status, total }) {
  const close = (outcome) => () => act(`/api/disputes/${id}/close`, { status: outcome });
  const look = { won: "good", lost: "bad" }[status] ?? "";
  return el(
    "p",
    { class: "line" },
    `Dispute over ${total} `,
    el("span", { class: `badge ${look}` }, status.replaceAll("_", " ")),
    ...(look === "" ? [button("Win", close("won")), button("Lose", close("lost"))] : []),
  );
}

function events({ id, events: all }) {
  const details = el(
    "details",
    { class: "events", open: unfolded.has(id) },
    el("summary", {}, plural(all.length, "event")),
    el("ul", {}, ...all.map(event)),
  );
  details.addEventListener("toggle", () => {
    if (details.open) unfolded.add(id);
    else unfolded.delete(id);
  });
  return details;
}

function event({ id, type, outcome, attempts, last, created_at: at }) {
  const look = { delivered: "good", lost: "bad", "given up": "bad" }[outcome] ?? "";
  const tries = attempts === 0 ? "" : `, ${plural(attempts, "attempt")}, last ${last}`;
  return el(
    "li",
    { class: "line" },
    el("code", {}, type),
    el("span", { class: `badge ${look}`, title: id }, outcome + tries),
    shortTime(at),
    button("Deliver", () => act(`/api/events/${id}/deliver`)),
  );
}

function button(label, onclick) {
  return el("button", { type: "button", class: "quiet", onclick }, label);
}

async function act(path, body) {
  const refusal = byId("refusal");
  refusal.hidden = true;
  try {
    await call("POST", path, body);
    announce("Done.");
  } catch (error) {
    refusal.textContent = error.message;
    refusal.hidden = false;
  }
  await show();
}

await show();
watch(show);
