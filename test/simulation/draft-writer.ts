import type { ModelData } from "#src/domain/engine/memory/index.ts";
import type { World } from "../support/engine-worlds.ts";
import type { Random } from "../support/random.ts";
import type { Machine } from "./machine.ts";
import type { Violation } from "./wire.ts";

export interface DraftRates {
  /** A text takes so long. */
  latencyMs: number;
  /** Share of the texts of which nothing comes. */
  failures: number;
  /** So many at once. */
  places: number;
  /** What is lacking is looked for so often. */
  everyMs: number;
}

export interface DraftWriter {
  /** Whether there is a text for the step of a lead, by what was stored and approved: the oracle, not the store. */
  hasText(leadId: string, step: number): boolean;
  /** What was written, by lead and step. */
  written: Map<string, number>;
  asked(): number;
  /** Leads that came later. */
  meet(leads: ModelData["leads"]): void;
}

const APPROVED_AT = "2026-01-01T00:00:00.000Z";

/** The prefetch and a slow model that fails now and then; where texts are reviewed, somebody who approves them. */
export function createDraftWriter(ports: {
  machine: Machine;
  random: Random;
  world: World;
  data: ModelData;
  rates: DraftRates;
  violations: Violation[];
  isOver(): boolean;
  /** Something took effect: the engine may have work. */
  onChange(what: string, leadId: string): void;
}): DraftWriter {
  const { machine, random, world, data, rates, violations, isOver, onChange } = ports;
  const texts = new Set<string>();
  const written = new Map<string, number>();
  const waiting: string[] = [];
  const isReviewed = ({ waitsFor }: ModelData["leads"][number]) =>
    waitsFor === "personalization_review_pending";
  const reviewed = data.leads.filter(isReviewed);
  let atWork = 0;
  let askedFor = 0;

  async function write(key: string): Promise<void> {
    const [leadId, step] = key.split("/") as [string, string];
    atWork++;
    await machine.turn(machine.now() + rates.latencyMs);
    const answer = random.chance(rates.failures) ? "failed" : "generated";
    const ended = await machine.alone(() =>
      world.actions.endDraft(leadId, Number(step), new Date(machine.now()), answer),
    );
    atWork--;
    onChange(`a text: ${ended}, step ${step}`, leadId);
    if (ended === "generated") keep(key, leadId);
    begin();
  }

  function keep(key: string, leadId: string): void {
    written.set(key, (written.get(key) ?? 0) + 1);
    texts.add(key);
    if (written.get(key)! > 1)
      violations.push({ invariant: "written once", text: `${key} was written again`, leadId });
  }

  function begin(): void {
    while (atWork < rates.places && waiting.length > 0) void write(waiting.shift()!);
  }

  async function approveSome(): Promise<void> {
    for (let count = 0; count < 3 && reviewed.length > 0; count++) {
      const { id, campaignId } = random.pick(reviewed);
      const { steps } = data.campaigns.find((campaign) => campaign.id === campaignId)!;
      for (const { step } of steps) {
        if (texts.has(`${id}/${step}`)) continue;
        await machine.alone(() =>
          world.actions.approve(id, step, new Date(machine.now()), APPROVED_AT),
        );
        texts.add(`${id}/${step}`);
        onChange(`approved: step ${step}`, id);
        break;
      }
    }
  }

  async function look(): Promise<void> {
    for (;;) {
      await machine.turn(machine.now() + rates.everyMs);
      if (isOver()) return;
      const asked = await machine.alone(() => world.actions.prefetch(new Date(machine.now())));
      askedFor += asked.length;
      waiting.push(...asked);
      begin();
      await approveSome();
    }
  }
  void look();
  return {
    meet: (leads) => void reviewed.push(...leads.filter(isReviewed)),
    hasText: (leadId, step) => texts.has(`${leadId}/${step}`),
    written,
    asked: () => askedFor,
  };
}
