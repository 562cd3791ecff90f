/** `npm run bench:memory`: what the largest bodies take of an isolate's memory. Not a test: nothing fails by being large. */
import "./stack/warp.ts";
import { benchMemory } from "../test/bench/memory.ts";
import { machine } from "../test/bench/report.ts";
import { startTestService } from "../test/support/service.ts";

console.log(machine());
const service = await startTestService({ inspector: true });
try {
  await benchMemory(service);
} finally {
  await service.close();
}
