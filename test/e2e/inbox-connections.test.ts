import { expect, test } from "vitest";
import { startLateLine } from "../bench/late-line.ts";
import { eventually } from "../support/service.ts";
import { type SharedService, sharedService } from "../support/shared-service.ts";

/** More messages of the queue than connections: a message is for twenty. */
const INBOXES = 80;
const REPLY_LATENCY_MS = 20;

/** A worker has so many in hand while it reads them, one after the other over one connection at a time. */
const INBOXES_A_WORKER = 20;

/** One round over all of them; how many workers were reading at once. */
async function round({ sql, stack }: SharedService): Promise<number> {
  await stack.qstash.idle();
  await sql.query("update inboxes set next_read_at = $1, read_at = null", [new Date()]);
  let most = 0;
  const looking = stack.heartbeat.runNow();
  await eventually("all inboxes are read", async () => {
    const { rows } = await sql.query(`
      select count(*) filter (where read_at is null)::int as unread, count(leased_until)::int as in_hand from inboxes`);
    most = Math.max(most, rows[0].in_hand);
    return rows[0].unread === 0;
  });
  await looking;
  return most / INBOXES_A_WORKER;
}

test("a deployment reads as many inboxes at once as INBOX_CONNECTIONS says, and no more", async () => {
  const service = await sharedService(async () => ({ INBOX_CONNECTIONS: "2" }));
  const { smtp, imap } = service.stack.mailbox;
  const line = await startLateLine(imap.port, REPLY_LATENCY_MS);
  try {
    const { port } = new URL(`imaps://${line.address}`);
    for (let index = 0; index < INBOXES; index++)
      await service.api("POST", "/api/v1/mailer/aliases", {
        email: `inbox${index}@sender.zz`,
        display_name: "Sender",
        transport: { kind: "smtp", host: smtp.host, port: smtp.port, security: smtp.security },
        inbox: { kind: "imap", host: imap.host, port: Number(port), password: smtp.password },
      });
    expect(await round(service)).toBe(2);
    await service.rebind({ INBOX_CONNECTIONS: "3" });
    expect(await round(service)).toBe(3);
  } finally {
    await line.close();
  }
});
