import type { InboundEmail, WorkerLink } from "../worker-link.ts";

/** Several Workers as one: the clock moves all of them, and waits for each. Queue batches are the first one's. */
export function joinLinks(
  [first, ...others]: [WorkerLink, ...WorkerLink[]],
  email: ((mail: InboundEmail) => ReturnType<WorkerLink["email"]>) | null,
): WorkerLink {
  if (others.length === 0 && email === null) return first;
  const all = [first, ...others];
  return {
    async setOffset(offsetMs) {
      await Promise.all(all.map((link) => link.setOffset(offsetMs)));
    },
    async state() {
      const states = await Promise.all(all.map((link) => link.state()));
      const sum = (count: (state: (typeof states)[number]) => number) =>
        states.reduce((total, state) => total + count(state), 0);
      const wakes = states.flatMap(({ next_wake_at: at }) => at ?? []);
      return {
        running: sum(({ running }) => running),
        asleep: sum(({ asleep }) => asleep),
        next_wake_at: wakes.toSorted()[0] ?? null,
        from_outside: sum(({ from_outside }) => from_outside),
      };
    },
    async scheduled(cron, at) {
      await Promise.all(all.map((link) => link.scheduled(cron, at)));
    },
    email: (mail) => (email ?? first.email)(mail),
    queue: (batch) => first.queue(batch),
  };
}
