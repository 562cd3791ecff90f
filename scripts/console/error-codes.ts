import * as fs from "node:fs";
import * as path from "node:path";

/** How the service names an error, by the makers of `src/errors.ts` and where HTTP itself is refused. */
const NAMED = [
  /\b(?:conflict|gone|forbidden|unprocessable|badRequest|unauthenticated)\(\s*"([A-Z][A-Z0-9_]+)"/g,
  /new CsvFault\(\s*"([A-Z][A-Z0-9_]+)"/g,
  /\? "([A-Z][A-Z0-9]+_[A-Z0-9_]+)" : "/g,
  /new AppError\(\s*"[a-z_]+",\s*"([A-Z][A-Z0-9_]+)"/g,
];
const MISSED = [
  /\b(?:notFound|requires|removes)\(\s*"([A-Z][A-Za-z ]+)"/g,
  /\brequireFound\([^"]*"([A-Z][A-Za-z ]+)"/g,
];
/** By the makers' default, by the SDK itself, and by what stands before the service. */
const BESIDES = ["INTERNAL_ERROR", "NETWORK", "PRICE_TOO_HIGH", "PRICE_UNKNOWN"];

/** `src/sdk/error-codes.ts`: the codes that the service's source names; a newer deployment may have more. */
export function errorCodes(folder: string): string {
  const files = fs.globSync("{src,functions}/**/*.ts", { cwd: folder }).toSorted();
  const texts = files.map((file) => fs.readFileSync(path.join(folder, file), "utf8"));
  const codes = texts.flatMap((text) => [
    ...NAMED.flatMap((pattern) => [...text.matchAll(pattern)].map(([, code]) => code!)),
    ...MISSED.flatMap((pattern) => [...text.matchAll(pattern)]).map(
      ([, what]) => `${what!.toUpperCase().replaceAll(" ", "_")}_NOT_FOUND`,
    ),
  ]);
  const all = [...new Set([...codes, ...BESIDES])].toSorted();
  return [
    "// Written by `npm run openapi`: what the service's errors are called. Not edited by hand.",
    "",
    "export type ErrorCode =",
    `${all.map((code) => `  | "${code}"`).join("\n")};`,
    "",
  ].join("\n");
}
