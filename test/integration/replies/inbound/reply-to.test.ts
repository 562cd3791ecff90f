import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { deliverEmail } from "#src/domain/messages/emails/deliver.ts";
import type { Tenant } from "../../../support/api.ts";
import { queryOf } from "../../../support/query.ts";
import { rawMail } from "../../../support/incoming.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";
import { post } from "./inbound-setting.ts";

useSending();

const query = queryOf(() => sending.api.sql);
const PERSON = "lead1@example.zz";
const WORDS = "Hello, about your mail: yes.";
const addressAt = (local: string) => `${local}@d${randomUUID().slice(0, 8)}.zz`;
/** An answer that names no message. */
const bare = (to: string, from = PERSON) => rawMail({ from, to, body: WORDS });

/** A workspace that has written to the person from `email`, and takes answers at `replyTo`. */
async function wrote(who: Tenant, email: string, replyTo: string | null) {
  const steps = [{ delayDays: 0 }, { delayDays: 1 }];
  const { campaignLeadIds, aliasIds } = await sending.campaign(who, { leads: 1, steps });
  await query`update mail_aliases set email = ${email}, reply_to = ${replyTo} where id = ${aliasIds[0]}`;
  await sending.tick();
  return async () => [(await sending.leadOf(campaignLeadIds[0]!)).status, await heardBy(who)];
}

async function heardBy({ workspaceId }: Tenant): Promise<string[]> {
  const rows = await query`
    select text from conversation_messages where workspace_id = ${workspaceId} and direction = 'in'`;
  return rows.map(({ text }) => String(text).trim());
}

const provesDomainOf = (email: string, who: Tenant) =>
  query`
    insert into mail_domains (id, workspace_id, user_id, created_at, updated_at, domain, status, dkim_selector, dkim_public_key, dkim_private_key)
    values (gen_random_uuid(), ${who.workspaceId}, ${who.userId}, now(), now(), ${email.split("@")[1]}, 'verified', 's', 'k', 'k')`;

test("an answer to the address that forwards is about the alias that names it", async () => {
  const replyTo = addressAt("replies");
  const alpha = await wrote(tenant, addressAt("s"), replyTo.toUpperCase());
  expect((await post(bare(replyTo), replyTo)).body.matched_by).toBe("address");
  expect(await alpha()).toEqual(["replied", [WORDS]]);
});

test("so is one to a single message of that alias", async () => {
  const [replyTo, person] = [addressAt("replies"), addressAt("ada")];
  const { aliasIds } = await sending.campaign(tenant, { leads: 0 });
  await query`update mail_aliases set reply_to = ${replyTo} where id = ${aliasIds[0]}`;
  const email = { alias_id: aliasIds[0], to_email: person, subject: "Hello", body: "Hello" };
  const { body } = await tenant.call("POST", "/api/v1/mailer/emails", email);
  await deliverEmail(sending.api.deps, body.id);
  expect((await post(bare(replyTo, person), replyTo)).body.matched_by).toBe("address");
  expect(await heardBy(tenant)).toEqual([WORDS]);
});

test("who takes answers at another's address stops writing with them, and reads none", async () => {
  const address = addressAt("s");
  const alpha = await wrote(tenant, address, null);
  await provesDomainOf(address, tenant);
  const bravo = await wrote(await sending.api.tenant(), addressAt("t"), address);
  await post(bare(address), address);
  expect(await alpha()).toEqual(["replied", [WORDS]]);
  expect(await bravo()).toEqual(["replied", []]);
});

test("an alias's mail that comes by a shared address for answers stays its owner's", async () => {
  const [address, replyTo] = [addressAt("s"), addressAt("replies")];
  const alpha = await wrote(tenant, address, replyTo);
  await provesDomainOf(address, tenant);
  const bravo = await wrote(await sending.api.tenant(), addressAt("t"), replyTo);
  await post(bare(address), replyTo);
  expect(await alpha()).toEqual(["replied", [WORDS]]);
  expect(await bravo()).toEqual(["replied", []]);
});
