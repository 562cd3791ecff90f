import { spawn, type ChildProcess } from "node:child_process";

/**
 * Ends `pid` when this process ends, even by kill -9: a shell waits for its standard input to close, which the system
 * sees to. Returns the function that calls it off. The command line is compared first, so that a number that went to
 * another program by then is left alone.
 */
export function tieToThisProcess(pid: number, program: string): () => void {
  const script =
    'read -r line && [ "$line" = off ] && exit 0; case "$(ps -o args= -p "$1" 2>/dev/null || tr "\\0" " " < "/proc/$1/cmdline")" in *"$2"*) kill -TERM "$1";; esac';
  const watcher: ChildProcess = spawn("/bin/sh", ["-c", script, "sh", String(pid), program], {
    stdio: ["pipe", "ignore", "ignore"],
    // Its own group: a Ctrl-C in the terminal must not end the watcher before what it watches.
    detached: true,
  });
  watcher.on("error", () => {});
  watcher.unref();
  const stdin = watcher.stdin as
    | (NodeJS.WritableStream & { unref?(): void; destroy(): void })
    | null;
  stdin?.on("error", () => {});
  stdin?.unref?.();
  return () => {
    stdin?.end("off\n");
  };
}
