import { execFile } from "node:child_process";
import * as path from "node:path";
import { rootFolder } from "../../scripts/command.ts";

export interface Ended {
  code: number | null;
  output: string;
}

/** A program with what it said; one that asks for input finds its end. */
export function runProgram(
  program: string,
  args: string[],
  env: Record<string, string | undefined> = process.env,
): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd: rootFolder, env };
    const child = execFile(program, args, options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, output: stdout + stderr }),
    );
    child.stdin?.end();
  });
}

/** One of `scripts/`, under this process's own Node. */
export const runScript = (script: string, ...args: string[]): Promise<Ended> =>
  runProgram(process.execPath, [path.join(rootFolder, "scripts", script), ...args]);
