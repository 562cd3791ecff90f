/**
 * `npm run db:functions`: writes the engine's functions and the triggers of events and sums into the newest migration, which has
 * to be an empty one made by `npm run db:generate -- --custom --name what_changes`. Only what no older migration has.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENGINE_FUNCTIONS, functionText } from "#db/engine/functions.ts";
import { COUNTED_LEADS, LEAD_SUM_TRIGGERS } from "#db/campaigns/lead-sum-triggers.ts";
import { SUM_TRIGGERS } from "#db/campaigns/sum-triggers.ts";
import { EVENT_SOURCES, triggerText } from "#db/workspace/events/triggers.ts";
import { MIGRATIONS_FOLDER } from "./apply-migrations.ts";

const files = readdirSync(MIGRATIONS_FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .sort();
const newest = join(MIGRATIONS_FOLDER, files.at(-1)!);
const older = files.slice(0, -1).map((name) => readFileSync(join(MIGRATIONS_FOLDER, name), "utf8"));
const isOlder = (part: string): boolean => older.some((text) => text.includes(part));

const functions = ENGINE_FUNCTIONS.filter(({ name }) => !isOlder(`create function ${name}(`));
/** Triggers that keep sums, with the functions that an older migration made of them. */
const SUMS = [
  { triggers: SUM_TRIGGERS, functions: ["sum_sends", "sum_sent"] },
  {
    triggers: LEAD_SUM_TRIGGERS,
    functions: ["sum_leads_made", "sum_leads_changed", "sum_leads_gone"],
  },
  { triggers: COUNTED_LEADS, functions: ["counted_leads"] },
];
const sums = SUMS.filter(({ triggers }) => !isOlder(triggers)).flatMap(
  ({ triggers, functions }) => [
    ...functions
      .filter((name) => isOlder(`create function ${name}(`))
      .map((name) => `drop function ${name}() cascade;`),
    triggers,
  ],
);
const triggers = EVENT_SOURCES.filter((source) => !isOlder(triggerText(source)));
const statements = [
  ...functions.map(functionText),
  ...triggers.flatMap((source) => [
    // With its trigger, where it has one.
    ...(isOlder(`create function event_${source.name}(`)
      ? [`drop function event_${source.name}() cascade;`]
      : []),
    triggerText(source),
  ]),
  ...sums,
];
if (statements.length === 0) {
  console.error(
    "All of it is in an older migration: raise the number of an engine's function that changes.",
  );
  process.exit(1);
}
writeFileSync(newest, `${statements.join("\n--> statement-breakpoint\n")}\n`);
console.log(
  `${newest}: ${[...functions, ...triggers].map(({ name }) => name).join(", ")}${sums.length > 0 ? " sums" : ""}`,
);
