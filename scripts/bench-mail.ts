/**
 * `npm run bench:mail -- [smtp|latency|chunking|cpu|rewrite] [--rounds N]`: what writing,
 * signing and sending mail costs, in paired rounds. Without a name, all of them. Not a test: nothing
 * fails by being slow.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { machine } from "../test/bench/report.ts";
import { benchComposeCpu } from "../test/bench/mail/compose-cpu.ts";
import { benchOverSmtp } from "../test/bench/mail/over-smtp.ts";
import { benchRewrite } from "../test/bench/mail/rewrite.ts";

const benchmarks: Record<string, (rounds: number) => Promise<void>> = {
  smtp: (rounds) =>
    benchOverSmtp({ name: "smtp", delayMs: 0, chunking: false, target: 1.5 }, rounds),
  latency: (rounds) =>
    benchOverSmtp({ name: "latency", delayMs: 20, chunking: false, target: 1.8 }, rounds),
  chunking: (rounds) =>
    benchOverSmtp({ name: "chunking", delayMs: 20, chunking: true, target: 4 }, rounds),
  cpu: benchComposeCpu,
  rewrite: benchRewrite,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "5" } },
});
const rounds = Math.max(1, Math.trunc(Number(values.rounds)) || 5);
const names = positionals.length > 0 ? positionals : Object.keys(benchmarks);

const nodemailer = JSON.parse(
  readFileSync(new URL("../node_modules/nodemailer/package.json", import.meta.url), "utf8"),
) as { version: string };
console.log(
  `${machine()}, OpenSSL ${process.versions.openssl}, nodemailer ${nodemailer.version}, ${rounds} rounds (each ABBA)`,
);
for (const name of names) {
  try {
    await (benchmarks[name] ?? unknown(name))(rounds);
  } catch (error) {
    console.log(`${name}: broke off: ${error instanceof Error ? error.stack : String(error)}`);
  }
}
console.log(`\n${machine()}`);

function unknown(name: string): () => Promise<void> {
  return async () =>
    console.log(`\n${name}: no such benchmark; there are ${Object.keys(benchmarks).join(", ")}`);
}
