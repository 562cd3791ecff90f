import { z } from "zod";
import { answerOf, type Check, type Context } from "./context.ts";
import { fail, off, ok, type Said, warn } from "./finding.ts";
import { whereToFind } from "./where.ts";

const Liveness = z.object({ status: z.literal("ok"), timestamp: z.string() });
const Readiness = z.object({ checks: z.record(z.string(), z.enum(["ok", "failed"])) });
const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** Of the names that our own files begin with, which nobody can have (RFC 2606 section 3). */
export const isExample = (hostname: string): boolean => /(^|\.)example\.com$/.test(hostname);

/** What is wrong with an address, without asking DNS or a server. */
export const addressForm: Check = {
  part: "address",
  async run({ config }) {
    const { hostname, protocol } = new URL(config.publicBaseUrl);
    if (isExample(hostname))
      return [fail("PUBLIC_BASE_URL is still the example", whereToFind("PUBLIC_BASE_URL"))];
    if (protocol === "https:" || LOOPBACK.includes(hostname))
      return [ok(`PUBLIC_BASE_URL is ${config.publicBaseUrl}`)];
    return [
      fail(
        "PUBLIC_BASE_URL is not https: keys, logins and the queue's calls would go in the clear",
        whereToFind("PUBLIC_BASE_URL"),
      ),
    ];
  },
};

/** Whether our Worker is what answers there, with everything in order. */
export const worker: Check = {
  part: "worker",
  needsWorker: true,
  async run({ config, ask }) {
    // Behind a router the public address may be answered by another cell.
    const base = config.cellBaseUrl;
    const alive = await ask(`${base}/health`);
    if (!Liveness.safeParse(alive.json).success)
      return [
        fail(
          `${base}/health ${answerOf(alive)}: it is not this service`,
          "Is PUBLIC_BASE_URL (of a cell CELL_BASE_URL) the address that `npx wrangler deploy` printed? `npx wrangler tail` shows whether requests arrive.",
        ),
      ];
    const ready = await ask(`${base}/api/v1/ready`);
    const { success, data } = Readiness.safeParse(ready.json);
    if (!success)
      return [
        fail(
          `${base}/api/v1/ready ${answerOf(ready)}: the Worker refuses its configuration`,
          "`npx wrangler tail` names every variable that is missing or wrong; `npm run deploy` puts them.",
        ),
      ];
    const failed = Object.entries(data.checks).flatMap(([name, how]) =>
      how === "failed" ? [name] : [],
    );
    return failed.length === 0
      ? [ok("answers, and is ready")]
      : [
          fail(
            `not ready: ${failed.join(", ")}`,
            "The Worker's own DATABASE_URL is meant, which may differ from the file's; `npm run deploy` puts it and applies the migrations.",
          ),
        ];
  },
};

export const tracking: Check = {
  part: "tracking",
  needsWorker: true,
  async run({ config, ask }): Promise<Said[]> {
    if (config.trackingBaseUrl === config.publicBaseUrl)
      return [ok("links and pixels are at PUBLIC_BASE_URL")];
    const alive = await ask(`${config.trackingBaseUrl}/health`);
    return Liveness.safeParse(alive.json).success
      ? [ok(`links and pixels are at ${config.trackingBaseUrl}`)]
      : [
          fail(
            `TRACKING_BASE_URL ${config.trackingBaseUrl} ${answerOf(alive)}: links in mail would lead nowhere`,
            "Add that host as a custom domain of the Worker (Settings, Domains & Routes), or leave TRACKING_BASE_URL out.",
          ),
        ];
  },
};

/** Settings that are for a local stack alone. */
export const localOnly: Check = {
  part: "local settings",
  async run({ config, env }: Context) {
    const named = [
      ...(config.allowLoopback ? ["ALLOW_LOOPBACK"] : []),
      ...(env["NEON_LOCAL"] === undefined ? [] : ["NEON_LOCAL"]),
    ];
    return named.length === 0
      ? [ok("none is set")]
      : [warn(`for a local stack alone: ${named.join(", ")}`, "Leave it out of a deployment.")];
  },
};

/** What wrangler.toml binds; `wrangler deploy` refuses a queue that is not there. */
export const hits: Check = {
  part: "hits",
  async run({ wrangler: { hitQueue } }) {
    if (hitQueue === null)
      return [
        off(
          "opens and clicks are written as they come: wrangler.toml does not both bind the queue HITS and take its messages",
        ),
      ];
    const { queue, maxBatchSize, deadLetterQueue } = hitQueue.consumer;
    const says = `opens and clicks are written ${maxBatchSize} messages at a time, by the queue ${queue}`;
    return deadLetterQueue === null
      ? [
          warn(
            `${says}, and what fails too often is lost`,
            "Name a dead_letter_queue under its [[queues.consumers]].",
          ),
        ]
      : [ok(says)];
  },
};

export const cron: Check = {
  part: "cron",
  async run({ wrangler }) {
    return wrangler.crons.length > 0
      ? [ok(`the heartbeat runs at ${wrangler.crons.join(", ")}`)]
      : [
          fail(
            "wrangler.toml has no cron trigger: nothing starts the engine, or finds what the queue lost",
            'Put crons = ["*/5 * * * *"] under [triggers], and deploy.',
          ),
        ];
  },
};
