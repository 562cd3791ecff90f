import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ENGINE_FUNCTIONS, functionText } from "#db/engine/functions.ts";
import { COUNTED_LEADS, LEAD_SUM_TRIGGERS } from "#db/campaigns/lead-sum-triggers.ts";
import { SUM_TRIGGERS } from "#db/campaigns/sum-triggers.ts";
import { EVENT_SOURCES, triggerText } from "#db/workspace/events/triggers.ts";
import { MIGRATIONS_FOLDER } from "../../../scripts/apply-migrations.ts";

const migrations = readdirSync(MIGRATIONS_FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .map((name) => readFileSync(join(MIGRATIONS_FOLDER, name), "utf8"));

test.each(ENGINE_FUNCTIONS.map((fn) => [fn.name, fn] as const))(
  "%s in the migrations is the one that this build is written for",
  (name, fn) => {
    const holding = migrations.filter((text) => text.includes(`create function ${name}(`));
    expect(holding).toHaveLength(1);
    expect(holding[0]).toContain(functionText(fn));
  },
);

test.each(EVENT_SOURCES.map((source) => [source.name, source] as const))(
  "the trigger of %s in the newest migration that makes it is this build's",
  (name, source) => {
    const holding = migrations.filter((text) => text.includes(`create function event_${name}(`));
    expect(holding.at(-1)).toContain(triggerText(source));
  },
);

test.each([
  ["messages", "sum_sends", SUM_TRIGGERS],
  ["leads", "sum_leads_made", LEAD_SUM_TRIGGERS],
  ["leads of before", "counted_leads", COUNTED_LEADS],
])(
  "the triggers of the sums of %s in the newest migration that makes them are this build's",
  (_of, name, triggers) => {
    const holding = migrations.filter((text) => text.includes(`create function ${name}(`));
    expect(holding.at(-1)).toContain(triggers);
  },
);
