/**
 * Rolling back is deploying the older commit: its tick calls the functions of the version before, on the
 * schema and the data of the newer one. A clone may lack the older commit, the migrations keep its functions. Of
 * what the first migration makes there is no version before: the build before calls the same.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { beginRecord } from "#db/engine/begin.ts";
import { claimFunction, isOnlyParked, readClaimed } from "#db/engine/claim.ts";
import { call, type EngineFunction } from "#db/engine/function-call.ts";
import { kindArray } from "#db/engine/lanes.ts";
import { outcomeRecord } from "#db/engine/outcome-record.ts";
import { recordAndBeginFunction } from "#db/engine/record-and-begin.ts";
import { type BegunSend, createPostgresStore, type SendStore } from "#db/engine/index.ts";
import { instantParam } from "#db/base/instants.ts";
import { MIGRATIONS_FOLDER } from "../../../scripts/apply-migrations.ts";
import { tickWith } from "../../support/run-engine.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();

const migrations = readdirSync(MIGRATIONS_FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .toSorted()
  .map((name) => readFileSync(join(MIGRATIONS_FOLDER, name), "utf8"));

const placeOf = ({ name }: EngineFunction) =>
  migrations.findIndex((text) => text.includes(`create function ${name}(`));
const before = (fn: EngineFunction): EngineFunction =>
  placeOf(fn) === 0
    ? fn
    : { ...fn, name: fn.name.replace(/\d+$/, (version) => String(Number(version) - 1)) };

/** Calls the functions as the build before does: when a version changes what they are told, its old words move here. */
function olderStore(): SendStore {
  const { db } = sending.api.deps;
  return {
    ...createPostgresStore(db),
    async claim({ now, until, limit, leaseSeconds, workerToken }) {
      const { rows } = await db.execute(
        call(
          before(claimFunction),
          instantParam(now),
          instantParam(until),
          sql`${limit}::int`,
          sql`${leaseSeconds}::int`,
          sql`${workerToken}::uuid`,
          kindArray(["email"]),
        ),
      );
      return isOnlyParked(rows) ? [] : rows.map(readClaimed);
    },
    async recordAndBegin(now, workerToken, outcomes, begin) {
      const { rows } = await db.execute<{ id: string; refusal: string | null }>(
        call(
          before(recordAndBeginFunction),
          instantParam(now),
          sql`${workerToken}::uuid`,
          sql`${JSON.stringify(outcomes.map(outcomeRecord))}::jsonb`,
          sql`${JSON.stringify(begin.map(beginRecord))}::jsonb`,
        ),
      );
      return rows.map(
        ({ id, refusal }) =>
          (refusal === null
            ? { id, begun: true }
            : { id, begun: false, reason: refusal }) as BegunSend,
      );
    },
  };
}

test("the build before brings a campaign to its end on the newest schema, in turns with the newest", async () => {
  const { api, mailbox } = sending;
  const { campaignId } = await sending.campaign(tenant, {
    leads: 8,
    aliases: 3,
    steps: [{ delayDays: 0 }, { delayDays: 1 }],
  });
  const path = `/api/v1/campaigns/${campaignId}`;
  await tenant.call("POST", "/api/v1/suppressions", { value: "lead8@example.zz" });
  mailbox.faults.order("rcpt_refused", 1);
  mailbox.faults.order("data_deferred", 2);
  const stores = [olderStore(), olderStore(), createPostgresStore(api.deps.db)];
  const statusNow = async () => (await tenant.call("GET", path)).body.status;
  for (let ticks = 0; ticks < 60 && (await statusNow()) !== "completed"; ticks++) {
    await tickWith({ store: stores[ticks % stores.length]! });
    // The second step falls due a day on.
    api.advance(ticks < 20 ? 100 : 7_200);
  }
  expect(await statusNow()).toBe("completed");
  const sends = await sending.sendsOf(campaignId);
  const accepted = sends.filter(({ state }) => state === "accepted");
  // Of eight leads one is refused and one suppressed.
  expect(accepted).toHaveLength(2 * 6);
  const wire = mailbox.wireLog().filter(({ reply }) => reply?.startsWith("250"));
  expect(wire).toHaveLength(2 * 6);
});

test("migrations since the version before take nothing away that its build uses", () => {
  const released = Math.max(
    ...[claimFunction, recordAndBeginFunction].map((fn) => placeOf(before(fn))),
  );
  expect(released).toBeGreaterThanOrEqual(0);
  const since = migrations
    .slice(released + 1)
    .flatMap((text) => text.split("--> statement-breakpoint"));
  const takesAway =
    /drop (table|column)|\brename\b|set not null|add column (?!.*\b(default|generated always)\b).*not null/i;
  expect(since.filter((statement) => takesAway.test(statement))).toEqual([]);
});
