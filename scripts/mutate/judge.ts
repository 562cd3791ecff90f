import type { RunEvent } from "./event-reporter.ts";
import { type Run, type RunOptions, runTests } from "./run-tests.ts";

export interface Notice {
  file: string;
  /** Empty when the file as a whole did not come to its tests. */
  test: string;
  message: string;
  isStuck?: true;
}

export interface Judged {
  /** By file, the first failure of each. */
  notices: Notice[];
  /** Ran to their end without a failure. */
  passed: string[];
  /** The run came to no file at all: its notice is every file's. */
  isNothing: boolean;
  /** The run was ended before its end, with this file under way. */
  cut?: { file: string | undefined };
}

type Asked = Omit<RunOptions, "env"> & { isFull: boolean };

/** Runs the files and says which notice; one that fails by running out of time has to do so twice. */
export async function judge({ isFull, ...options }: Asked): Promise<Judged> {
  const env: Record<string, string> = isFull ? { TEST_FULL: "1" } : {};
  const run = await runTests({ ...options, env });
  const judged = judgedOf(run, options.files);
  const doubtful = judged.notices.filter(({ message, isStuck }) => !isStuck && TIME.test(message));
  for (const notice of doubtful) {
    const again = await runTests({ ...options, env, files: [notice.file], bail: true });
    if (judgedOf(again, [notice.file]).notices.length > 0) continue;
    judged.notices.splice(judged.notices.indexOf(notice), 1);
    judged.passed.push(notice.file);
  }
  return judged;
}

const TIME = /timed? ?out|never came about/i;

export function judgedOf(
  run: Pick<Run, "events" | "cutShort" | "output">,
  files: readonly string[],
): Judged {
  const notices: Notice[] = [];
  const noticed = new Set<string>();
  for (const event of run.events) {
    if (event.kind !== "failed" || noticed.has(event.file)) continue;
    noticed.add(event.file);
    notices.push({ file: event.file, test: event.test, message: event.message });
  }
  if (run.cutShort?.why === "stuck" && run.cutShort.file !== undefined)
    notices.push({ file: run.cutShort.file, test: "", message: "does not end", isStuck: true });
  // An error that no test catches, and a database that cannot be migrated, belong to no file.
  const astray = run.events.find((event) => event.kind === "error");
  const began = run.events.filter((event) => event.kind === "began");
  if (notices.length === 0 && astray?.kind === "error")
    notices.push({ file: began.at(-1)?.file ?? files[0]!, test: "", message: astray.message });
  else if (began.length === 0 && !run.cutShort)
    notices.push({ file: files[0]!, test: "", message: lastLine(run.output) });
  const ended = run.events.filter(
    (event): event is RunEvent & { kind: "ended" } => event.kind === "ended",
  );
  return {
    notices,
    // After a bail the files left over end without having run.
    passed: ended
      .filter(({ file, ran }) => ran && !notices.some((notice) => notice.file === file))
      .map(({ file }) => file),
    isNothing: began.length === 0 && notices.length > 0,
    ...(run.cutShort && { cut: { file: run.cutShort.file } }),
  };
}

const lastLine = (output: string) =>
  output
    .split("\n")
    .findLast((line) => /error/i.test(line))
    ?.trim()
    .slice(0, 300) ?? "no test file begins";
