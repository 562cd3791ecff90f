/**
 * `npm run db:functions`: writes the engine's functions into the newest migration, which has to be an empty one made by
 * `npm run db:generate -- --custom --name what_changes`. Only versions that no older migration has.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENGINE_FUNCTIONS, functionText } from "#db/engine/functions.ts";
import { MIGRATIONS_FOLDER } from "./apply-migrations.ts";

const files = readdirSync(MIGRATIONS_FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .sort();
const newest = join(MIGRATIONS_FOLDER, files.at(-1)!);
const older = files.slice(0, -1).map((name) => readFileSync(join(MIGRATIONS_FOLDER, name), "utf8"));
const missing = ENGINE_FUNCTIONS.filter(
  ({ name }) => !older.some((text) => text.includes(`create function ${name}(`)),
);
if (missing.length === 0) {
  console.error("Every version is in an older migration: raise the number of what changes.");
  process.exit(1);
}
writeFileSync(newest, `${missing.map(functionText).join("\n--> statement-breakpoint\n")}\n`);
console.log(`${newest}: ${missing.map(({ name }) => name).join(", ")}`);
