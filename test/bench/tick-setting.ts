import pg from "pg";
import { sign } from "../../scripts/stack/qstash/signature.ts";
import type { Tenant } from "../support/api.ts";
import { insertActiveCampaign } from "../support/engine.ts";
import type { TestService } from "../support/service.ts";
import { SENDER, campaignText } from "./mail/letter.ts";
import { SINK_LOGIN } from "./mail/sink.ts";

/** As many as a tick takes at most, each from a sender of its own: the tick waits for no gap. */
export const MESSAGES = 200;

/** A campaign whose every sender is due at each tick. */
export interface TickSetting {
  sql: pg.Pool;
  /** Makes every sender due, with or without a domain that signs for it, and runs a tick. */
  makeDue(signed: boolean): Promise<void>;
  tick(): Promise<void>;
  close(): Promise<void>;
}

/** `port` is the relay's: all senders log in with one account, as those of one provider do. */
export async function tickSetting(
  service: TestService,
  port: number,
  leads: number,
): Promise<TickSetting> {
  // What this process writes is not the engine's: it is left out of the counts.
  const sql = new pg.Pool({
    connectionString: service.stack.databaseUrl,
    max: 1,
    application_name: "bench",
    options: "-c track_counts=off",
  });
  sql.on("error", () => {});
  const { rows } = await sql.query(
    "select w.id, w.owner_user_id from workspaces w where plan = 'paid' limit 1",
  );
  const tenant = { workspaceId: rows[0].id, userId: rows[0].owner_user_id } as Tenant;
  service.stack.qstash.pause();
  const { campaignId, aliasIds } = await insertActiveCampaign(sql, tenant, {
    leads,
    aliases: MESSAGES,
    dailyLimit: 1_000_000,
    aliasCap: 1_000_000,
    now: new Date(),
    domain: `port${port}.example.zz`,
  });
  await sql.query(
    `update campaigns set steps = jsonb_set(steps, '{0,variants,0}', steps #> '{0,variants,0}' || $2::jsonb) where id = $1`,
    [campaignId, JSON.stringify(campaignText)],
  );
  const domainId = await signingDomain(service);
  for (const id of aliasIds) await giveAccount(service, id, port);
  await sql.query("vacuum analyze");
  return {
    sql,
    async makeDue(signed) {
      await sql.query("update mail_aliases set domain_id = $2 where id = any($1)", [
        aliasIds,
        signed ? domainId : null,
      ]);
      await sql.query(
        "update sender_lanes set next_slot_at = $1, last_slot_at = null, last_begun_at = null where id = any($2)",
        [new Date(), aliasIds],
      );
    },
    tick: () => tick(service),
    async close() {
      await sql.query("update campaigns set status = 'paused' where id = $1", [campaignId]);
      await sql.end();
      service.stack.qstash.resume();
    },
  };
}

async function signingDomain(service: TestService): Promise<string> {
  const domain = SENDER.split("@")[1]!;
  const path = "/api/v1/mailer/domains";
  const all = (await service.api("GET", path)) as { id: string; domain: string }[];
  const known = all.find((each) => each.domain === domain);
  if (known !== undefined) return known.id;
  return ((await service.api("POST", path, { domain })) as { id: string }).id;
}

/** The service itself seals the password. */
async function giveAccount(service: TestService, aliasId: string, port: number): Promise<void> {
  const transport = { kind: "smtp", host: "localhost", port, security: "starttls", ...SINK_LOGIN };
  await service.api("PATCH", `/api/v1/mailer/aliases/${aliasId}`, { transport });
}

/** As the queue calls it. Throws unless it sent all. */
async function tick({ baseUrl, stack }: TestService): Promise<void> {
  const url = `${baseUrl}/functions/campaign-tick`;
  const body = JSON.stringify({ version: 1 });
  const at = { url, body: Buffer.from(body) };
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "upstash-signature": sign(at, stack.qstash.currentSigningKey, new Date()),
    },
    body,
  });
  const report = (await response.json()) as { result?: { accepted: number } };
  if (report.result?.accepted !== MESSAGES)
    throw new Error(`The tick did not send ${MESSAGES}: ${JSON.stringify(report)}`);
}
