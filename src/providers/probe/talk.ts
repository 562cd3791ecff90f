import type { Duplex } from "#src/providers/mail/index.ts";
import {
  type Capabilities,
  SmtpProtocolError,
  type SmtpReply,
} from "#src/providers/mail/smtp-replies.ts";
import {
  createSmtpWire,
  SmtpConnectionError,
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
  if (line !== null) {
    if (wire.isDisturbed()) await tellDisturbance(talk);
    await wire.write(`${line}\r\n`, ms);
  }
  const reply = await wire.readReply(ms);
  record.exchanges.push({
    stage,
    ...about,
    reply: toProbeReply(reply),
    ms: clock.now().getTime() - startedAt,
  });
  return reply;
}

/** It left, with 421 or without a word; or it talks before it is asked, so that no reply can be matched any more. */
async function tellDisturbance({ wire }: Talk): Promise<never> {
  const unasked = await wire.readReply(0);
  if (unasked.code === 421) throw new SmtpConnectionError("it left with 421");
  throw new SmtpProtocolError("it spoke before it was asked");
}

/** After STARTTLS: the same talk over the secured stream. */
export function resume(talk: Talk, duplex: Duplex): void {
  talk.duplex = duplex;
  talk.wire = createSmtpWire(duplex, talk.signal);
}

/** How long the answer to QUIT may take; nobody waits for it but the lease on the host. */
export const GOODBYE_MS = 1_000;

/** QUIT, because a connection that is cut right behind its last answer looks like a fault to the host. Never rejects. */
export async function sayGoodbye({ wire, record }: Talk): Promise<void> {
  if (record.end === "done" || record.end === "refused" || record.end === "no_smtputf8") {
    await wire.write("QUIT\r\n", GOODBYE_MS).catch(() => {});
    await wire.readReply(GOODBYE_MS).catch(() => {});
  }
  await wire.close();
}
