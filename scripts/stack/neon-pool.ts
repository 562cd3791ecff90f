import type { Session } from "./neon-session.ts";

export interface Lease {
  session: Session;
  /** Gives the session back; one that is not `clean` is closed instead. */
  end(clean: boolean): void;
}

export interface SessionPool {
  /** Waits for a session where the bound is reached. Rejects when opening one fails, the signal aborts or the pool closes. */
  lease(key: string, open: OpenSession, signal: AbortSignal): Promise<Lease>;
  close(): void;
}

type OpenSession = (onClose: () => void) => Promise<Session>;

interface Waiter {
  key: string;
  open: OpenSession;
  resolve(lease: Lease): void;
  reject(error: unknown): void;
}

interface Idle {
  key: string;
  session: Session;
  since: number;
}

const SWEEP_MS = 5_000;

/**
 * Keeps sessions open between requests, apart by key, since a session belongs to one login to one database. At most
 * `limit` are open over all keys; when all are, the one idle for longest makes room, and who finds none idle waits
 * in line.
 */
export function createSessionPool(limit: number, idleMs: number): SessionPool {
  // Newest last: the newest is used first, so that what is not needed grows old.
  let idle: Idle[] = [];
  let waiting: Waiter[] = [];
  const busy = new Set<Session>();
  let count = 0;
  let closed = false;

  const sweep = setInterval(() => {
    const oldest = performance.now() - idleMs;
    for (const entry of idle.filter(({ since }) => since < oldest)) drop(entry);
  }, SWEEP_MS);
  sweep.unref();

  function drop(entry: Idle): void {
    idle = idle.filter((other) => other !== entry);
    entry.session.close();
  }

  function takeIdle(key: string): Session | null {
    for (let index = idle.length - 1; index >= 0; index--) {
      const entry = idle[index];
      if (entry?.key !== key) continue;
      idle.splice(index, 1);
      if (entry.session.isOpen()) return entry.session;
    }
    return null;
  }

  function leaseOf(key: string, session: Session): Lease {
    busy.add(session);
    return {
      session,
      end(clean) {
        busy.delete(session);
        if (clean && session.isOpen() && !closed) {
          idle.push({ key, session, since: performance.now() });
        } else {
          session.close();
        }
        serveNext();
      },
    };
  }

  function openFor({ key, open, resolve, reject }: Waiter): void {
    count++;
    let counted = true;
    const uncount = () => {
      if (counted) count--;
      counted = false;
      idle = idle.filter((entry) => entry.session.isOpen());
      serveNext();
    };
    open(uncount).then(
      (session) => resolve(leaseOf(key, session)),
      (error: unknown) => {
        uncount();
        reject(error);
      },
    );
  }

  /** Serves the longest waiting as far as there are sessions or room. */
  function serveNext(): void {
    for (let turn = waiting.length; turn > 0; turn--) {
      const next = waiting[0];
      if (next === undefined || !serve(next)) return;
      waiting.shift();
    }
  }

  function serve(waiter: Waiter): boolean {
    const session = takeIdle(waiter.key);
    if (session !== null) {
      waiter.resolve(leaseOf(waiter.key, session));
      return true;
    }
    if (count < limit) {
      openFor(waiter);
      return true;
    }
    // Its place is free when Postgres has let go of it, which calls serveNext again.
    const oldest = idle[0];
    if (oldest !== undefined) drop(oldest);
    return false;
  }

  return {
    lease(key, open, signal) {
      const session = waiting.length === 0 ? takeIdle(key) : null;
      if (session !== null) return Promise.resolve(leaseOf(key, session));
      if (closed) return Promise.reject(new Error("the gateway is closed"));
      return new Promise((resolve, reject) => {
        const waiter: Waiter = { key, open, resolve, reject };
        if (waiting.length === 0 && serve(waiter)) return;
        waiting.push(waiter);
        signal.addEventListener("abort", () => {
          if (!waiting.includes(waiter)) return;
          waiting = waiting.filter((other) => other !== waiter);
          reject(signal.reason);
        });
      });
    },
    close() {
      closed = true;
      clearInterval(sweep);
      for (const waiter of waiting) waiter.reject(new Error("the gateway is closed"));
      waiting = [];
      for (const entry of idle) entry.session.close();
      idle = [];
      for (const session of busy) {
        session.cancel();
        session.close();
      }
    },
  };
}
