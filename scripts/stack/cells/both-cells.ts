import * as path from "node:path";
import { freePort } from "../ports.ts";
import type { StackSecrets } from "../secrets.ts";
import type { LocalServiceOptions, WorkerEnv } from "../service.ts";
import type { Stack } from "../stack-parts.ts";
import { MOST_RESTARTS, superviseWorker } from "../supervisor.ts";
import { startWorkerd, type WorkerdOptions } from "../workerd.ts";
import { startRouterProcess } from "./router.ts";
import { startSecondCell } from "./second-cell.ts";

/** The bindings that make a Worker one of several cells. */
export const cellEnv = (name: string, port: number, { cellsSecret }: StackSecrets): WorkerEnv => ({
  CELL_NAME: name,
  CELL_BASE_URL: `http://127.0.0.1:${port}`,
  CELLS_SECRET: cellsSecret,
});

interface Beside {
  port: number;
  main: number;
  env: WorkerEnv;
  common: Omit<WorkerdOptions, "env">;
}

/** The second cell, and the router before both. */
export async function startBig(
  stack: Stack,
  { secrets, ports, stateFolder, mostRestarts, onProgress, onWorkerOutput }: LocalServiceOptions,
  { port, main, env, common }: Beside,
) {
  const name = "big";
  const own = await freePort(ports?.big);
  const cell = await startSecondCell(stack, secrets, {
    name,
    stateFile: stateFolder && path.join(stateFolder, `qstash-${name}.jsonl`),
  });
  const supervisor = await superviseWorker(
    stack.attachCell,
    onProgress ?? (() => {}),
    mostRestarts ?? MOST_RESTARTS,
    () =>
      startWorkerd({
        ...common,
        env: { ...env, ...cellEnv(name, own, secrets), ...cell.env },
        port: own,
      }),
  );
  cell.resume();
  const router = await startRouterProcess({
    port,
    cells: { main: `127.0.0.1:${main}`, [name]: `127.0.0.1:${own}` },
    cellsSecret: secrets.cellsSecret,
    inboundSecret: secrets.inboundSecret,
    onOutput: onWorkerOutput,
  });
  stack.routeMail(router.email);
  return {
    port: own,
    databaseUrl: cell.databaseUrl,
    worker: supervisor.current,
    untilUp: supervisor.untilUp,
    async close() {
      await router.close();
      await supervisor.close();
      await cell.close();
    },
  };
}
