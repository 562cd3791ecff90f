import * as fs from "node:fs";
import * as path from "node:path";
import { gzipSync } from "node:zlib";
import { rootFolder } from "./command.ts";
import type { Bundle } from "./stack/bundle.ts";

/** What esbuild says of a file that it wrote: the bytes of each file that went into it. */
interface Metafile {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
}

const PAGE = path.join(rootFolder, "docs/dependencies.md");
const BEGIN = "<!-- npm run build -- --table -->";
const END = "<!-- end of the table -->";
/** Packages and folders below this share are summed up. */
const SHOWN_BYTES = 10_000;
/** By how much the page may be wrong before `npm run build` says so. */
const TOLERANCE = 0.05;

const kB = (bytes: number) => Math.round(bytes / 1000).toLocaleString("en");

/** What the bundle holds, largest first, as Markdown. */
export function bundleTable({ file, bytes }: Bundle): string {
  const rows = [...weights(file)].toSorted(([, a], [, b]) => b - a);
  const shown = rows.filter(([, weight]) => weight >= SHOWN_BYTES);
  const rest = rows.slice(shown.length).reduce((sum, [, weight]) => sum + weight, 0);
  const gzipped = gzipSync(fs.readFileSync(file)).length;
  return [
    `${kB(bytes)} kB minified, ${kB(gzipped)} kB gzipped:`,
    "",
    "| what | kB |",
    "| --- | --- |",
    ...shown.map(([name, weight]) => `| ${name} | ${kB(weight)} |`),
    `| ${rows.length - shown.length} smaller ones | ${kB(rest)} |`,
  ].join("\n");
}

/** Bytes in the bundle by package, or by our own folder. */
function weights(file: string): Map<string, number> {
  const meta = path.join(path.dirname(file), "bundle-meta.json");
  const { outputs } = JSON.parse(fs.readFileSync(meta, "utf8")) as Metafile;
  const output = Object.entries(outputs).find(
    ([name]) => path.basename(name) === path.basename(file),
  );
  const sums = new Map<string, number>();
  for (const [input, { bytesInOutput }] of Object.entries(output![1].inputs)) {
    const owner = ownerOf(input);
    sums.set(owner, (sums.get(owner) ?? 0) + bytesInOutput);
  }
  return sums;
}

/** `zod`, `zod of @x402/core`, or a folder of ours: `src/domain/engine`. */
function ownerOf(input: string): string {
  const packages = [...input.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)/g)].map(
    ([, name]) => name,
  );
  if (packages.length > 0) return packages.toReversed().join(" of ");
  const folders = path.dirname(input).split("/");
  return folders.slice(0, folders[0] === "src" && folders[1] !== "routes" ? 3 : 2).join("/");
}

export function writeBundleTable(bundle: Bundle): void {
  const [before, after] = partsOf(fs.readFileSync(PAGE, "utf8"));
  fs.writeFileSync(PAGE, `${before}${BEGIN}\n\n${bundleTable(bundle)}\n\n${END}${after}`);
}

/** What the page says wrongly, if it is more than a twentieth off; null otherwise. */
export function staleTable({ bytes }: Bundle): string | null {
  const [, , table] = partsOf(fs.readFileSync(PAGE, "utf8"));
  const said = Number(/^\s*([\d,]+) kB minified/.exec(table)?.[1]?.replaceAll(",", "")) * 1000;
  if (Math.abs(bytes - said) <= said * TOLERANCE) return null;
  return `docs/dependencies.md says ${kB(said)} kB, the bundle has ${kB(bytes)}: npm run build -- --table`;
}

function partsOf(page: string): [before: string, after: string, table: string] {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${PAGE} lacks ${BEGIN} or ${END}`);
  return [
    page.slice(0, begin),
    page.slice(end + END.length),
    page.slice(begin + BEGIN.length, end),
  ];
}
