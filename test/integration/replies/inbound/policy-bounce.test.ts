import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { deliverEmail } from "#src/domain/messages/emails/deliver.ts";
import { bounceMail } from "../../../support/incoming.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";
import { post, sentOne } from "./inbound-setting.ts";

useSending();

const HOUR = 3_600;

const refusal = (alias: string, originalMessageId: string) =>
  bounceMail({
    to: alias,
    recipient: "lead1@example.zz",
    status: "5.7.1",
    diagnostic: "550 5.7.1 Message rejected due to spam content; see policy",
    originalMessageId,
  });

const restsUntil = async (aliasId: string): Promise<Date | null> =>
  (await sending.api.sql.query("select closed_until from sender_lanes where id = $1", [aliasId]))
    .rows[0].closed_until;

/** A message of the API's to the same person, that has gone out. */
async function single(aliasId: string): Promise<string> {
  const { body } = await tenant.call("POST", "/api/v1/mailer/emails", {
    alias_id: aliasId,
    to_email: "lead1@example.zz",
    subject: "A question",
    body: "One line.",
  });
  await deliverEmail(sending.api.deps, body.id);
  return body.message_id.slice(1, -1);
}

test("a policy's report on a single message slows a domain of ours down at that operator, and rests nobody", async () => {
  const { alias, aliasIds } = await sentOne();
  const { sql } = sending.api;
  const domain = `${randomUUID()}.zz`;
  const { body } = await tenant.call("POST", "/api/v1/mailer/domains", { domain });
  await sql.query("update mail_aliases set domain_id = $1 where id = $2", [body.id, aliasIds[0]]);
  const messageId = await single(aliasIds[0]!);
  await post(refusal(alias, messageId), alias);
  await post(refusal(alias, messageId), alias);
  const rates = "select operator, per_hour from operator_rates where domain_id = $1";
  const { rows } = await sql.query(rates, [body.id]);
  expect(rows).toEqual([{ operator: "example.zz", per_hour: 30 }]);
  expect(await restsUntil(aliasIds[0]!)).toBeNull();
});

test("of an address without a domain of ours it rests the sender", async () => {
  const { alias, aliasIds } = await sentOne();
  await post(refusal(alias, await single(aliasIds[0]!)), alias);
  expect(await restsUntil(aliasIds[0]!)).not.toBeNull();
});

test.each([
  ["a campaign's message", async (_: string, messageId: string) => messageId],
  ["a single message", single],
])(
  "the report on %s again, by other bytes, does not rest the sender for longer",
  async (_, sent) => {
    const { alias, aliasIds, ...first } = await sentOne();
    const messageId = await sent(aliasIds[0]!, first.messageId);
    await post(refusal(alias, messageId), alias);
    const until = await restsUntil(aliasIds[0]!);
    expect(until).not.toBeNull();
    sending.api.advance(5 * HOUR);
    await post(refusal(alias, messageId), alias);
    expect(await restsUntil(aliasIds[0]!)).toEqual(until);
  },
);
