import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach } from "vitest";
import { deliverNews } from "#src/domain/workspace/webhooks/jobs.ts";
import { type Received, startReceiver } from "../../../support/receiver.ts";
import { api, query, tenant, useApi } from "../../../support/use-api.ts";

export { api, query, tenant };
export const HOOKS = "/api/v2/webhooks";
export let receiver: Awaited<ReturnType<typeof startReceiver>>;

/** A workspace of its own and a receiver for each test. */
export function useReceiver(): void {
  useApi({ eachTest: true });
  beforeAll(() => {
    // The queue of this file calls nobody: a test says itself when events are delivered.
    api.deps.queue = { ...api.deps.queue, publish: async () => ({ messageId: "" }) };
  });
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await query`delete from webhooks`;
    await receiver.close();
  });
}

export interface Hook {
  id: string;
  secret: string;
  path: string;
}
export async function hook(more: object = {}, url = receiver.url): Promise<Hook> {
  // Its place is before whatever may still be under way, such as how the workspace was made.
  await untilSettled();
  const { status, text, body } = await tenant.call("POST", HOOKS, { url, ...more });
  if (status !== 201) throw new Error(text);
  return { id: body.id, secret: body.secret, path: `${HOOKS}/${body.id}` };
}

/** Events of the workspace, as if something had happened. */
export async function happen(count: number, type = "email.sent"): Promise<string[]> {
  const rows = await query`
    insert into events (workspace_id, id, type, at, data)
    select ${tenant.workspaceId}, gen_random_uuid(), ${type}, ${api.deps.clock.now()}, jsonb_build_object('n', n)
    from generate_series(1, ${count}::int) n returning id`;
  await untilSettled();
  return rows.map(({ id }) => id as string);
}

/** What other files write into databases beside this one holds the feed up while it lasts. */
export async function untilSettled(): Promise<void> {
  const [{ now }] = await query`select pg_current_xact_id()::text as now`;
  for (;;) {
    const [{ over }] =
      await query`select pg_snapshot_xmin(pg_current_snapshot()) > ${now}::xid8 as over`;
    if (over) return;
    await sleep(5);
  }
}

export const deliver = () => deliverNews(api.deps);
export const idsOf = (messages: readonly Received[]) => messages.map(({ body }) => body.id);
export const read = async ({ path }: Hook) => (await tenant.call("GET", path)).body;
export const deliveries = async ({ id }: Hook) =>
  query`select * from webhook_deliveries where webhook_id = ${id} order by created_at, id`;
