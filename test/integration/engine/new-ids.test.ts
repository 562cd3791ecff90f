/** Ids that statements make: UUID version 7 (RFC 9562), so that an index of a large table grows at its end. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createEagerClock } from "../../support/eager-clock.ts";
import { tickWith } from "../../support/run-engine.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const msOf = (id: string) => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
const AT = new Date("2027-03-01T12:00:00.123Z");

const idsOf = async (places: number): Promise<string[]> => {
  const { rows } = await sending.api.sql.query(
    "select new_uuid($1, place) as id from generate_series(1, $2::int) place order by place",
    [AT, places],
  );
  return rows.map(({ id }) => id);
};

test("rows of one statement sort in their order, however many they are", async () => {
  const ids = await idsOf(20_000);
  for (const id of ids) expect(id).toMatch(VERSION_7);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect(msOf(ids[0]!)).toBe(AT.getTime());
  expect(msOf(ids.at(-1)!)).toBe(AT.getTime() + 4);
});

test("two statements of one instant have no id in common", async () => {
  const [some, others] = [await idsOf(5_000), await idsOf(5_000)];
  expect(new Set([...some, ...others]).size).toBe(10_000);
});

test("messages that are claimed together, and leads of one import, have ids in that order", async () => {
  const { api } = sending;
  const { campaignId } = await sending.campaign(tenant, { leads: 3, aliases: 3 });
  await tickWith({ clock: createEagerClock(api.deps.clock.now().getTime()) });
  const { body } = await tenant.call("POST", "/api/v1/datasets", { name: "In order" });
  const rows = ["z", "a", "m"].map((name) => ({ email: `${name}@example.zz` }));
  await tenant.call("POST", `/api/v1/datasets/${body.id}/import`, { rows });
  const made = [
    await sending.sendsOf(campaignId),
    (
      await api.sql.query("select id from leads where dataset_id = $1 order by row_index", [
        body.id,
      ])
    ).rows,
  ];
  const longAgo = api.deps.clock.now().getTime() - 86_400_000;
  for (const ids of made.map((all) => all.map(({ id }) => id))) {
    expect(ids).toHaveLength(3);
    for (const id of ids) expect(id).toMatch(VERSION_7);
    for (const id of ids) expect(msOf(id)).toBeGreaterThan(longAgo);
  }
  const leads = made[1]!.map(({ id }) => id);
  expect(leads.toSorted()).toEqual(leads);
});

/** Rows that nobody finds by their id: no index has an event's, and a suppression's address is a hash anyway. */
const RANDOM = ["db/engine/outcomes.ts", "db/workspace/events/triggers.ts"];

test("no other statement makes a random id", () => {
  const random = globSync("db/**/*.ts", { cwd: process.cwd() }).filter((file) =>
    readFileSync(file, "utf8").includes("gen_random_uuid"),
  );
  expect(random.toSorted()).toEqual(RANDOM);
});
