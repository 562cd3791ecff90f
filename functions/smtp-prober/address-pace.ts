import type { Clock } from "#src/platform/index.ts";
import type { Dial, Duplex } from "#src/providers/mail/index.ts";
import { AddressBusy } from "#src/providers/probe/index.ts";

/** Connections at a time to one address. */
const MOST_OPEN = 2;

interface Line {
  open: number;
  nextAt: number;
}

/**
 * The service paces operators by the names of their hosts, and any domain can have names that lead to another's
 * address: what one address has of us is known here alone. A third connection at a time is refused, but by the host's
 * own name (`isKnown`), of which the service has two at a time: strangers' names take nobody's place there.
 */
export function paceByAddress(
  dial: Dial,
  clock: Clock,
  { intervalMs, isKnown }: { intervalMs: number; isKnown: (host: string) => boolean },
): Dial {
  const lines = new Map<string, Line>();
  return async (target, signal) => {
    if (isKnown(target.host)) return dial(target, signal);
    const now = clock.now().getTime();
    for (const [each, { open, nextAt }] of lines)
      if (open === 0 && nextAt <= now) lines.delete(each);
    const address = target.address ?? target.host;
    const line = lines.get(address) ?? { open: 0, nextAt: now };
    if (line.open >= MOST_OPEN) throw new AddressBusy(address);
    lines.set(address, line);
    line.open++;
    const startAt = Math.max(now, line.nextAt);
    line.nextAt = startAt + intervalMs;
    let isOpen = true;
    const leave = () => {
      if (isOpen) line.open--;
      isOpen = false;
    };
    try {
      await clock.sleepUntil(new Date(startAt), signal);
      return leaving(await dial(target, signal), leave);
    } catch (error) {
      leave();
      throw error;
    }
  };
}

const leaving = (duplex: Duplex, leave: () => void): Duplex => ({
  readable: duplex.readable,
  writable: duplex.writable,
  startTls: async () => leaving(await duplex.startTls(), leave),
  async close() {
    leave();
    await duplex.close();
  },
});
