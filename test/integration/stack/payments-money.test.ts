import type { Stripe } from "stripe";
import { describe, expect, test } from "vitest";
import { bought, order, paymentsSetting, refusal } from "./payments-setting.ts";

const setting = paymentsSetting();
const refunds = () => setting.stripe.refunds;
const chargeNow = (id: string) => setting.stripe.charges.retrieve(id);
/** What arrived, in any order: events may overtake each other. */
const types = async () => (await setting.events()).map(({ type }) => type).sort();

describe("a refund", () => {
  test("takes a part, and then what is left; the charge adds up", async () => {
    const { charge, intent } = await bought(setting);
    const part = await refunds().create({ charge, amount: 500, metadata: { why: "half" } });
    expect(part).toMatchObject({ status: "succeeded", amount: 500, payment_intent: intent });
    expect(await chargeNow(charge)).toMatchObject({ amount_refunded: 500, refunded: false });
    const rest = await refunds().create({
      payment_intent: intent,
      reason: "requested_by_customer",
    });
    expect(rest).toMatchObject({ charge, amount: 1400, reason: "requested_by_customer" });
    expect(await chargeNow(charge)).toMatchObject({ amount_refunded: 1900, refunded: true });
    const listed = await refunds().list({ charge });
    expect(listed.data.map(({ id }) => id)).toEqual([rest.id, part.id]);
    expect(await refunds().retrieve(part.id)).toMatchObject({ metadata: { why: "half" } });
  });

  test("tells the endpoint how much was refunded in all, each time", async () => {
    const { charge } = await bought(setting);
    await refunds().create({ charge, amount: 500 });
    await refunds().create({ charge });
    await setting.part.idle();
    const events = (await setting.events()).filter(({ type }) => type === "charge.refunded");
    const refunded = events.map(({ data }) => data.object as Stripe.Charge);
    expect(
      refunded.sort((one, other) => one.amount_refunded - other.amount_refunded),
    ).toMatchObject([
      { id: charge, amount_refunded: 500, refunded: false },
      { id: charge, amount_refunded: 1900, refunded: true },
    ]);
    expect(events[0]?.request?.id).toMatch(/^req_/);
  });

  test("of more than is left, of all twice, or of nothing paid is refused in Stripe's words", async () => {
    const { charge } = await bought(setting);
    await refunds().create({ charge, amount: 1000 });
    expect(await refusal(refunds().create({ charge, amount: 901 }))).toMatchObject({
      statusCode: 400,
      param: "amount",
      message: "Refund amount ($9.01) is greater than unrefunded amount on charge ($9.00)",
    });
    await refunds().create({ charge });
    expect(await refusal(refunds().create({ charge }))).toMatchObject({
      code: "charge_already_refunded",
    });
    const { id } = await setting.stripe.checkout.sessions.create(order());
    await setting.act(`sessions/${id}/decline`);
    const { data } = await setting.stripe.charges.list({ limit: 1 });
    expect(await refusal(refunds().create({ charge: data[0]?.id ?? "" }))).toMatchObject({
      code: "charge_not_refundable",
    });
    expect(await refusal(refunds().create({ charge: "ch_none" }))).toMatchObject({
      statusCode: 404,
      code: "resource_missing",
      message: "No such charge: 'ch_none'",
    });
    expect(await refusal(refunds().create({}))).toMatchObject({ code: "parameter_missing" });
  });

  test("that fails gives the charge its money back, and can be made again", async () => {
    const { charge } = await bought(setting);
    const { id } = await refunds().create({ charge });
    await setting.act(`refunds/${id}/fail`);
    expect(await refunds().retrieve(id)).toMatchObject({
      status: "failed",
      failure_reason: "expired_or_canceled_card",
    });
    expect(await chargeNow(charge)).toMatchObject({ amount_refunded: 0, refunded: false });
    await expect(setting.act(`refunds/${id}/fail`)).rejects.toThrow("422");
    expect((await refunds().create({ charge })).amount).toBe(1900);
    await setting.part.idle();
    expect(await types()).toEqual([
      "charge.refunded",
      "charge.refunded",
      "checkout.session.completed",
      "refund.created",
      "refund.created",
      "refund.failed",
      "refund.updated",
    ]);
  });
});

describe("a dispute", () => {
  const dispute = async (charge: string, body = {}) =>
    String((await setting.act(`charges/${charge}/dispute`, body))["id"]);

  test("withdraws the money, and stands in the way of a refund", async () => {
    const { charge, intent } = await bought(setting);
    const id = await dispute(charge, { reason: "duplicate" });
    expect(await setting.stripe.disputes.retrieve(id)).toMatchObject({
      charge,
      payment_intent: intent,
      amount: 1900,
      status: "needs_response",
      reason: "duplicate",
      balance_transactions: [{ amount: -1900 }],
    });
    expect(await chargeNow(charge)).toMatchObject({ disputed: true });
    expect(await refusal(refunds().create({ charge }))).toMatchObject({ code: "charge_disputed" });
    await expect(dispute(charge)).rejects.toThrow("disputed already");
    const { data } = await setting.stripe.disputes.list({ payment_intent: intent });
    expect(data.map((each) => each.id)).toEqual([id]);
  });

  test("that is won brings it back; the charge can be refunded, and disputed again", async () => {
    const { charge } = await bought(setting);
    const id = await dispute(charge);
    await setting.act(`disputes/${id}/close`, { status: "won" });
    expect(await setting.stripe.disputes.retrieve(id)).toMatchObject({
      status: "won",
      balance_transactions: [{ amount: -1900 }, { amount: 1900 }],
    });
    await expect(setting.act(`disputes/${id}/close`, { status: "lost" })).rejects.toThrow("won");
    expect((await refunds().create({ charge, amount: 900 })).amount).toBe(900);
    await dispute(charge);
    await setting.part.idle();
    expect(await types()).toEqual([
      "charge.dispute.funds_reinstated",
      "charge.dispute.funds_withdrawn",
      "charge.dispute.funds_withdrawn",
      "charge.refunded",
      "checkout.session.completed",
      "refund.created",
    ]);
  });

  test("that is lost is closed, and nothing comes back", async () => {
    const { charge } = await bought(setting);
    await setting.act(`disputes/${await dispute(charge)}/close`, { status: "lost" });
    expect(await refusal(refunds().create({ charge }))).toMatchObject({ code: "charge_disputed" });
    const { data } = await setting.stripe.events.list({ type: "charge.dispute.*" });
    expect(data.map(({ type }) => type)).toEqual([
      "charge.dispute.closed",
      "charge.dispute.funds_withdrawn",
      "charge.dispute.created",
    ]);
    expect((await setting.stripe.balance.retrieve()).available[0]?.amount).toBe(0);
  });

  test("may be over the whole charge although a part was refunded, and not over more", async () => {
    const { charge } = await bought(setting);
    await refunds().create({ charge, amount: 1000 });
    await expect(dispute(charge, { amount: 1901 })).rejects.toThrow("more than the charge");
    const id = await dispute(charge);
    expect((await setting.stripe.disputes.retrieve(id)).amount).toBe(1900);
  });
});
