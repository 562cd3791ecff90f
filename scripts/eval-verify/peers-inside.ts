/**
 * Runs the peers over the farm where the system's resolver is ours: started by scripts/eval-verify-peers.ts in a
 * mount namespace of its own, so that they take their ordinary ways, the system's DNS and port 25.
 */
import { parseArgs } from "node:util";
import { startFarm } from "../stack/farm.ts";
import { readFarm } from "../stack/farm/table.ts";
import { peersIn } from "./peers.ts";
import { report, scoreTable } from "./report.ts";
import { judgeAll } from "./run.ts";
import { score, type Score } from "./score.ts";
import { startUdpDns } from "./udp-dns.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { resolver: { type: "string", default: "127.1.255.53" } },
});
const [folder = ".", ...files] = positionals;
const table = readFarm(files.length > 0 ? files : undefined);
const place = new Map(
  table.hosts.map(({ name }, index) => [name, `127.1.${1 + (index >> 8)}.${index & 255}`]),
);
const at = (host: string) => ({ address: place.get(host)!, port: 25 });
const scores: Record<string, Score> = {};
for (const peer of peersIn(folder)) {
  // A farm of its own for each: greylists remember.
  const farm = await startFarm({ table, at });
  const dns = await startUdpDns(farm.names, { address: values.resolver, port: 53 });
  const judged = await judgeAll(table.expectations, peer.verify, { lanes: 16, seed: 1 });
  await Promise.all([farm.close(), dns.close()]);
  console.log(`\n=== ${peer.name}\n${report(judged)}`);
  scores[peer.name] = score(judged);
}
console.log(`\n${scoreTable(scores).join("\n")}`);
// Their sockets may linger.
process.exit(0);
