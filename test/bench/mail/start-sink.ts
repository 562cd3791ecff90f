import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { SinkAnswer, SinkRequest } from "./sink-process.ts";
import type { SinkCounts, SinkOptions } from "./sink.ts";

export interface SinkProcess {
  port: number;
  counts(): Promise<SinkCounts>;
  close(): Promise<void>;
}

/** Starts the sink beside this process; one question at a time. */
export async function startSinkProcess(options: SinkOptions): Promise<SinkProcess> {
  const child = fork(fileURLToPath(new URL("sink-process.ts", import.meta.url)), [], {
    // No flags of ours: a profile of the client is not to hold the sink's.
    execArgv: [],
  });
  const gone = once(child, "exit");
  async function ask<Answer extends SinkAnswer>(request: SinkRequest): Promise<Answer> {
    const answered = once(child, "message");
    child.send(request);
    const winner = await Promise.race([answered, gone.then(() => null)]);
    if (winner === null) throw new Error("the sink's process ended");
    return winner[0] as Answer;
  }
  const { port } = await ask<{ port: number }>({ say: "start", options });
  return {
    port,
    counts: async () => (await ask<{ counts: SinkCounts }>({ say: "count" })).counts,
    async close() {
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}
