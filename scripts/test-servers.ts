/** `npm run test:servers [-- vitest arguments]`: the service against Debian's Postfix and Dovecot, where they are installed. */
import { spawn } from "node:child_process";
import { binary, rootFolder } from "./command.ts";

const child = spawn(
  binary("vitest"),
  ["run", "--project", "servers", "--no-file-parallelism", ...process.argv.slice(2)],
  { cwd: rootFolder, stdio: "inherit", env: { ...process.env, TEST_SERVERS: "1" } },
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
process.exitCode = await new Promise<number>((resolve) => {
  child.once("error", () => resolve(127));
  child.once("close", (code) => resolve(code ?? 130));
});
