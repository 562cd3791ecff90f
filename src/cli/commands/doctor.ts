import * as fs from "node:fs";
import { Overture, OvertureError } from "../../sdk/index.ts";
import { type Command, readArgs } from "../command.ts";
import { EXIT, Refusal } from "../refusal.ts";
import { access, credentialsFile } from "../settings.ts";
import { plain } from "../terminal.ts";

interface Finding {
  name: string;
  ok: boolean;
  says: string;
}

/** A webhook's and a payment's time may be so far from another clock. */
const MOST_SECONDS = 60;
const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"]);

export const doctor: Command = {
  usage: "doctor",
  about: "whether this machine, its key and the deployment are well, and what to mend",
  async run(args, terminal) {
    const { values } = readArgs(args, {});
    const found: Finding[] = [];
    for (const look of [atFile, atDeployment, atKey]) {
      const findings = await look().catch((error: unknown) => [trouble(look.name, error)]);
      found.push(...findings);
      if (findings.some(({ ok }) => !ok)) break;
    }
    for (const { name, ok, says } of found)
      terminal.out(
        values.json
          ? JSON.stringify({ name, ok, says })
          : `${ok ? "ok   " : "wrong"} ${name}: ${says}`,
      );
    return found.every(({ ok }) => ok) ? EXIT.same : EXIT.refused;
  },
};

function trouble(name: string, error: unknown): Finding {
  if (!(error instanceof OvertureError || error instanceof Refusal || error instanceof TypeError))
    throw error;
  return { name: name.replace("at", "").toLowerCase(), ok: false, says: plain(error.message) };
}

async function atFile(): Promise<Finding[]> {
  const { baseUrl } = access();
  const file = credentialsFile();
  const mode = fs.existsSync(file) ? fs.statSync(file).mode & 0o077 : 0;
  const isOpen = mode !== 0 && process.platform !== "win32";
  return [
    { name: "address", ok: true, says: baseUrl },
    {
      name: "file",
      ok: !isOpen,
      says: isOpen ? `others can read ${file}: chmod 600 it` : "nobody else reads the key",
    },
  ];
}

async function atDeployment(): Promise<Finding[]> {
  let skew = 0;
  const onHeaders = (headers: Headers) => {
    const date = headers.get("date");
    if (date !== null) skew = Math.round((Date.now() - Date.parse(date)) / 1000);
  };
  const { baseUrl, ...rest } = access();
  const client = new Overture({ baseUrl, ...rest, maxRetries: 1 });
  const { status } = await client.health.ready({ onHeaders });
  const isClose = Math.abs(skew) <= MOST_SECONDS;
  return [
    { name: "deployment", ok: true, says: `is ${status}` },
    {
      name: "clock",
      // A stack on this machine may have moved its own ahead, as the demo does.
      ok: isClose || (skew < 0 && LOCAL.has(new URL(baseUrl).hostname)),
      says: isClose
        ? "is the deployment's"
        : skew < 0
          ? `is ${-skew} s behind the deployment's`
          : `is ${skew} s ahead of the deployment's`,
    },
  ];
}

async function atKey(): Promise<Finding[]> {
  const client = new Overture({ ...access(), maxRetries: 1 });
  const { workspace } = await client.access.getCurrentUser();
  const may = async (what: string, ask: () => Promise<unknown>): Promise<Finding> => {
    const error: unknown = await ask().then(
      () => null,
      (caught: unknown) => caught,
    );
    if (error === null) return { name: "key", ok: true, says: `may ${what}` };
    return {
      ...trouble("atKey", error),
      name: "key",
      says: `may not ${what}: ${plain((error as Error).message)}`,
    };
  };
  return [
    { name: "workspace", ok: true, says: `${plain(workspace.name)}, ${workspace.credits} credits` },
    await may("read campaigns", () => client.campaigns.list({ limit: 1 }).page()),
    await may("read events", () => client.events.list({ limit: 1 }).page()),
  ];
}
