import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";
import type { ClaimedSend, SendStore, StepContext } from "#db/engine/index.ts";
import type { Channel } from "#src/domain/engine/channel.ts";
import { sendClaimed } from "#src/domain/engine/send-claimed.ts";
import { NO_LIMITS } from "#src/domain/engine/run-ahead.ts";
import { patience } from "../../support/patience.ts";

vi.setConfig({ testTimeout: patience(60_000) });

const now = new Date("2026-05-05T10:00:00Z");
const turn = () => new Promise((resolve) => setTimeout(resolve, 1));

const claimedSend = (id: string): ClaimedSend => ({
  id,
  campaignId: "campaign",
  campaignLeadId: `lead ${id}`,
  laneId: `lane ${id}`,
  step: 1,
  slotAt: now,
  beginsAt: now,
  claims: 1,
  kind: "email",
});

const contextOf = (sendId: string): StepContext => ({
  sendId,
  step: { step: 1 },
  attempts: 0,
  timezone: "UTC",
  zone: "",
  configVersion: 1,
  nextDelayDays: null,
  nextChannel: null,
  nextBudget: "",
  nextHold: null,
});

interface Letter {
  id: string;
}

/** What happens when, over two connections: a store and a relay that answer a moment later. */
function world() {
  const order: string[] = [];
  const letters: WeakRef<Letter>[] = [];
  const channel: Channel<StepContext, Letter> = {
    kind: "email",
    load: async (ids) => ids.map(contextOf),
    routeOf: () => ({ workspaceId: "one", host: "one", account: "one" }),
    targetOf: () => null,
    async prepare({ sendId }) {
      order.push(`write ${sendId}`);
      const record = {
        messageId: null,
        subject: null,
        html: null,
        variantLabel: null,
        templateId: null,
        templateVersion: null,
        senderProfileId: null,
      };
      const letter = { id: sendId };
      letters.push(new WeakRef(letter));
      return { ok: true, ready: letter, record };
    },
    async perform({ id }) {
      order.push(`send ${id}`);
      await turn();
      return { state: "accepted", reply: "" };
    },
    async close() {},
  };
  const recordAndBegin: SendStore["recordAndBegin"] = async (_, __, ended, begin) => {
    const ids = (of: { id: string }[]) => of.map(({ id }) => id).join("");
    order.push(`ask ${ids(ended)}>${ids(begin)}`);
    await turn();
    order.push("answer");
    return begin.map(({ id }) => ({ id, begun: true }));
  };
  const engine = {
    store: { recordAndBegin } as SendStore,
    clock: { now: () => now, sleepUntil: () => new Promise<void>(() => {}) },
    channels: [channel as Channel],
    log: { info() {}, error() {} },
    newToken: () => "token",
    settings: { batch: 10, periodSeconds: 60, connections: 2, limits: NO_LIMITS },
  };
  return { engine, order, letters, recordAndBegin };
}

/** All that is claimed, at once. */
const claimOf = (sends: ClaimedSend[]) => {
  const batches = [{ sends, isFull: false, isLast: false }];
  return {
    workerToken: "token",
    deadline: new Date(now.getTime() + 1000),
    nextRun: new Date(now.getTime() + 1000),
    bounced: new Set<string>(),
    claim: async () => batches.shift() ?? { sends: [], isFull: false, isLast: true },
  };
};

test("the next letters are written while the database is asked about those before, and what has begun goes out before anything else", async () => {
  const { engine, order } = world();
  const sends = ["a", "b", "c", "d"].map(claimedSend);
  await sendClaimed(engine, claimOf(sends));
  expect(order).toEqual([
    ...["write a", "write b", "ask >ab", "write c", "write d", "answer", "send a", "send b"],
    ...["ask ab>cd", "answer", "send c", "send d"],
    ...["ask cd>", "answer"],
  ]);
});

test("a letter that has gone out is forgotten, however large its batch", async () => {
  setFlagsFromString("--expose_gc");
  const collect = runInNewContext("gc") as () => void;
  const { engine, letters, recordAndBegin } = world();
  let held = Infinity;
  engine.store.recordAndBegin = async (...args) => {
    const begun = await recordAndBegin(...args);
    if (!begun.some(({ id }) => id === "30")) return begun;
    await turn();
    collect();
    held = letters.filter((letter) => letter.deref() !== undefined).length;
    return begun;
  };
  const sends = Array.from({ length: 40 }, (_, index) => claimedSend(`${index}`));
  await sendClaimed(engine, claimOf(sends));
  expect(letters).toHaveLength(40);
  // Two that begin, two that are written ahead, and two whose outcome is being recorded.
  expect(held).toBeLessThanOrEqual(6);
  // On a busy machine a whole collection takes seconds.
});
