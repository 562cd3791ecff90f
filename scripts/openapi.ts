/**
 * `npm run openapi` writes public/openapi.json and public/openapi/v2.json from the routes, and from the latter the types
 * of the console's client, its lists and words for scopes, the methods of the SDK and public/docs.md; `--check` says whether the committed ones are still true.
 */
import { CHANGEABLE } from "#src/domain/campaigns/change-rules.ts";
import { TEXT_FIELDS } from "#src/domain/people/leads/lead-columns.ts";
import { consoleLists } from "./console/lists.ts";
import { SCOPES } from "#src/domain/access/scopes.ts";
import { openApiDocument } from "#src/http/openapi/document.ts";
import { secondVersion } from "#src/http/openapi/version-2.ts";
import { gapsOf } from "#src/http/openapi/gaps.ts";
import { everyOperation } from "#src/routes/index.ts";
import { rootFolder } from "./command.ts";
import { writeGenerated } from "./generated.ts";
import { sdkMethods } from "./console/methods.ts";
import { errorCodes } from "./console/error-codes.ts";
import { reference } from "./console/reference.ts";
import { consoleSchema, consoleScopes, type Description } from "./console/schema.ts";

const operations = await everyOperation();
const descriptions = {
  "public/openapi.json": openApiDocument(operations),
  "public/openapi/v2.json": secondVersion(operations),
};

for (const [name, description] of Object.entries(descriptions)) {
  const gaps = gapsOf(description);
  const text = inLines(sorted(description));
  for (const gap of gaps) console.error(`${name}: ${gap}`);
  if (gaps.length > 0) process.exitCode = 1;
  writeOrCompare(name, text, `${Object.keys(description.paths).length} paths`);
}
const [first, second] = Object.values(descriptions).map((each) => sorted(each) as Description);
writeOrCompare(
  "src/console/api/schema.ts",
  consoleSchema(second!),
  "the types of the console's client",
);
writeOrCompare(
  "src/sdk/methods.ts",
  sdkMethods(second!, first!),
  "the methods of the SDK's client",
);
writeOrCompare("public/docs.md", reference(second!, first!), "the operations for who reads text");
writeOrCompare("src/sdk/error-codes.ts", errorCodes(rootFolder), "what errors are called");
writeOrCompare(
  "src/console/api/lists.ts",
  consoleLists({ leadTexts: TEXT_FIELDS, changeable: CHANGEABLE }),
  "lists that the console's forms are made of",
);
writeOrCompare("src/console/api/scopes.ts", consoleScopes(SCOPES), "what a key may do, in words");

function writeOrCompare(name: string, text: string, what: string): void {
  writeGenerated({ name, text, what, of: "the routes", command: "npm run openapi" });
}

/** Without blanks, which are half of it; a line for each operation and each component, so that a change of one is a line. */
function inLines(document: unknown): string {
  return `${linesOf(document, 3)}\n`;

  function linesOf(value: unknown, levels: number): string {
    const isOpen = levels > 0 && isRecord(value) && Object.keys(value).length > 0;
    if (!isOpen) return JSON.stringify(value);
    const entries = Object.entries(value);
    return `{\n${entries.map(([key, each]) => `${JSON.stringify(key)}:${linesOf(each, levels - 1)}`).join(",\n")}\n}`;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
