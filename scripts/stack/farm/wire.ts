import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createSmtpInput, type SmtpInputEvent } from "../mailbox/smtp-input.ts";
import type { Rule } from "./format.ts";

/** One end of a connection, read event by event and written as a rule orders. */
export interface Wire {
  /** Rejects when the connection has ended. */
  next(): Promise<SmtpInputEvent>;
  expectMessage(): void;
  /** Says what the rule has, in its manner; resolves false when it is the last thing of the connection. */
  perform(rule: Rule, text: string, delayMs: number): Promise<boolean>;
  /** Reads and writes another socket from now on: the one over TLS. */
  move(socket: Socket): void;
}

const MESSAGE_LIMIT = 1024 * 1024;
const FLOOD = Buffer.from("220-and there is more to say\r\n".repeat(512));

/** `ended` aborts when the connection does. */
export function createWire(first: Socket, ended: AbortSignal): Wire {
  let socket = first;
  let input = createSmtpInput();
  let wake = () => {};
  const receive = (bytes: Buffer) => {
    input.push(bytes);
    wake();
  };
  ended.addEventListener("abort", () => wake(), { once: true });
  socket.on("data", receive);

  const pause = (ms: number) => (ms > 0 ? delay(ms, undefined, { signal: ended }) : undefined);

  async function write(octets: Buffer): Promise<void> {
    ended.throwIfAborted();
    if (!socket.write(octets)) await once(socket, "drain", { signal: ended });
  }

  /** Whatever the client says now is lost, and fills nothing. */
  function deafen(): void {
    socket.off("data", receive);
    socket.resume();
  }

  const endings: Record<NonNullable<Rule["end"]>, () => unknown> = {
    close: () => socket.end(),
    reset: () => first.resetAndDestroy(),
    hang() {
      deafen();
      return once(first, "close");
    },
    async flood() {
      deafen();
      for (;;) await write(FLOOD);
    },
  };

  return {
    async next() {
      for (;;) {
        ended.throwIfAborted();
        const event = input.next();
        if (event !== null) return event;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    expectMessage: () => input.expectMessage(MESSAGE_LIMIT),
    async perform(rule, text, delayMs) {
      await pause(delayMs + (rule.after_ms ?? 0));
      if (rule.say !== undefined)
        for (const octets of spoken(rule, text)) {
          await write(octets);
          await pause(rule.drip_ms ?? 0);
        }
      if (rule.end === undefined) return true;
      await endings[rule.end]();
      return false;
    },
    move(to) {
      socket.off("data", receive);
      socket = to;
      // RFC 3207 section 4.2: nothing that came in the clear counts.
      input = createSmtpInput();
      socket.on("data", receive);
    },
  };
}

/** What goes out, in as many pieces as the rule wants. */
function spoken({ line_end, octets, drip_ms }: Rule, text: string): Buffer[] {
  const end = line_end === "lf" ? "\n" : "\r\n";
  const whole = Buffer.from(text.replaceAll("\n", end) + end, octets ?? "utf8");
  return drip_ms === undefined ? [whole] : [...whole].map((octet) => Buffer.of(octet));
}
