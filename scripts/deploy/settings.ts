import * as fs from "node:fs";
import * as path from "node:path";
import { parseEnv } from "node:util";
import { rootFolder } from "../command.ts";

/** What of wrangler.toml matters here. */
export interface WranglerSettings {
  name: string;
  vars: Record<string, string>;
  crons: string[];
  /** The queue of opens and clicks; null where none is bound, or no consumer takes its messages. */
  hitQueue: { producer: { binding: string; queue: string }; consumer: ConsumerSettings } | null;
}

/** How a queue's messages reach the Worker. */
export interface ConsumerSettings {
  queue: string;
  maxBatchSize: number;
  maxBatchTimeoutSeconds: number;
  maxRetries: number;
  retryDelaySeconds: number;
  maxConcurrency: number;
  deadLetterQueue: string | null;
}

/** As `src/worker.ts` reads it. */
const HIT_BINDING = "HITS";

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
    hitQueue: readHitQueue(tablesOf(toml, "queues.producers"), tablesOf(toml, "queues.consumers")),
  };
}

type Table = Record<string, string>;

/** Each `[[name]]` of the file, its values without quotes. */
function tablesOf(toml: string, name: string): Table[] {
  const tables = toml.matchAll(new RegExp(String.raw`^\[\[${name}\]\]\n((?:(?!\[).*\n?)*)`, "gm"));
  return [...tables].map(([, lines = ""]) =>
    Object.fromEntries(
      [...lines.matchAll(/^(\w+)\s*=\s*"?([^"\n]*)"?/gm)].map(([, key, value]) => [key!, value!]),
    ),
  );
}

/** Where a setting is left out, Cloudflare's own (https://developers.cloudflare.com/queues/configuration/configure-queues/). */
function readHitQueue(producers: Table[], consumers: Table[]): WranglerSettings["hitQueue"] {
  const queue = producers.find(({ binding }) => binding === HIT_BINDING)?.["queue"];
  const consumer = consumers.find((each) => each["queue"] === queue);
  if (queue === undefined || consumer === undefined) return null;
  const number = (name: string, standard: number) => Number(consumer[name] ?? standard);
  return {
    producer: { binding: HIT_BINDING, queue },
    consumer: {
      queue,
      maxBatchSize: number("max_batch_size", 10),
      maxBatchTimeoutSeconds: number("max_batch_timeout", 5),
      maxRetries: number("max_retries", 3),
      retryDelaySeconds: number("retry_delay", 0),
      maxConcurrency: number("max_concurrency", 250),
      deadLetterQueue: consumer["dead_letter_queue"] ?? null,
    },
  };
}
