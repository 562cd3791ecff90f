import type { World } from "../support/engine-worlds.ts";
import type { Random } from "../support/random.ts";
import type { Machine } from "./machine.ts";
import { answerOf, createNetwork, type Network, type NetworkRates } from "./network.ts";

/** An account is looked at so often, and withdraws what nobody has answered for so long. */
const LOOK_MS = 6 * 3_600_000;
const STALE_MS = 14 * 86_400_000;

export interface InvitedPorts {
  machine: Machine;
  random: Random;
  world: Pick<World, "actions">;
  rates: NetworkRates;
  /** The share of the looks at which the network is away. */
  away(): number;
  isOver(): boolean;
  /** Something took effect: the engine may have work. */
  onChange(what: string, leadId: string): Promise<void>;
}

export interface Invited {
  network: Network;
  /** Whose wait was ended because nobody answered. */
  gaveUp: ReadonlySet<string>;
}

/**
 * People who are asked to connect, and how the service hears of what they do: by a webhook at once, late, twice or never,
 * and by its regular look, which withdraws what nobody answered and goes on without them.
 */
export function createInvited(ports: InvitedPorts): Invited {
  const { machine, random, world, rates, away, isOver, onChange } = ports;
  const { actions } = world;
  const gaveUp = new Set<string>();
  const network = createNetwork((leadId, at) => void answer(leadId, at));
  const now = () => new Date(machine.now());

  const hear = (leadId: string) =>
    machine.alone(async () => {
      if (await actions.accept(leadId, now())) await onChange("accepted", leadId);
    });

  async function answer(leadId: string, askedAt: number): Promise<void> {
    const { kind, afterMs, told } = answerOf(leadId, rates);
    if (kind === "never") return;
    const at = askedAt + afterMs;
    await machine.turn(at);
    if (!network.answer(leadId, kind)) return;
    for (const late of told) void machine.turn(at + late).then(() => hear(leadId));
  }

  async function giveUp(leadId: string): Promise<void> {
    if (network.withdraw(leadId)) return hear(leadId);
    // It asks on while others act: whoever had accepted before may be told of now.
    await machine.turn(machine.now() + random.below(60_000));
    await machine.alone(async () => {
      const at = new Date(Math.floor(machine.now() / 1000) * 1000);
      if (!(await actions.giveUpWaiting(leadId, at))) return;
      gaveUp.add(leadId);
      await onChange("given up", leadId);
    });
  }

  const awaiting = (before: number) => machine.alone(() => actions.awaiting(new Date(before)));

  async function look(): Promise<void> {
    for (;;) {
      await machine.turn(machine.now() + LOOK_MS);
      if (isOver()) return;
      if (random.chance(away())) continue;
      for (const leadId of await awaiting(machine.now()))
        if (network.isConnected(leadId)) await hear(leadId);
      for (const leadId of await awaiting(machine.now() - STALE_MS)) await giveUp(leadId);
    }
  }
  void look();
  return { network, gaveUp };
}
