/** A pooler or a proxy between service and database may carry a statement out twice, and answer what the second said. */
import { expect, test } from "vitest";
import { tickWith } from "../../support/run-engine.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();

test("what a pooler has carried out twice is sent once, and is known to be", async () => {
  const { api, mailbox } = sending;
  const { campaignId, aliasIds } = await sending.campaign(tenant, { leads: 20, aliases: 20 });
  let repeated = 0;
  await tickWith({
    store: (own) => ({
      recordAndBegin(...args) {
        repeated++;
        api.neon.faults.order("repeated", 1);
        return own.recordAndBegin(...args);
      },
    }),
  });
  expect(repeated).toBeGreaterThan(2);
  const to = mailbox.wireLog().map(({ envelope }) => envelope.to[0]);
  expect(to).toHaveLength(20);
  expect(new Set(to).size).toBe(20);
  const sends = await sending.sendsOf(campaignId);
  expect(sends.map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(
    Array(20).fill("accepted 1"),
  );
  const { rows } = await api.sql.query(
    "select sum(used)::int as used from sender_lanes where id = any($1)",
    [aliasIds],
  );
  expect(rows[0].used).toBe(20);
});
