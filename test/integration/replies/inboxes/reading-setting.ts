import * as tls from "node:tls";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { readDueInboxes } from "#src/domain/replies/inbound/inbox/read-due.ts";
import { createLocalCertificate } from "../../../../scripts/stack/certificate.ts";
import { type Mailbox, startMailbox } from "../../../../scripts/stack/mailbox/mailbox.ts";
import { bounceMail, type Incoming, rawMail } from "../../../support/incoming.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";

export { sending, tenant };
export const PASSWORD = "s3cret-of-the-inbox";

/** Where the senders' own mailboxes are, apart from the relay by which they send. */
export let provider: Mailbox;

/** A service that sends, and a provider whose mailboxes it can read. */
export function useReading(): void {
  useSending();
  beforeAll(async () => {
    const certificate = createLocalCertificate();
    tls.setDefaultCACertificates([...tls.rootCertificates, certificate.ca]);
    provider = await startMailbox({ username: "relay", password: PASSWORD, tls: certificate });
  });
  afterAll(() => provider.close());
  beforeEach(async () => {
    provider.clear();
    provider.faults.clear();
    await sending.api.sql.query("delete from inboxes");
  });
}

/** The reading of all that is due, as the queue's callback does it. */
export const read = () => readDueInboxes(sending.api.deps);

/** The same when the next round begins. */
export async function readNext() {
  await sending.api.sql.query("update inboxes set next_read_at = $1", [new Date()]);
  return read();
}

export const rowOf = async (aliasId: string) =>
  (await sending.api.sql.query("select * from inboxes where alias_id = $1", [aliasId])).rows[0];

export async function connectInbox(aliasId: string, more: Record<string, unknown> = {}) {
  const { host, port } = provider.imap;
  const inbox = { kind: "imap", host, port, password: PASSWORD, ...more };
  const answer = await tenant.call("PATCH", `/api/v1/mailer/aliases/${aliasId}`, { inbox });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
}

/** A campaign whose first messages have gone out from an alias whose inbox is read, and its leads. */
export async function sentOne(leads = 1) {
  const rows = await sending.campaign(tenant, {
    leads,
    steps: [{ delayDays: 0 }, { delayDays: 1 }],
    // Longer than a tick looks ahead: on a slow machine it would wait, in real time, for the next slot too.
    intervalSeconds: 300,
  });
  for (let sent = 0; sent < leads; sent++) {
    if (sent > 0) sending.api.advance(400);
    await sending.tick();
  }
  const sends = await sending.sendsOf(rows.campaignId);
  const aliasId = rows.aliasIds[0]!;
  const { rows: aliases } = await sending.api.sql.query(
    "select email from mail_aliases where id = $1",
    [aliasId],
  );
  const email = aliases[0].email as string;
  provider.boxes.open(email);
  await connectInbox(aliasId);
  return {
    ...rows,
    aliasId,
    email,
    sends,
    messageId: sends[0].message_id as string,
    lead: (at = 0) => sending.leadOf(rows.campaignLeadIds[at]!),
    /** Lays a mail into the alias's inbox, as its provider does. */
    put: (raw: string, at = new Date()) => provider.boxes.put(email, raw, { at }),
  };
}

export const replyTo = (messageId: string, to: string, more: Partial<Incoming> = {}): string =>
  rawMail({
    from: "Ada <lead1@example.zz>",
    to,
    headers: [`In-Reply-To: <${messageId}>`, `References: <${messageId}>`],
    body: "Sounds good, call me.\r\n",
    ...more,
  });

/** The report that the recipient of that message does not exist. */
export const bounceOf = (originalMessageId: string, to: string, recipient = "lead1@example.zz") =>
  bounceMail({
    to,
    recipient,
    status: "5.1.1",
    diagnostic: "550 5.1.1 User unknown",
    originalMessageId,
  });
