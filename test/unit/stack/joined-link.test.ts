import { expect, test } from "vitest";
import { joinLinks } from "../../../scripts/stack/cells/joined-link.ts";
import type { WorkerLink } from "../../../scripts/stack/worker-link.ts";

const asked: string[] = [];
const linkOf = (name: string, at: string | null): WorkerLink => ({
  setOffset: async (ms) => void asked.push(`${name} clock ${ms}`),
  state: async () => ({ running: 1, asleep: 2, next_wake_at: at, from_outside: 3 }),
  scheduled: async () => void asked.push(`${name} cron`),
  email: async () => ({ rejected: name }),
  queue: async () => ({ retries: [{ id: name, delay_seconds: null }] }),
});
const [one, two] = [linkOf("one", "2026-01-02T00:00:00Z"), linkOf("two", "2026-01-01T00:00:00Z")];
const mail = { from: "", to: "", raw: "" };

test("several Workers have one clock and one cron, and are at rest when each is", async () => {
  const joined = joinLinks([one, two], null);
  await joined.setOffset(5);
  await joined.scheduled("* * * * *", new Date());
  expect(asked).toEqual(["one clock 5", "two clock 5", "one cron", "two cron"]);
  expect(await joined.state()).toEqual({
    running: 2,
    asleep: 4,
    next_wake_at: "2026-01-01T00:00:00Z",
    from_outside: 6,
  });
  expect(await joined.queue({ queue: "hits", messages: [] })).toEqual({
    retries: [{ id: "one", delay_seconds: null }],
  });
  expect(await joined.email(mail)).toEqual({ rejected: "one" });
});

test("mail goes to the router where there is one", async () => {
  const joined = joinLinks([one], async () => ({ rejected: "the router" }));
  expect(await joined.email(mail)).toEqual({ rejected: "the router" });
});
