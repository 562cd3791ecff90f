import type { TestModule } from "vitest/node";

interface Count {
  files: number;
  done: number;
}

/** Between two lines where the output is no terminal: a log of a run has some twenty of them. */
const LINE_EVERY_MS = 15_000;

export interface Progress {
  queued(module: TestModule): void;
  ended(module: TestModule): void;
  failed(): void;
  /** Prints a line above the progress. */
  say(line: string): void;
  end(): void;
}

/** How far each kind of tests is, by files: one line that moves in a terminal, one every quarter of a minute elsewhere. */
export function startProgress(stream: NodeJS.WriteStream, filesOf: Map<string, number>): Progress {
  const startedAt = performance.now();
  const counts = new Map(
    [...filesOf].map(([kind, files]): [string, Count] => [kind, { files, done: 0 }]),
  );
  let failures = 0;
  let saidAt = startedAt;
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(0).padStart(4);
  const line = () =>
    `${seconds()} s  ${[...counts].map(([kind, { files, done }]) => `${kind} ${done}/${files}`).join("  ")}${failures > 0 ? `  FAILED ${failures}` : ""}`;
  const clear = () => stream.isTTY && stream.write("\r\x1b[2K");
  const draw = () => stream.isTTY && stream.write(line().slice(0, (stream.columns ?? 80) - 1));
  const show = () => {
    if (stream.isTTY) {
      clear();
      draw();
    } else if (performance.now() - saidAt >= LINE_EVERY_MS) {
      saidAt = performance.now();
      stream.write(`${line()}\n`);
    }
  };
  const timer = setInterval(show, 1000);
  timer.unref();
  const countOf = (module: TestModule) => counts.get(module.project.name);
  return {
    queued: show,
    ended(module) {
      const count = countOf(module);
      if (count) count.done += 1;
      show();
    },
    failed() {
      failures += 1;
      show();
    },
    say(text) {
      clear();
      stream.write(`${text}\n`);
      draw();
    },
    end() {
      clearInterval(timer);
      clear();
    },
  };
}
