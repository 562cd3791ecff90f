import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { Overture } from "../sdk/index.ts";
import { Refusal } from "./refusal.ts";

export interface Access {
  baseUrl: string;
  apiKey: string;
}

type Env = Record<string, string | undefined>;

/** Where `overture login` keeps what it was told: readable by its owner alone. */
export function credentialsFile(env: Env = process.env): string {
  const config = env["XDG_CONFIG_HOME"] || path.join(os.homedir(), ".config");
  return path.join(config, "overture", "credentials.json");
}

export function storeAccess({ baseUrl, apiKey }: Access, env: Env = process.env): string {
  const file = credentialsFile(env);
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const part = `${file}.${process.pid}`;
  fs.writeFileSync(part, `${JSON.stringify({ base_url: baseUrl, api_key: apiKey })}\n`, {
    mode: 0o600,
  });
  fs.renameSync(part, file);
  return file;
}

function storedAccess(env: Env): Partial<Access> {
  try {
    const stored = JSON.parse(fs.readFileSync(credentialsFile(env), "utf8")) as Record<
      string,
      string
    >;
    return { baseUrl: stored["base_url"]!, apiKey: stored["api_key"]! };
  } catch {
    return {};
  }
}

/** Of OVERTURE_URL and OVERTURE_API_KEY, else of the login. A key goes nowhere but to the host that it was stored for. */
export function access(env: Env = process.env): Access {
  const stored = storedAccess(env);
  const baseUrl = env["OVERTURE_URL"] || stored.baseUrl;
  if (baseUrl === undefined)
    throw new Refusal("No deployment is known: overture login --url URL, or OVERTURE_URL.");
  const apiKey =
    env["OVERTURE_API_KEY"] || (baseUrl === stored.baseUrl ? stored.apiKey : undefined);
  if (apiKey === undefined)
    throw new Refusal(`No key for ${baseUrl} is known: overture login, or OVERTURE_API_KEY.`);
  return { baseUrl, apiKey };
}

export const openClient = (env: Env = process.env): Overture => new Overture(access(env));
