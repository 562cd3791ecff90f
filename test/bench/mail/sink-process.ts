/** The sink in a process of its own, so that it takes no time from the client it measures. Started by `start-sink.ts`. */
import { startSink, type Sink, type SinkCounts, type SinkOptions } from "./sink.ts";

export type SinkRequest = { say: "start"; options: SinkOptions } | { say: "count" };
export type SinkAnswer = { port: number } | { counts: SinkCounts };

let sink: Sink | undefined;
process.on("message", async (request: SinkRequest) => {
  const answer = (words: SinkAnswer) => process.send?.(words);
  if (request.say === "start") {
    sink = await startSink(request.options);
    answer({ port: sink.port });
  } else if (sink) answer({ counts: sink.counts });
});
// The channel closes when the benchmark ends, however it ends.
process.on("disconnect", () => process.exit(0));
