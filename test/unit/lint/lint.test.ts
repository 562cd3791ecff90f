/** The house's own lint rules fire: oxlint itself, over small trees that break them. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "overture-lint-"));
afterAll(() => rmSync(folder, { recursive: true }));

const TREE: Record<string, string> = {
  "db/senders/aliases.ts": `
    import { sql } from "drizzle-orm";
    export const close = (id: string) => sql\`with a as (select 1) update sender_lanes lane set open = false where id = \${id}\`;
    export const look = () => sql\`select * from sender_lanes for update\`;`,
  "db/access/workspaces.ts": `
    import { outbox, senderLanes } from "../schema/index.ts";
    import { pause } from "../campaigns/pause.ts";
    export const move = (db: any) => db.update(senderLanes).set({ used: 0 });
    export const owe = (db: any) => db.insert(outbox).values({});
    export const read = (db: any) => [pause, db.select().from(senderLanes)];`,
  "db/claims.ts": `
    import { inArray, sql } from "drizzle-orm";
    const due = sql\`select id from a limit 5 for update\`;
    export const all = [due, sql\`update a set b = 1 where id = (select id from a where c in (1, 2) order by d limit \${1}
      for no key update skip locked)\`];
    export const built = (db: any, a: any) => db.update(a).where(inArray(a.id, db.select().from(a).for("update").limit(5)));`,
  "db/claims-once.ts": `
    import { sql } from "drizzle-orm";
    export const all = [
      sql\`with due as materialized (select id from (select id from a limit 9) b limit 5 for update) update a set b = 1 from due where a.id = due.id\`,
      sql\`select id from a where c in (select c from d limit 5) for update\`];
    export const built = (db: any, a: any) => [
      db.$with("due").as(db.select().from(a).limit(5).for("update")),
      db.$with("due", {}).as(sql\`select id from a limit 5 for update\`),
      db.select().from(a).for("update")];`,
  "db/engine/lanes.ts": `
    import { sql } from "drizzle-orm";
    export const wake = () => sql\`update sender_lanes lane set next_slot_at = null\`;`,
  "db/base/fragments/outbox.ts": `
    import { sql } from "drizzle-orm";
    export const owe = () => sql\`insert into outbox (id) values (1)\`;`,
  "src/domain/engine/tick.ts": `
    import { a } from "#src/domain/campaigns/read.ts";
    import { b } from "#src/domain/senders/ramp.ts";
    import { c } from "#src/domain/attic/new.ts";
    import { d } from "./outcome.ts";
    export const all = [a, b, c, d];`,
  "src/domain/messages/tracking/plan.ts": `
    import { a } from "#src/domain/jobs/tick.ts";
    import { b } from "#src/mime/address.ts";
    export const all = [a, b];`,
  "src/mime/address.ts": `
    import { a } from "#db/base/client.ts";
    export const all = [a];`,
  "src/config/fields.ts": `
    import { z } from "zod";
    export const name = z.string();`,
  "src/console/parts/table.tsx": `
    import { signal } from "@preact/signals";
    import { render } from "preact";
    import { Hono } from "hono";
    import { clock } from "#src/platform/system.ts";
    import type { Operations } from "../api/schema.ts";
    export const all: Operations[] = [signal, render, Hono, clock];`,
  "src/http/page.ts": `
    import { Table } from "#src/console/parts/table.tsx";
    export const all = [Table];`,
  "src/config/words.ts": `
    import * as z from "zod";
    export const name = z.string();`,
};

/** What the house's rules say of each file. */
function lint(): Promise<Map<string, string[]>> {
  for (const [file, text] of Object.entries(TREE)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const plugins = ["layers", "locked-limit", "one-writer", "zod-namespace"].map((name) =>
    join(root, `scripts/lint/${name}.js`),
  );
  const rules = {
    "layers/direction": "error",
    "claims/locked-limit": "error",
    "writers/one-writer": "error",
    "zod/namespace": "error",
  };
  writeFileSync(
    join(folder, ".oxlintrc.json"),
    JSON.stringify({ jsPlugins: plugins, categories: { correctness: "off" }, rules }),
  );
  return new Promise((resolve, reject) => {
    const oxlint = join(root, "node_modules/.bin/oxlint");
    execFile(oxlint, ["--format", "json"], { cwd: folder }, (_, stdout, stderr) => {
      const start = stdout.indexOf("{");
      if (start === -1) return reject(new Error(stdout + stderr));
      const found = new Map<string, string[]>();
      for (const { filename, message } of JSON.parse(stdout.slice(start)).diagnostics)
        found.set(filename, [...(found.get(filename) ?? []), message].sort());
      resolve(found);
    });
  });
}

test("the rules of districts, layers, claims, writers and zod fire where they are broken, and nowhere else", async () => {
  const lanes = "only db/engine/lanes.ts and those named in scripts/lint/one-writer.js";
  const claims =
    "what locks rows under a limit stands in a CTE (with due as (...) update ... from due): a sub-select may run again for each row";
  expect(Object.fromEntries(await lint())).toEqual({
    "db/claims.ts": [claims, claims, claims],
    "db/senders/aliases.ts": [`${lanes} write sender_lanes`],
    "db/access/workspaces.ts": [
      "only db/base/fragments/outbox.ts and those named in scripts/lint/one-writer.js write outbox",
      `${lanes} write sender_lanes`,
      'the district "access" may not import "campaigns" (db/campaigns/pause.ts), which stands on its floor or above',
    ],
    "src/config/fields.ts": ['import * as z from "zod", or the bundle holds all of it'],
    "src/domain/engine/tick.ts": [
      'the district "attic" of src/domain stands on no floor: enter it in scripts/lint/layers.js',
      'the district "engine" may not import "campaigns" (src/domain/campaigns/read.ts), which stands on its floor or above',
    ],
    "src/domain/messages/tracking/plan.ts": [
      'the district "messages" may not import "jobs" (src/domain/jobs/tick.ts), which stands on its floor or above',
    ],
    "src/console/parts/table.tsx": [
      'the layer "console" may not import "system" (src/platform/system.ts)',
      'the layer "console" may not import the package "hono"',
    ],
    "src/http/page.ts": ['the layer "http" may not import "console" (src/console/parts/table.tsx)'],
    "src/mime/address.ts": ['the layer "library" may not import "db" (db/base/client.ts)'],
  });
});
