import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createBuyer, type Purchase } from "./buyer.ts";
import { startCampaigns } from "./campaigns.ts";
import type { Answered, Chaos } from "./run.ts";

/** What was asked of the service, and what came of it as far as the asking one knows. */
export interface Load {
  letters: Asked[];
  templates: Asked[];
  verifications: Asked[];
  purchases: Purchase[];
  campaigns: string[];
  counts(): Record<string, { asked: number; done: number }>;
  /** Resolves when no client waits for an answer any more, or after so long; true where none does. */
  calm(ms: number): Promise<boolean>;
  /** Asks nothing new, and waits for what is under way. */
  end(): Promise<void>;
}

export interface Asked {
  /** By which it is found again: a recipient, a name, an address. */
  name: string;
  status: "asking" | "done" | "refused";
  answer: Answered | null;
}

const PAUSE_MS = 250;
/** Between two tries of the same request, real ms; so many tries outlast any disturbance. */
const AGAIN_MS = 400;
const TRIES = 150;
const PURCHASES_EACH_MS = 1_500;
const CAMPAIGN_EACH_MS = 60_000;

export async function startLoad(chaos: Chaos): Promise<Load> {
  const setting = await startCampaigns(chaos);
  const buyer = await createBuyer(chaos);
  const letters: Asked[] = [];
  const templates: Asked[] = [];
  const verifications: Asked[] = [];
  const purchases: Purchase[] = [];
  let isOver = false;

  /** One after the other, until the end. */
  async function keepAsking(pauseMs: number, one: (index: number) => Promise<void>): Promise<void> {
    for (let index = 0; !isOver; index++) {
      await one(index);
      await delay(pauseMs);
    }
  }

  /** As a careful client does: the same request by the same key, until it is answered. */
  async function keyed(list: Asked[], name: string, path: string, body: unknown): Promise<void> {
    const asked: Asked = { name, status: "asking", answer: null };
    list.push(asked);
    const key = randomUUID();
    for (let tries = 0; tries < TRIES; tries++) {
      asked.answer = await chaos.call("POST", path, body, key).catch(() => null);
      const status = asked.answer?.status ?? 0;
      // Its answer got lost, and it says whether it was done.
      if (asked.answer?.body?.took_effect === true || (status >= 200 && status < 300)) {
        asked.status = "done";
        return;
      }
      const isLater = status === 0 || status >= 500 || status === 429 || status === 409;
      if (!isLater) break;
      await delay(AGAIN_MS);
    }
    asked.status = "refused";
  }

  const working = [
    keepAsking(PAUSE_MS, (index) => {
      const name = `letter${index}@inbox.zz`;
      const body = { alias_id: setting.aliasId, to_email: name, subject: "Hello", body: "Once" };
      return keyed(letters, name, "/api/v2/mailer/emails", body);
    }),
    keepAsking(PAUSE_MS, (index) => {
      const name = `Template ${index}`;
      return keyed(templates, name, "/api/v2/templates", { name, subject: "S", body: "B" });
    }),
    keepAsking(PAUSE_MS * 2, (index) => {
      const name = `person${index}@corp.zz`;
      return keyed(verifications, name, "/api/v2/email-finder/verify", { email: name });
    }),
    // What a disturbance refused half-way is begun anew, with other people.
    keepAsking(CAMPAIGN_EACH_MS, () => setting.launchOne().catch(() => {})),
    ...(buyer === null
      ? []
      : [keepAsking(PURCHASES_EACH_MS, (index) => buyer.buy(purchases, `wallet${index}@corp.zz`))]),
  ];
  const waiting = () =>
    [...letters, ...templates, ...verifications, ...purchases].filter(
      ({ status }) => status === "asking",
    );
  const of = (list: readonly { status: string }[]) => ({
    asked: list.length,
    done: list.filter(({ status }) => status === "done").length,
  });
  return {
    letters,
    templates,
    verifications,
    purchases,
    campaigns: setting.campaigns,
    counts: () => ({
      letters: of(letters),
      templates: of(templates),
      verifications: of(verifications),
      purchases: of(purchases),
    }),
    async calm(ms) {
      const before = waiting();
      const endsAt = performance.now() + ms;
      while (before.some(({ status }) => status === "asking")) {
        if (performance.now() > endsAt) return false;
        await delay(50);
      }
      return true;
    },
    async end() {
      isOver = true;
      await Promise.all(working);
      const { length } = waiting();
      if (length > 0) throw new Error(`${length} requests were never ended.`);
    },
  };
}
