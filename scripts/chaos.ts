/**
 * `npm run chaos [-- --minutes N] [--seed N] [--report FILE]`: the service on a stack of its own with work on it, while
 * each thing beside it is killed, gone, slow and lying in turn; at the end its books are held against what the mailbox,
 * the network and the chain saw. Exit code 1 where something was lost, doubled, or charged without an answer.
 */
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { parseArgs } from "node:util";
import { machine } from "../test/bench/report.ts";
import { checkBooks } from "./chaos/books.ts";
import { disturbancesOf } from "./chaos/disturbances.ts";
import { startLoad } from "./chaos/load.ts";
import { reportOf } from "./chaos/report.ts";
import { disturb, letEverythingEnd, openChaos } from "./chaos/run.ts";
import { shuffled } from "./chaos/shuffle.ts";
import { keptSecrets } from "./stack/secrets.ts";
import { startLocalService } from "./stack/service.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    report: { type: "string" },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error("--minutes takes a number above 0, --seed a whole one.");
  process.exit(1);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-chaos-"));
const startedAt = performance.now();
const service = await startLocalService({
  secrets: keptSecrets(path.join(folder, "secrets.json")),
  instance: "chaos",
  // One that commits asynchronously forgets what it had answered when it is killed, and is found to (a letter of 446).
  durable: true,
  fresh: true,
  mostRestarts: Infinity,
  onProgress: (line) => console.log(`  ${line}`),
});
try {
  const chaos = await openChaos(service);
  const load = await startLoad(chaos);
  const all = disturbancesOf(chaos);
  const endsAt = performance.now() + minutes * 60_000;
  const done: Awaited<ReturnType<typeof disturb>>[] = [];
  for (let round = 0; performance.now() < endsAt; round++)
    for (const each of shuffled(all, seed + round)) {
      if (performance.now() >= endsAt) break;
      const outcome = await disturb(chaos, load, each);
      done.push(outcome);
      console.log(`  ${outcome.line}`);
    }
  console.log("  everything is left to end");
  await load.end();
  await letEverythingEnd(chaos);
  const claims = await checkBooks(chaos, load);
  const report = reportOf({
    machine: machine(),
    minutes: (performance.now() - startedAt) / 60_000,
    seed,
    done,
    claims,
    asked: load.counts(),
    kinds: all,
  });
  console.log(`\n${report}`);
  if (values.report !== undefined) fs.writeFileSync(values.report, report);
  if (claims.some(({ broken }) => broken.length > 0)) process.exitCode = 1;
  await chaos.close();
} finally {
  await service.close();
  fs.rmSync(folder, { recursive: true, force: true });
}
