/**
 * `npm run test:again -- [--times 10] [--busy 2] [--ahead SECONDS] [vitest arguments]`: the same tests again and
 * again beside loops that keep the cores busy, and so much later than now, for what fails only now and then. Ends with the first run that fails.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { binary, rootFolder } from "./command.ts";

const { values, positionals } = parseArgs({
  options: {
    times: { type: "string", default: "10" },
    busy: { type: "string", default: "2" },
    ahead: { type: "string", default: "0" },
    project: { type: "string", multiple: true, default: [] },
  },
  allowPositionals: true,
});
const projects = values.project.flatMap((name) => ["--project", name]);
const loops = Array.from({ length: Number(values.busy) }, () =>
  spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
);
const stop = () => loops.forEach((loop: ChildProcess) => loop.kill());
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    stop();
    process.exit(130);
  });

let failed = 0;
for (let run = 1; run <= Number(values.times) && failed === 0; run++) {
  const startedAt = performance.now();
  const code = await new Promise<number>((resolve) => {
    spawn(binary("vitest"), ["run", "--reporter=dot", ...projects, ...positionals], {
      cwd: rootFolder,
      stdio: "inherit",
      env: { ...process.env, TESTS_AHEAD_SECONDS: values.ahead },
    }).once("close", (exitCode) => resolve(exitCode ?? 130));
  });
  if (code !== 0) failed = run;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(`run ${run} of ${values.times}: ${code === 0 ? "passed" : "FAILED"} in ${seconds} s`);
}
stop();
process.exitCode = failed === 0 ? 0 : 1;
