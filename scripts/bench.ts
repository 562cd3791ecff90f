/** `npm run bench`: figures of the built Worker in bare workerd over the local stack. Not a test: nothing fails by being slow. */
import "./stack/warp.ts";
import { parseArgs } from "node:util";
import { benchHttp } from "../test/bench/http.ts";
import { machine } from "../test/bench/report.ts";
import { benchTick } from "../test/bench/tick.ts";
import { startTestService } from "../test/support/service.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });
const rounds = Number(values.rounds);

console.log(machine());
const service = await startTestService({ workerEnv: { TICK_BATCH: "200" } });
try {
  await benchHttp(service, rounds);
  await benchTick(service, rounds);
} finally {
  await service.close();
}
console.log(`\n${machine()}`);
