import { createPostgresStore, type SendStore } from "#db/engine/index.ts";
import { createEmailChannel } from "#src/domain/messages/email-channel.ts";
import type { Channel } from "#src/domain/engine/channel.ts";
import { NO_LIMITS } from "#src/domain/engine/run-ahead.ts";
import { tick } from "#src/domain/engine/tick.ts";
import type { Limits } from "#src/domain/engine/allowance.ts";
import type { SendResult } from "#src/providers/mail/index.ts";
import { createMachine, type Machine } from "../simulation/machine.ts";
import { createRandom } from "./random.ts";
import type { Sending } from "./sending.ts";

type EmailChannel = ReturnType<typeof createEmailChannel>;

/** One handover as a relay sees it. */
export interface Handover {
  aliasId: string;
  host: string;
  beganAt: number;
  endedAt: number;
}

export interface RelayWorld {
  machine: Machine;
  startMs: number;
  /** In the order in which they began. */
  handovers: Handover[];
  /** How long a host takes to answer a message that is handed to it then. */
  answersIn: (host: string, at: number, aliasId: string) => number;
  /** Runs a tick each minute for so long, overlapping as the schedule's do. */
  runMinutes(count: number, options?: { limits?: Limits }): Promise<void>;
  /** How many of these senders began a message in each minute since the start. */
  sendersByMinute(aliasIds: readonly string[]): number[];
}

/** The service's own engine, store and letters in virtual time; of the relays nothing but how long they take. */
export function createRelayWorld({ api }: Pick<Sending, "api">): RelayWorld {
  const { deps } = api;
  const startMs = Math.ceil(Date.now() / 60_000) * 60_000;
  const machine = createMachine(startMs, createRandom(7));
  const handovers: Handover[] = [];
  const real = createPostgresStore(deps.db);
  const store = Object.fromEntries(
    Object.entries(real).map(([verb, ask]) => [
      verb,
      (...args: never[]) =>
        machine.alone(() => (ask as (...args: never[]) => Promise<unknown>)(...args)),
    ]),
  ) as unknown as SendStore;
  const clock = {
    now: () => new Date(machine.now()),
    sleepUntil: (at: Date) => machine.turn(at.getTime()),
  };
  const world: RelayWorld = {
    machine,
    startMs,
    handovers,
    answersIn: () => 200,
    async runMinutes(count, { limits = NO_LIMITS } = {}) {
      const firstAt = machine.now();
      const failures: unknown[] = [];
      for (let minute = 0; minute < count; minute++) {
        void machine
          .turn(firstAt + minute * 60_000)
          .then(() => runTick(limits))
          .catch((error: unknown) => failures.push(error));
      }
      await machine.run(firstAt + count * 60_000);
      if (failures.length > 0) throw failures[0];
    },
    sendersByMinute(aliasIds) {
      const minutes = Math.ceil((machine.now() - startMs) / 60_000);
      return Array.from({ length: minutes }, (_, minute) => {
        const from = startMs + minute * 60_000;
        const began = handovers.filter(
          ({ aliasId, beganAt }) =>
            beganAt >= from && beganAt < from + 60_000 && aliasIds.includes(aliasId),
        );
        return new Set(began.map(({ aliasId }) => aliasId)).size;
      });
    },
  };
  async function runTick(limits: Limits): Promise<void> {
    const own = createEmailChannel({ ...deps, clock });
    const hosts = new Map<unknown, string>();
    const channel: EmailChannel = {
      ...own,
      load: (ids) => machine.alone(() => own.load(ids)),
      lastAttempts: (ids, now) => machine.alone(() => own.lastAttempts!(ids, now)),
      async prepare(context, now) {
        const prepared = await machine.alone(() => own.prepare(context, now));
        if (prepared.ok)
          hosts.set(
            prepared.ready,
            String((context.alias.transportSettings as { host?: string }).host),
          );
        return prepared;
      },
      async perform(ready) {
        const { aliasId } = ready;
        const beganAt = machine.now();
        const host = hosts.get(ready)!;
        const entry = { aliasId, host, beganAt, endedAt: Infinity };
        handovers.push(entry);
        await machine.turn(beganAt + world.answersIn(host, beganAt, aliasId));
        entry.endedAt = machine.now();
        return { state: "accepted", reply: "250 OK" } satisfies SendResult;
      },
    };
    await tick({
      store,
      clock,
      channels: [channel as Channel],
      log: deps.log,
      newToken: () => deps.ids.uuid(),
      settings: { batch: 50, periodSeconds: 60, connections: 5, limits },
    });
  }
  return world;
}

/** Gives each of these senders an account of its own, at that host. */
export async function placeAt(
  { api }: Pick<Sending, "api">,
  aliasIds: readonly string[],
  hostOf: (index: number) => string,
): Promise<void> {
  const hosts = aliasIds.map((_, index) => hostOf(index));
  await api.sql.query(
    `update mail_aliases a set transport_settings = a.transport_settings || jsonb_build_object('host', at.host, 'username', a.email)
     from unnest($1::uuid[], $2::text[]) at(id, host) where a.id = at.id`,
    [aliasIds, hosts],
  );
}
