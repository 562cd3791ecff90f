import nodemailer from "nodemailer";
import pg from "pg";
import { sign } from "../../scripts/stack/qstash/signature.ts";
import type { Tenant } from "../support/api.ts";
import { insertActiveCampaign } from "../support/engine.ts";
import type { TestService } from "../support/service.ts";
import { range } from "./report.ts";

const MESSAGES = 200;
const CONNECTIONS = 5;

/**
 * Messages per second through the whole tick in workerd (claim, render, MIME,
 * guard, handover, record) against nodemailer's pool in Node that only builds and
 * sends, to the same sink, in alternating rounds.
 */
export async function benchTick(service: TestService, rounds: number): Promise<void> {
  const { smtp } = service.stack.mailbox;
  const sql = new pg.Pool({ connectionString: service.stack.databaseUrl, max: 2 });
  sql.on("error", () => {});
  const { rows } = await sql.query(
    "select w.id, w.owner_user_id from workspaces w where plan = 'paid' limit 1",
  );
  const tenant = { workspaceId: rows[0].id, userId: rows[0].owner_user_id } as Tenant;
  service.stack.qstash.pause();
  const campaign = await insertActiveCampaign(sql, tenant, {
    leads: MESSAGES * (rounds + 1),
    aliases: MESSAGES,
    dailyLimit: 10_000,
    now: new Date(),
    smtp,
    aliasCap: 10_000,
  });
  const { rows: sealed } = await sql.query(
    "select id, transport_secret, transport_settings from mail_aliases where workspace_id = $1 and transport_secret is not null limit 1",
    [tenant.workspaceId],
  );
  if (sealed.length > 0)
    throw new Error("The benchmark wants a workspace without aliases of its own");
  await giveCredential(service, sql, campaign.aliasIds);

  const ours: number[] = [];
  const theirs: number[] = [];
  const oursConnections: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    await sql.query(
      "update sender_lanes set next_slot_at = $1, last_slot_at = null, last_begun_at = null where id = any($2)",
      [new Date(), campaign.aliasIds],
    );
    const connectionsBefore = service.stack.mailbox.connections;
    const tick = await timeTick(service);
    const connections = service.stack.mailbox.connections - connectionsBefore;
    const pool = await timeNodemailer(service, connections);
    if (round === 0) continue;
    ours.push(tick);
    theirs.push(pool);
    oursConnections.push(connections);
  }
  const ratios = ours.map((value, index) => value / theirs[index]!);
  console.log(
    `\nMail, ${MESSAGES} messages a round, one relay credential, ${range(oursConnections)} connections each, ${rounds} alternating rounds: median (min-max)`,
  );
  console.log(`  whole tick in workerd      ${range(ours)} messages/s`);
  console.log(`  nodemailer pool in Node    ${range(theirs)} messages/s`);
  console.log(`  ratio                      ${range(ratios, 2)}`);
  await sql.end();
  service.stack.qstash.resume();
}

/** Every alias logs in with the same account, as senders behind one relay do. */
async function giveCredential(
  service: TestService,
  sql: pg.Pool,
  aliasIds: string[],
): Promise<void> {
  const { host, port, security, username } = service.stack.mailbox.smtp;
  await sql.query("update mail_aliases set transport_settings = $2 where id = any($1)", [
    aliasIds,
    JSON.stringify({ host, port, security, username }),
  ]);
  // The password is sealed per alias by the service itself.
  for (const id of aliasIds) {
    await service.api("PATCH", `/api/v1/mailer/aliases/${id}`, {
      transport: {
        kind: "smtp",
        host,
        port,
        security,
        username,
        password: service.stack.mailbox.smtp.password,
      },
    });
  }
}

async function timeTick(service: TestService): Promise<number> {
  const url = `${service.baseUrl}/functions/campaign-tick`;
  const body = JSON.stringify({ version: 1 });
  const signature = sign(
    { url, body: Buffer.from(body) },
    service.stack.qstash.currentSigningKey,
    new Date(),
  );
  const startedAt = performance.now();
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "upstash-signature": signature },
    body,
  });
  const report = (await response.json()) as { result?: { accepted: number } };
  const accepted = report.result?.accepted ?? 0;
  if (accepted !== MESSAGES)
    throw new Error(`The tick sent ${accepted} of ${MESSAGES}: ${JSON.stringify(report)}`);
  return accepted / ((performance.now() - startedAt) / 1000);
}

async function timeNodemailer(service: TestService, connections: number): Promise<number> {
  const { host, port, username, password } = service.stack.mailbox.smtp;
  const pool = nodemailer.createTransport({
    pool: true,
    maxConnections: connections || CONNECTIONS,
    maxMessages: Infinity,
    host,
    port,
    secure: false,
    auth: { user: username, pass: password },
    tls: { ca: service.stack.caCertificates, servername: "localhost" },
  });
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: MESSAGES }, (_, index) =>
      pool.sendMail({
        from: "Sender <sender@sender.zz>",
        to: `lead${index}@example.zz`,
        subject: `Hello Lead ${index}`,
        text: `Step 1 for Lead ${index}, see this (https://example.com/1)`,
        html: `<p>Step 1 for Lead ${index}, see <a href="https://example.com/1">this</a></p>`,
        headers: {
          "List-Unsubscribe": "<http://127.0.0.1/u/x>",
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
      }),
    ),
  );
  const perSecond = MESSAGES / ((performance.now() - startedAt) / 1000);
  pool.close();
  return perSecond;
}
