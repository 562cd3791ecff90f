import type { TestService } from "../support/service.ts";
import type { SinkProcess } from "./mail/start-sink.ts";
import { range } from "./report.ts";
import { MESSAGES, tickSetting } from "./tick-setting.ts";

/** Messages per second of one tick whose database and relay are some way off. */
export async function benchTickLatency(
  service: TestService,
  sink: SinkProcess,
  rounds: number,
  what: string,
): Promise<void> {
  const setting = await tickSetting(service, sink.port, MESSAGES * (rounds + 1));
  const rates: number[] = [];
  for (let number = 0; number <= rounds; number++) {
    await setting.makeDue(true);
    const startedAt = performance.now();
    await setting.tick();
    // The first warms up.
    if (number > 0) rates.push((MESSAGES * 1000) / (performance.now() - startedAt));
  }
  console.log(`  ${what.padEnd(26)} ${range(rates)} messages/s`);
  await setting.close();
}
