import { afterAll, beforeAll, beforeEach } from "vitest";
import { runTick } from "#src/domain/jobs/tick.ts";
import { type Mailbox, startMailbox } from "../../scripts/stack/mailbox/mailbox.ts";
import { startApi, type Tenant, type TestApi } from "./api.ts";
import {
  type CampaignOptions,
  type CampaignRows,
  closeAllLanes,
  insertActiveCampaign,
} from "./engine.ts";

/** The engine as the service runs it, over a mailbox that takes what it sends. */
export interface Sending {
  api: TestApi;
  mailbox: Mailbox;
  /** An active campaign whose aliases log in to the mailbox. */
  campaign(
    tenant: Tenant,
    options: Partial<CampaignOptions> & { leads: number },
    password?: string,
  ): Promise<CampaignRows>;
  tick: () => ReturnType<typeof runTick>;
  // Rows as the driver gives them.
  // oxlint-disable-next-line typescript/no-explicit-any
  leadOf(id: string): Promise<any>;
  // oxlint-disable-next-line typescript/no-explicit-any
  sendsOf(campaignId: string): Promise<any[]>;
  /** Closes the lanes of earlier tests, and forgets their messages. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** `overrides` change the environment that the service reads. */
export async function startSending(overrides: Record<string, string> = {}): Promise<Sending> {
  const mailbox = await startMailbox({ username: "relay", password: "secret" });
  const api = await startApi({
    SYSTEM_MAIL_FROM: "Overture <notices@overture.test>",
    SYSTEM_MAIL_URL: `smtp://relay:secret@127.0.0.1:${mailbox.smtp.port}?security=none`,
    ...overrides,
  });
  return {
    api,
    mailbox,
    async campaign(tenant, options, password = "secret") {
      const { host, port } = mailbox.smtp;
      const rows = await insertActiveCampaign(api.sql, tenant, {
        now: api.deps.clock.now(),
        smtp: { host, port },
        ...options,
      });
      const sealed = rows.aliasIds.map((id) =>
        api.deps.vault.seal(password, `mail_aliases:${id}:transport_secret`),
      );
      await api.sql.query(
        `update mail_aliases a set transport_secret = secret, transport_settings = transport_settings || '{"username": "relay"}'
         from unnest($1::uuid[], $2::text[]) sealed(id, secret) where a.id = sealed.id`,
        [rows.aliasIds, await Promise.all(sealed)],
      );
      return rows;
    },
    tick: () => runTick(api.deps),
    leadOf: async (id) =>
      (await api.sql.query("select * from campaign_leads where id = $1", [id])).rows[0],
    sendsOf: async (campaignId) =>
      (
        await api.sql.query("select * from sends where campaign_id = $1 order by slot_at, step", [
          campaignId,
        ])
      ).rows,
    async reset() {
      await closeAllLanes(api.deps);
      mailbox.clear();
      mailbox.faults.clear();
    },
    async close() {
      await mailbox.close();
      await api.close();
    },
  };
}

/** What `useSending` gives a file: a service that sends, and for each test a workspace of its own. */
export let sending: Sending;
export let tenant: Tenant;

/** `env` names what the file has besides, once it is there; `of` is what its workspaces have. */
export function useSending(
  env: () => Promise<Record<string, string>> = async () => ({}),
  of: Parameters<TestApi["tenant"]>[0] = {},
): void {
  beforeAll(async () => {
    sending = await startSending(await env());
  });
  afterAll(() => sending.close());
  beforeEach(async () => {
    await sending.reset();
    tenant = await sending.api.tenant(of);
  });
}
