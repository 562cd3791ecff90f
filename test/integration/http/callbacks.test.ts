import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callbacks } from "#functions/index.ts";
import { sign } from "../../../scripts/stack/qstash/signature.ts";
import { PUBLIC_BASE_URL, startApi, type TestApi } from "../../support/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

interface Delivery {
  path?: string;
  /** What the signature is for, where it is not what is sent. */
  signed?: { url?: string; body?: string; key?: string; at?: Date };
  body: string;
}

async function deliver(name: string, { path = `/functions/${name}`, signed = {}, body }: Delivery) {
  const { url = PUBLIC_BASE_URL + path, key = "sig_current", at = new Date() } = signed;
  const signature = sign({ url, body: Buffer.from(signed.body ?? body) }, key, at);
  const reply = await api.request(path, {
    method: "POST",
    body,
    headers: { "upstash-signature": signature, "content-type": "application/json" },
  });
  return { status: reply.status, body: (await reply.json()) as { detail?: string } };
}

/** A payload that the callback takes, about things that do not exist. */
const PAYLOADS: Record<string, unknown> = {
  "campaign-tick": { version: 1 },
  "launch-campaign": { campaign_id: randomUUID(), job_id: randomUUID(), version: 1 },
  "launch-check": { campaign_id: randomUUID(), generation: 0 },
  "launch-failed": {
    sourceBody: Buffer.from(
      JSON.stringify({ campaign_id: randomUUID(), job_id: randomUUID(), version: 1 }),
    ).toString("base64"),
  },
  "send-email": { email_id: randomUUID(), version: 1 },
};

/** Everything that a callback could have changed. */
async function changes(): Promise<string> {
  const { rows } = await api.sql.query(
    "select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::text as n from pg_stat_xact_user_tables",
  );
  const { rows: ticks } = await api.sql.query("select last_tick_at from engine_state");
  return JSON.stringify([rows, ticks]);
}

test("every callback has its payload here", () => {
  expect(Object.keys(PAYLOADS).toSorted()).toEqual(callbacks.map(({ name }) => name).toSorted());
});

test.each(callbacks.map(({ name }) => name))(
  "%s: a signature that is another's, old, for another body or another address is 401, and nothing is done",
  async (name) => {
    const body = JSON.stringify(PAYLOADS[name]);
    const before = await changes();
    const refused: Delivery[] = [
      { body, signed: { key: "sig_of_nobody" } },
      { body, signed: { at: new Date(Date.now() - 3_600_000) } },
      { body, signed: { body: "{}" } },
      { body, signed: { url: `${PUBLIC_BASE_URL}/functions/another` } },
      { body, signed: { url: `https://elsewhere.test/functions/${name}` } },
    ];
    for (const delivery of refused) {
      const reply = await deliver(name, delivery);
      expect([reply.status, reply.body.detail]).toEqual([401, "UNAUTHENTICATED"]);
    }
    expect(await changes()).toBe(before);
  },
);

test.each(callbacks.map(({ name }) => name))(
  "%s: a payload of an unknown version, another shape or no JSON is 400, and nothing is done",
  async (name) => {
    const before = await changes();
    const bodies = [
      "not json",
      "[]",
      JSON.stringify({
        ...(PAYLOADS[name] as object),
        version: 99,
        generation: "x",
        sourceBody: 5,
      }),
    ];
    for (const body of bodies) expect((await deliver(name, { body })).status).toBe(400);
    expect(await changes()).toBe(before);
  },
);

test.each(callbacks.map(({ name }) => name))(
  "%s: about something that is gone it does nothing, however often it comes; both keys are taken",
  async (name) => {
    const body = JSON.stringify(PAYLOADS[name]);
    for (const key of ["sig_current", "sig_next", "sig_current"])
      expect((await deliver(name, { body, signed: { key } })).status).toBe(200);
  },
);
