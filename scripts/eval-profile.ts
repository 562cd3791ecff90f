/**
 * `npm run eval:profile [-- FILE] [--misses]`: how well people's profiles are found, through the three search engines of the
 * local stack and the product's own adapters. FILE: another web of the format of docs/design/finding.md. Ends with 1
 * below the targets, with 2 for what cannot be read.
 */
import { parseArgs } from "node:util";
import { findProfile } from "#src/domain/research/finding/profile/find-profile.ts";
import { systemClock } from "#src/platform/system.ts";
import { createSearchEngine } from "#src/providers/search/engines.ts";
import { readWeb, type Wanted, type Web } from "./stack/search/format.ts";
import { startSearch } from "./stack/search.ts";

const TARGETS = { precision: 95, recall: 80 };
const ENGINES = ["brave", "serper", "searxng"] as const;

interface Judged extends Wanted {
  engine: string;
  found: string | null;
  confidence: number;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { misses: { type: "boolean", default: false } },
});
const [file] = positionals;
const search = await startSearch(file === undefined ? {} : { web: readOrExit(file) });
const judged: Judged[] = [];
for (const name of ENGINES) {
  const settings =
    name === "searxng"
      ? { name, baseUrl: search.url }
      : { name, baseUrl: search.url, key: search.env["BRAVE_API_KEY"]! };
  const engine = createSearchEngine(fetch, settings);
  const deps = {
    clock: systemClock,
    log: { info() {}, error() {} },
    searchEngines: [engine],
  };
  for (const wanted of search.web.people) judged.push(await judge(deps, name, wanted));
}
await search.close();

function readOrExit(path: string): Web {
  try {
    return readWeb(path);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}

async function judge(
  deps: Parameters<typeof findProfile>[0],
  engine: string,
  wanted: Wanted,
): Promise<Judged> {
  const { name, company = null, location = null } = wanted;
  const deadline = new Date(Date.now() + 10_000);
  const [best] = await findProfile(deps, { name, company, location }, deadline);
  const found = best === undefined ? null : decodeURIComponent(best.profileUrl.split("/in/")[1]!);
  return { ...wanted, engine, found, confidence: best?.confidence ?? 0 };
}

const isRight = ({ found, profile }: Judged) => found !== null && found === profile;
const percent = (part: number, whole: number) => (whole === 0 ? 100 : (100 * part) / whole);

function measure(of: Judged[]) {
  const right = of.filter(isRight).length;
  return {
    people: of.length,
    precision: percent(right, of.filter(({ found }) => found !== null).length),
    recall: percent(right, of.filter(({ profile }) => profile !== null).length),
  };
}

const line = (title: string, of: Judged[]) => {
  const { people, precision, recall } = measure(of);
  console.log(
    `${title.padEnd(28)} ${String(people).padStart(4)} people   precision ${precision.toFixed(1).padStart(5)} %   recall ${recall.toFixed(1).padStart(5)} %`,
  );
};
for (const split of ["tune", "held_out"] as const)
  for (const engine of ENGINES)
    line(
      `${split}, ${engine}`,
      judged.filter((each) => each.split === split && each.engine === engine),
    );
for (const split of ["tune", "held_out"] as const)
  line(
    split,
    judged.filter((each) => each.split === split),
  );
line("all", judged);

console.log("\nBy what is hard:");
for (const [kind, of] of Map.groupBy(judged, ({ kind }) => kind)) line(`  ${kind}`, of);

console.log("\nConfidence and how often it was right:");
const BINS = [0.3, 0.45, 0.6, 0.75, 0.9, 1.01];
for (const [at, from] of BINS.slice(0, -1).entries()) {
  const inBin = judged.filter(
    ({ found, confidence }) => found !== null && confidence >= from && confidence < BINS[at + 1]!,
  );
  if (inBin.length > 0)
    console.log(
      `  ${from.toFixed(2)}-${Math.min(1, BINS[at + 1]!).toFixed(2)}   ${percent(inBin.filter(isRight).length, inBin.length).toFixed(1).padStart(5)} % of ${inBin.length}`,
    );
}

if (values.misses)
  for (const each of judged.filter(
    (one) => one.engine === "brave" && (one.found ?? null) !== one.profile,
  ))
    console.log(
      `  ${each.kind}: ${each.name}, ${each.company ?? "-"}, ${each.location ?? "-"}: ${each.profile ?? "nobody"}; found ${each.found ?? "nobody"} (${each.confidence})`,
    );

const splits = [judged, judged.filter(({ split }) => split === "held_out")].map(measure);
const good = splits.every(
  ({ precision, recall }) => precision >= TARGETS.precision && recall >= TARGETS.recall,
);
console.log(
  `\n${good ? "good" : "below target"}: precision ${TARGETS.precision} %, recall ${TARGETS.recall} %, of all and held out`,
);
process.exitCode = good ? 0 : 1;
