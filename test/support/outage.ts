import { createPostgresStore, type SendStore } from "#db/engine/index.ts";
import { NO_LIMITS } from "#src/domain/engine/run-ahead.ts";
import { tick, type TickReport } from "#src/domain/engine/tick.ts";
import type { Channel } from "#src/domain/engine/channel.ts";
import { createEmailChannel } from "#src/domain/messages/email-channel.ts";
import type { Vault } from "#src/platform/vault.ts";
import { createEagerClock } from "./eager-clock.ts";
import type { Random } from "./random.ts";
import type { Sending } from "./sending.ts";

/** What does not work for the while. */
export interface Outage {
  /** The database refuses connections, or answers 500, for at most so many calls from a recording on, and for a few from any other call. */
  databaseAway?: number;
  /** It does what it is asked, and the answer is lost. */
  repliesLost?: boolean;
  vaultBroken?: boolean;
  /** The relay defers, refuses a connection, hangs up after the dot, and answers minutes late. */
  relayTroubled?: boolean;
  ticksDoubled?: boolean;
}

const RELAY_FAULTS = ["rcpt_deferred", "data_deferred", "close_after_dot", "greeting_421"];
/** A worker that has nothing but a suspect in its hands outlasts these: an outage that ends it is put down to the message. */
const FEW_CALLS = 4;
/** More than a worker needs to record what it holds. */
const HEALTHY_CALLS = 12;
/** Longer than a claim's lease, and shorter than that of what is being handed over. */
const LATE_MS = 200_000;

/** Ticks of the service's own parts, over a database, a relay and a vault that come and go. */
export function createOutage({ api, mailbox }: Sending, random: Random) {
  const clock = createEagerClock(api.deps.clock.now().getTime());
  const store = createPostgresStore(api.deps.db);

  let healthy = 0;
  /** A fault of the database's from this call on; then it answers for a while. */
  function trouble({ databaseAway, repliesLost }: Outage, share: number, most = FEW_CALLS): void {
    if (healthy-- > 0 || !random.chance(share)) return;
    const calls = databaseAway === undefined ? 0 : 1 + random.below(Math.min(databaseAway, most));
    if (calls > 0) api.neon.faults.order(random.pick(["refuse", "server_error"]), calls);
    if (repliesLost) api.neon.faults.order("reply_lost", 1);
    healthy = calls === 0 ? 3 : calls + HEALTHY_CALLS;
  }

  const troubled = (outage: Outage): SendStore => {
    const through = new Proxy(store, {
      get:
        (target, verb: keyof SendStore) =>
        (...args: never[]) => {
          trouble(outage, 0.05);
          return (target[verb] as (...args: never[]) => unknown)(...args);
        },
    });
    return {
      ...through,
      // What was sent or begun hangs on these.
      recordAndBegin(now, token, outcomes, begin) {
        if (outcomes.length > 0) trouble(outage, 0.5, outage.databaseAway);
        else trouble(outage, 0.2);
        return store.recordAndBegin(now, token, outcomes, begin);
      },
    };
  };

  async function once(outage: Outage): Promise<TickReport> {
    const vault: Vault = {
      ...api.deps.vault,
      ...(outage.vaultBroken && { open: () => Promise.reject(new Error("no answer")) }),
    };
    const channel = createEmailChannel({ ...api.deps, vault });
    const perform: typeof channel.perform = async (ready) => {
      const result = await channel.perform(ready);
      if (outage.relayTroubled && random.chance(0.05))
        clock.moveTo(clock.now().getTime() + LATE_MS);
      return result;
    };
    return tick({
      store: troubled(outage),
      channels: [{ ...channel, perform } as Channel],
      clock,
      log: api.deps.log,
      newToken: () => api.deps.ids.uuid(),
      settings: { batch: 50, periodSeconds: 60, connections: 5, limits: NO_LIMITS },
    }).finally(() => channel.close());
  }

  return {
    /** What the schedule starts in a minute; answers how many ticks ended by an error. */
    async minute(outage: Outage): Promise<number> {
      if (outage.relayTroubled && random.chance(0.7))
        mailbox.faults.order(random.pick(RELAY_FAULTS), 1);
      const ticks = Array.from({ length: outage.ticksDoubled ? 2 : 1 }, () => once(outage));
      const ended = await Promise.allSettled(ticks);
      api.neon.faults.clear();
      healthy = 0;
      clock.moveTo(clock.now().getTime() + 60_000);
      return ended.filter(({ status }) => status === "rejected").length;
    },
    /** The next thing that there is to do, when all works. */
    async calm(): Promise<TickReport> {
      mailbox.faults.clear();
      const report = await once({});
      // A tick's own time is the whole second before.
      clock.moveTo((report.nextWakeAt ?? clock.now()).getTime() + 1_000);
      return report;
    },
  };
}
