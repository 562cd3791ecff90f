/**
 * Set up in front of each test file when the map is made: writes down what of our own modules the file's tests ran, as
 * ranges of the code that ran. Counts are taken and reset, so that files which share a process are told apart; a
 * module's top level counts for the first of them alone, and the map does not go by it.
 */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { type Profiler, Session } from "node:inspector";
import { join, relative } from "node:path";
import { afterAll, expect } from "vitest";
import { rootFolder } from "../command.ts";
import { reachedRanges } from "./reached-ranges.ts";

interface Watch {
  session: Session;
  known: Set<string>;
}

const folder = process.env["OVERTURE_MUTATE_REACHED"]!;
const holder = globalThis as { overtureReach?: Watch };
const watch = (holder.overtureReach ??= start());

function start(): Watch {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  return { session, known: new Set() };
}

function take(): Profiler.ScriptCoverage[] {
  let taken: Profiler.ScriptCoverage[] = [];
  // Within one thread the answer comes before `post` returns.
  watch.session.post("Profiler.takePreciseCoverage", (error, answer) => {
    if (error) throw error;
    taken = answer.result;
  });
  return taken;
}

const own = (url: string) => {
  const path = relative(rootFolder, url.replace(/^file:\/\//, ""));
  return /^(src|db)\//.test(path) ? path : undefined;
};

/** What the tests run is not what stands in the file: it is kept beside, once a process. */
function keepSources(scripts: Profiler.ScriptCoverage[]): void {
  const fresh = scripts.filter(({ url }) => !watch.known.has(url));
  if (fresh.length === 0) return;
  mkdirSync(join(folder, "sources"), { recursive: true });
  watch.session.post("Debugger.enable");
  for (const { url, scriptId } of fresh) {
    watch.known.add(url);
    watch.session.post("Debugger.getScriptSource", { scriptId }, (error, { scriptSource }) => {
      if (error) throw error;
      writeFileSync(join(folder, "sources", own(url)!.replaceAll("/", "%")), scriptSource);
    });
  }
  watch.session.post("Debugger.disable");
}

afterAll(() => {
  const scripts = take().filter(({ url }) => own(url));
  keepSources(scripts);
  const reached = Object.fromEntries(
    scripts
      .map(({ url, functions }) => [own(url)!, reachedRanges(functions)] as const)
      .filter(([, ranges]) => ranges.length > 0),
  );
  const test = relative(rootFolder, expect.getState().testPath!);
  appendFileSync(join(folder, "reached.jsonl"), `${JSON.stringify({ test, reached })}\n`);
});
