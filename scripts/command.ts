import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The checkout. */
export const rootFolder = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

export interface CommandResult {
  code: number;
  /** stdout and stderr as they came. */
  output: string;
  seconds: number;
}

/** Runs a program without a shell or a terminal and collects what it says; never throws for its exit code. */
export function runCommand(
  program: string,
  args: string[],
  options: { env?: Record<string, string>; timeoutMs?: number } = {},
): Promise<CommandResult> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  const timeoutMs = options.timeoutMs ?? 600_000;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: rootFolder,
      env: { ...process.env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
    });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    child.once("error", (error) =>
      resolve({ code: 127, output: error.message, seconds: seconds() }),
    );
    child.once("close", (code, signal) => {
      const isLate = signal !== null && seconds() * 1000 >= timeoutMs;
      const end = isLate ? `took longer than ${timeoutMs / 1000} s` : `ended by ${signal}`;
      resolve({
        code: code ?? 1,
        output: signal ? `${output}\n${end}` : output,
        seconds: seconds(),
      });
    });
  });
}

/** A program of node_modules/.bin; its shebang finds this Node, which the bootstrap put first on PATH. */
export function binary(name: string): string {
  return `${rootFolder}/node_modules/.bin/${name}`;
}
