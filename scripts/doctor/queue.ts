import { z } from "zod";
import { TICK_CALLBACK, TICK_SCHEDULE_ID, tickCron } from "#src/domain/jobs/tick.ts";
import { answerOf, type Check, type Context, type Reply } from "./context.ts";
import { fail, ok, type Said, warn } from "./finding.ts";
import { whereToFind } from "./where.ts";

const Keys = z.object({ current: z.string(), next: z.string() });
const Schedule = z.object({
  destination: z.string(),
  cron: z.string(),
  isPaused: z.boolean().default(false),
});

const get = ({ config, ask }: Context, path: string) =>
  ask(`${config.qstash.url}/v2/${path}`, {
    headers: { authorization: `Bearer ${config.qstash.token}` },
  });

export const queue: Check = {
  part: "queue",
  async run(context) {
    const keys = await get(context, "keys");
    const read = Keys.safeParse(keys.json);
    return read.success && keys.status === 200
      ? [ok("takes QSTASH_TOKEN"), ...keysOf(context, read.data)]
      : [queueTrouble(keys)];
  },
};

function queueTrouble(reply: Reply): Said {
  if (reply.status === 401 || reply.status === 403)
    return fail(
      "QSTASH_TOKEN is refused",
      `${whereToFind("QSTASH_TOKEN")}. A token is good in its own region alone: ${whereToFind("QSTASH_URL")}`,
    );
  return fail(`QSTASH_URL ${answerOf(reply)}: it is not QStash`, whereToFind("QSTASH_URL"));
}

function keysOf({ config }: Context, { current, next }: z.output<typeof Keys>): Said[] {
  const given = {
    QSTASH_CURRENT_SIGNING_KEY: config.qstash.currentSigningKey === current,
    QSTASH_NEXT_SIGNING_KEY: config.qstash.nextSigningKey === next,
  };
  const wrong = Object.entries(given).flatMap(([name, isRight]) => (isRight ? [] : [name]));
  return wrong.length === 0
    ? [ok("signs with the keys that are configured")]
    : wrong.map((name) =>
        fail(
          `${name} is not the account's: the queue's calls would be refused`,
          `${whereToFind(name)}; after a rotation both change`,
        ),
      );
}

/** The engine is run by it; the heartbeat makes it, and puts it back. */
export const schedule: Check = {
  part: "schedule",
  needsWorker: true,
  async run(context) {
    const reply = await get(context, `schedules/${TICK_SCHEDULE_ID}`);
    const read = Schedule.safeParse(reply.json);
    if (reply.status === 200 && read.success) return judged(context, read.data);
    if (reply.status === 404)
      return [
        warn(
          "is not there yet",
          "The Worker's cron makes it within five minutes of the first deployment. Later than that: `npx wrangler tail` shows what the heartbeat says.",
        ),
      ];
    return [warn(`cannot be read: the queue ${answerOf(reply)}`, "See the queue's line.")];
  },
};

function judged({ config }: Context, found: z.output<typeof Schedule>): Said[] {
  const wanted = `${config.cellBaseUrl}/functions/${TICK_CALLBACK}`;
  if (found.destination !== wanted)
    return [
      fail(
        `calls ${found.destination}, which is not this Worker (CELL_BASE_URL, or else PUBLIC_BASE_URL)`,
        "Its calls are refused there: deploy with the right address, and the heartbeat makes it anew when the engine has been silent for three periods.",
      ),
    ];
  if (found.isPaused)
    return [fail("is paused", "console.upstash.com, QStash, Schedules, campaign-tick: resume it.")];
  const cron = tickCron(config.tick);
  if (found.cron !== cron)
    return [
      // As a deployment that changes it finds it.
      warn(
        `runs the engine at ${found.cron}, and TICK_PERIOD_SECONDS asks for ${cron}`,
        "The Worker's heartbeat makes it anew within a quarter of an hour of a deployment with that value.",
      ),
    ];
  return [ok(`runs the engine at ${found.cron}`)];
}
