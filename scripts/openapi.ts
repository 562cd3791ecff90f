/** `npm run openapi` writes public/openapi.json from the routes; `--check` says whether the committed one is still true. */
import * as fs from "node:fs";
import * as path from "node:path";
import { openApiDocument } from "#src/http/openapi/document.ts";
import { gapsOf } from "#src/http/openapi/gaps.ts";
import { everyOperation } from "#src/routes/index.ts";
import { rootFolder } from "./command.ts";

const file = path.join(rootFolder, "public/openapi.json");

const description = openApiDocument(await everyOperation());
const gaps = gapsOf(description);
const text = `${JSON.stringify(sorted(description), null, 2)}\n`;

for (const gap of gaps) console.error(gap);
if (gaps.length > 0) process.exitCode = 1;

if (!process.argv.includes("--check")) {
  fs.writeFileSync(file, text);
  console.log(`${path.basename(file)}: ${Object.keys(JSON.parse(text).paths).length} paths`);
} else if (!fs.existsSync(file) || fs.readFileSync(file, "utf8") !== text) {
  console.error("public/openapi.json is not what the routes say; npm run openapi writes it anew.");
  process.exit(1);
}

/** Keys in alphabetical order, so that moving code changes nothing; lists keep theirs. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}
