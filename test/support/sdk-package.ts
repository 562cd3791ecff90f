import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { rootFolder } from "../../scripts/command.ts";
import { runScript } from "./run-script.ts";

export interface Said {
  code: number;
  out: string;
  err: string;
}

/** The package as somebody has it who installed it from a registry: packed, and put into an empty folder. */
export interface InstalledPackage {
  folder: string;
  write(name: string, content: unknown): string;
  read(name: string): string;
  run(program: string, args: string[], more?: RunOptions): Promise<Said>;
  /** `overture` of the folder, of this host and key. */
  overture(args: string[], more?: RunOptions): Promise<Said>;
  remove(): void;
}

interface RunOptions {
  env?: Record<string, string>;
  input?: string;
}

export async function installPackage(env: Record<string, string>): Promise<InstalledPackage> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-package-"));
  const built = path.join(folder, "built");
  const home = path.join(folder, "home");
  fs.mkdirSync(home);
  // Nothing of this machine's user, and no key but the test's.
  const own = { PATH: process.env["PATH"]!, HOME: home, TZ: "UTC" };
  const run: InstalledPackage["run"] = (program, args, { env: more = {}, input = "" } = {}) =>
    new Promise((resolve) => {
      const options = { cwd: folder, env: { ...own, ...env, ...more }, timeout: 120_000 };
      const child = execFile(program, args, options, (_error, out, err) =>
        resolve({ code: child.exitCode ?? 1, out, err }),
      );
      child.stdin?.on("error", () => {}).end(input);
    });
  const done = async (said: Promise<{ code: number | null; output?: string; err?: string }>) => {
    const { code, output, err } = await said;
    if (code !== 0) throw new Error(output ?? err);
  };
  await done(runScript("build-sdk.ts", "--out", built));
  await done(run("npm", ["pack", "--silent", built]));
  const archive = fs.readdirSync(folder).find((name) => name.endsWith(".tgz"))!;
  const quiet = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  fs.writeFileSync(path.join(folder, "package.json"), '{"type": "module", "private": true}');
  await done(run("npm", ["install", ...quiet, `./${archive}`]));
  fs.rmSync(built, { recursive: true });
  return {
    folder,
    run,
    overture: (args, more) => run(path.join(folder, "node_modules/.bin/overture"), args, more),
    write(name, content) {
      const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
      fs.writeFileSync(path.join(folder, name), text);
      return name;
    },
    read: (name) => fs.readFileSync(path.join(folder, name), "utf8"),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

/** The compiler of this checkout, for files of the folder that know nothing but Node's types. */
export function checkTypes(installed: InstalledPackage, files: string[]): Promise<Said> {
  const types = path.join(rootFolder, "node_modules/@types");
  const strict = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--erasableSyntaxOnly"];
  const modules = [
    "--module",
    "nodenext",
    "--target",
    "es2022",
    "--lib",
    "es2022,esnext.disposable",
  ];
  return installed.run(path.join(rootFolder, "node_modules/.bin/tsc"), [
    ...strict,
    ...modules,
    ...["--typeRoots", types, "--types", "node"],
    ...files,
  ]);
}
