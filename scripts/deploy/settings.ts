import * as fs from "node:fs";
import * as path from "node:path";
import { parseEnv } from "node:util";
import { rootFolder } from "../command.ts";

/** What of wrangler.toml matters here. */
export interface WranglerSettings {
  name: string;
  vars: Record<string, string>;
  crons: string[];
}

/** Beside the checkout's own files, and ignored by git. */
export const SETTINGS_FILE = ".env.deploy";

/** The values of a deployment: those of the file go before those of wrangler.toml. An empty value is none. */
export function readSettings(file: string): { env: Record<string, string>; hasFile: boolean } {
  const hasFile = fs.existsSync(file);
  const own = hasFile ? parseEnv(fs.readFileSync(file, "utf8")) : {};
  const all: Record<string, string | undefined> = { ...readWrangler().vars, ...own };
  const given = Object.entries(all).filter(
    (entry): entry is [string, string] => (entry[1] ?? "") !== "",
  );
  return { env: Object.fromEntries(given), hasFile };
}

/** Of the file as this repository writes it: one `NAME = "value"` a line under `[vars]`. */
export function readWrangler(file = path.join(rootFolder, "wrangler.toml")): WranglerSettings {
  const toml = fs.readFileSync(file, "utf8");
  const section = (name: string) =>
    new RegExp(String.raw`^\[${name}\]\n((?:(?!\[).*\n?)*)`, "m").exec(toml)?.[1] ?? "";
  const vars = [...section("vars").matchAll(/^([A-Z0-9_]+)\s*=\s*"([^"]*)"/gm)];
  const crons = /^crons\s*=\s*\[([^\]]*)\]/m.exec(section("triggers"))?.[1] ?? "";
  return {
    name: /^name\s*=\s*"([^"]+)"/m.exec(toml)?.[1] ?? "overture",
    vars: Object.fromEntries(vars.map(([, name, value]) => [name!, value!])),
    crons: [...crons.matchAll(/"([^"]+)"/g)].map(([, cron]) => cron!),
  };
}
