/**
 * `npm run eval:find [-- FILE] [--misses] [--seed N]`: how many of 300 invented people's addresses are found on their companies' mail
 * hosts, by the product's own finder, probe and database. FILE: another town of the format of docs/design/finding.md. Ends
 * with 1 below the targets, with 2 for what cannot be read.
 */
import { parseArgs } from "node:util";
import { findEmail, FIND_EMAIL_MS } from "#src/domain/research/finding/email/find-email.ts";
import { AppError } from "#src/errors.ts";
import type { Deps } from "#src/deps.ts";
import { inventTown } from "./eval-find/invent.ts";
import { type ReadTown, readTown, type Sought, townFile } from "./eval-find/format.ts";
import { openFinder } from "./eval-find/world.ts";
import { toTable } from "./stack/farm/table.ts";

const TARGETS = { firstAnswerRight: 60, wrongFound: 0 };
const LANES = 12;

interface Answer extends Sought {
  said: "found" | "not_found" | "catch_all" | "undecided";
  guess: string | null;
  confidence: number;
  ms: number;
  detail: string;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    misses: { type: "boolean", default: false },
    seed: { type: "string", default: "7" },
  },
});
const [file] = positionals;
const town =
  file === undefined ? townFile.parse(inventTown(Number(values.seed))) : readOrExit(file);
const finder = await openFinder(toTable(town.providers));
const answers: Answer[] = [];
const companies = [...Map.groupBy(town.people, ({ domain }) => domain).values()];
// People of one company one after the other: what is learned of the first helps the next.
const lane = async () => {
  for (let people = companies.shift(); people !== undefined; people = companies.shift())
    for (const sought of people) answers.push(await ask(finder.deps, sought));
};
await Promise.all(Array.from({ length: LANES }, lane));
await finder.close();

function readOrExit(path: string): ReadTown {
  try {
    return readTown(path);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}

async function ask(deps: Deps, sought: Sought): Promise<Answer> {
  const startedAt = performance.now();
  const deadline = new Date(deps.clock.now().getTime() + FIND_EMAIL_MS);
  const asked = { domain: sought.domain, firstName: sought.first_name, lastName: sought.last_name };
  const answer = await findEmail(deps, asked, deadline).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    return error;
  });
  await finder.settled();
  const ms = performance.now() - startedAt;
  const nothing = { ...sought, guess: null, confidence: 0, ms, detail: "" };
  if (answer instanceof AppError) return { ...nothing, said: "undecided", detail: answer.message };
  if (answer.kind === "not_found") return { ...nothing, said: answer.kind };
  return { ...nothing, said: answer.kind, guess: answer.email, confidence: answer.confidence };
}

const isRight = ({ guess, email }: Answer) => guess !== null && guess === email;
const percent = (part: number, whole: number) => (whole === 0 ? 100 : (100 * part) / whole);
const shown = (part: number, whole: number) =>
  `${percent(part, whole).toFixed(1).padStart(5)} % (${part} of ${whole})`;

function measure(of: Answer[]) {
  const there = of.filter(({ email }) => email !== null);
  return {
    there: there.length,
    right: there.filter(isRight).length,
    confirmed: there.filter((each) => each.said === "found" && isRight(each)).length,
    wrongFound: of.filter((each) => each.said === "found" && !isRight(each)).length,
    wrongNotFound: there.filter(({ said }) => said === "not_found").length,
    undecided: of.filter(({ said }) => said === "undecided").length,
    people: of.length,
  };
}

for (const [title, of] of [
  ["tune", answers.filter(({ split }) => split === "tune")],
  ["held out", answers.filter(({ split }) => split === "held_out")],
  ["all", answers],
] as const) {
  const { there, right, confirmed, wrongFound, wrongNotFound, undecided, people } = measure(of);
  console.log(`${title}: ${people} people, ${there} of them with an address
  first answer right     ${shown(right, there)}
  confirmed by the host  ${shown(confirmed, there)}
  found, and wrong       ${wrongFound}
  not found, though there ${wrongNotFound}
  undecided              ${undecided}`);
}
console.log("\nFirst answer right, by how the address is made:");
for (const [kind, of] of Map.groupBy(answers, ({ kind }) => kind)) {
  const { right, there, people } = measure(of);
  console.log(
    `  ${kind.padEnd(12)} ${there === 0 ? `${people} people, none there` : shown(right, there)}`,
  );
}
console.log("\nConfidence, and how often it was right:");
const BINS = [0, 0.2, 0.4, 0.6, 0.8, 0.95, 1.01];
for (const said of ["found", "catch_all"] as const)
  for (const [at, from] of BINS.slice(0, -1).entries()) {
    const of = answers.filter(
      (each) => each.said === said && each.confidence >= from && each.confidence < BINS[at + 1]!,
    );
    const mean = of.reduce((sum, { confidence }) => sum + confidence, 0) / of.length;
    if (of.length > 0)
      console.log(
        `  ${said.padEnd(9)} mean ${mean.toFixed(2)}: right ${shown(of.filter(isRight).length, of.length)}`,
      );
  }
const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
const at = (share: number) => Math.round(times[Math.floor(share * (times.length - 1))] ?? 0);
console.log(`\np50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`);
if (values.misses)
  for (const {
    first_name,
    last_name,
    email,
    guess,
    said,
    kind,
    confidence,
    detail,
  } of answers.filter((each) => each.guess !== each.email))
    console.log(
      `  ${kind}: ${first_name} ${last_name}: ${email ?? "nobody"}; ${said} ${guess ?? ""} ${confidence.toFixed(2)} ${detail}`,
    );

const splits = [answers, answers.filter(({ split }) => split === "held_out")].map(measure);
const good = splits.every(
  ({ right, there, wrongFound }) =>
    percent(right, there) >= TARGETS.firstAnswerRight && wrongFound <= TARGETS.wrongFound,
);
console.log(
  `\n${good ? "good" : "below target"}: first answer right ${TARGETS.firstAnswerRight} %, nobody found who is somebody else, of all and held out`,
);
process.exitCode = good ? 0 : 1;
