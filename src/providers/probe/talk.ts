import type { Duplex } from "#src/providers/mail/index.ts";
import type { Capabilities, SmtpReply } from "#src/providers/mail/smtp-replies.ts";
import {
  createSmtpWire,
  SmtpConnectionError,
  SmtpOutOfTurnError,
  type SmtpWire,
} from "#src/providers/mail/smtp-wire.ts";
import type { Clock } from "#src/platform/index.ts";
import type { ProbeConnection, ProbeExchange, ProbeReply, ProbeStage } from "./index.ts";

/** A connection under way, and the record that becomes its part of the transcript. */
export interface Talk {
  readonly host: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  duplex: Duplex;
  wire: SmtpWire;
  capabilities: Capabilities;
  record: Recording;
}

/** A `ProbeConnection` that is still written. */
export interface Recording extends Omit<ProbeConnection, "exchanges"> {
  exchanges: ProbeExchange[];
}

const MAX_TEXT = 500;

export const toProbeReply = ({ code, enhanced, lines }: SmtpReply): ProbeReply => ({
  code,
  ...(enhanced === undefined ? {} : { enhanced }),
  text: lines.join(" ").slice(0, MAX_TEXT),
});

/** Writes a line, or nothing, and reads the one reply to it. */
export async function exchange(
  talk: Talk,
  stage: Exclude<ProbeStage, "connect">,
  line: string | null,
  ms: number,
  about: Pick<ProbeExchange, "recipient" | "isRandom"> = {},
): Promise<SmtpReply> {
  const { wire, record, clock } = talk;
  const startedAt = clock.now().getTime();
  record.stage = stage;
  if (line !== null) await wire.ask(`${line}\r\n`, ms);
  const reply = await wire.readReply(ms);
  record.exchanges.push({
    stage,
    ...about,
    reply: toProbeReply(reply),
    ms: clock.now().getTime() - startedAt,
  });
  return reply;
}

/** After STARTTLS: the same talk over the secured stream. */
export function resume(talk: Talk, duplex: Duplex): void {
  talk.duplex = duplex;
  talk.wire = createSmtpWire(duplex, talk.signal);
}

/** How long the answer to QUIT may take at least. */
export const GOODBYE_MS = 1_000;

/**
 * The answer to QUIT, or null without one. It is said because a connection that is cut right behind its last answer
 * looks like a fault to the host, and because no other command is answered 221: whatever the host said beyond an answer
 * is answer to the next command instead, and at last to this one. Then it throws.
 */
export async function sayGoodbye({ wire }: Talk, ms: number): Promise<ProbeReply | null> {
  try {
    await wire.write("QUIT\r\n", ms);
    const reply = await wire.readReply(ms);
    if (reply.code === 221 || reply.code === 421) return toProbeReply(reply);
  } catch (error) {
    if (error instanceof SmtpConnectionError) return null;
  }
  throw new SmtpOutOfTurnError();
}
