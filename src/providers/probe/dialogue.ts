import type { Dial } from "#src/providers/mail/index.ts";
import { needsSmtpUtf8 } from "#src/providers/mail/smtp-address.ts";
import { dialWithin } from "#src/providers/mail/smtp-open.ts";
import { SmtpProtocolError } from "#src/providers/mail/smtp-replies.ts";
import {
  createSmtpWire,
  SmtpConnectionError,
  SmtpOutOfTurnError,
} from "#src/providers/mail/smtp-wire.ts";
import { HostNotFound, HostRefused } from "#src/providers/net/index.ts";
import type { Clock } from "#src/platform/index.ts";
import { type Agenda, heard, nextQuestion } from "./agenda.ts";
import { type Caller, introduce, type PhaseMs, TlsFailed } from "./introduce.ts";
import { AddressBusy, type ProbeEnd, type ReadReply, type ReplyVerdict } from "./index.ts";
import {
  exchange,
  GOODBYE_MS,
  type Recording,
  sayGoodbye,
  type Talk,
  toProbeReply,
} from "./talk.ts";

export interface Line {
  dial: Dial;
  /** What a host's name was judged to lead to; null before it was dialled. */
  addressOf: (host: string) => string | null;
  port: number;
  caller: Caller;
  clock: Clock;
  readReply: ReadReply;
  signal: AbortSignal;
  /** Milliseconds until the whole plan must be answered. */
  leftMs: () => number;
  /** How long connecting, banner, EHLO and MAIL may take each: less where another host waits. */
  phaseMs: PhaseMs;
}

/** One connection to one host, and all that the agenda still asks over it. */
export interface Dialogue {
  record: Recording;
  /** The last verdict; null when no recipient was named. */
  last: ReplyVerdict | null;
  /** Resolves when the connection has gone. */
  closed: Promise<void>;
}

/** Never throws for what the host or the line does: that is how the record ends. */
export async function holdDialogue(line: Line, agenda: Agenda, host: string): Promise<Dialogue> {
  const startedAt = line.clock.now().getTime();
  const record: Recording = {
    host,
    address: null,
    stage: "connect",
    exchanges: [],
    end: "unreachable",
    goodbye: null,
    ms: 0,
  };
  const dialogue: Dialogue = { record, last: null, closed: Promise.resolve() };
  let talk: Talk | undefined;
  try {
    talk = await connect(line, record);
    record.end = await converse(line, agenda, talk, dialogue);
    // What a recipient was answered hangs on it, and nothing else does.
    if (record.stage === "rcpt" && IN_GOOD_ORDER.includes(record.end))
      record.goodbye = await sayGoodbye(talk, goodbyeMs(line, record));
  } catch (error) {
    record.end = endOf(error, record);
    record.detail = error instanceof Error ? error.message : String(error);
  }
  record.address = line.addressOf(host);
  record.ms = line.clock.now().getTime() - startedAt;
  if (talk) dialogue.closed = hangUp(talk);
  return dialogue;
}

const IN_GOOD_ORDER: readonly ProbeEnd[] = ["done", "refused", "no_smtputf8"];

/** A host that takes its time for everything takes it for QUIT too. */
function goodbyeMs({ leftMs }: Line, { exchanges }: Recording): number {
  const slowestMs = Math.max(...exchanges.map(({ ms }) => ms));
  return Math.min(leftMs(), Math.max(GOODBYE_MS, 2 * slowestMs));
}

/** Never rejects. */
async function hangUp(talk: Talk): Promise<void> {
  const { stage, end } = talk.record;
  if (stage !== "rcpt" && IN_GOOD_ORDER.includes(end))
    await sayGoodbye(talk, GOODBYE_MS).catch(() => {});
  await talk.wire.close();
}

async function connect(line: Line, record: Recording): Promise<Talk> {
  const { clock, signal } = line;
  const { host } = record;
  const target = { host, port: line.port, tls: false, startTlsLater: true };
  const duplex = await dialWithin(line.dial, target, line.phaseMs(), signal);
  const wire = createSmtpWire(duplex, signal);
  return { host, clock, signal, duplex, wire, capabilities: new Map(), record };
}

async function converse(
  line: Line,
  agenda: Agenda,
  talk: Talk,
  dialogue: Dialogue,
): Promise<ProbeEnd> {
  const utf8 = agenda.plan.recipients.some(needsSmtpUtf8);
  if (!(await introduce(talk, line.caller, { utf8, phaseMs: line.phaseMs }))) return "refused";
  let slowestMs = 0;
  for (let asked = 0; ; asked++) {
    const question = nextQuestion(agenda);
    if (question === null) return "done";
    const { recipient } = question;
    if (needsSmtpUtf8(recipient) && !talk.capabilities.has("SMTPUTF8")) return "no_smtputf8";
    if (asked > 0 && !question.isRandom && isTarpit(slowestMs, line, agenda)) return "timeout";
    const startedAt = line.clock.now().getTime();
    const reply = await exchange(talk, "rcpt", `RCPT TO:<${recipient}>`, line.leftMs(), question);
    slowestMs = Math.max(slowestMs, line.clock.now().getTime() - startedAt);
    const verdict = line.readReply(toProbeReply(reply), talk.host);
    dialogue.last = verdict;
    // It takes no more in this session; what it was asked is asked again over another.
    if (reply.code === 421) return "closed";
    if (verdict === "too_many_recipients" && asked > 0) return "done";
    heard(agenda, question, verdict);
  }
}

const TARPIT_MS = 1_500;

/** A host that takes its time is asked only what it can answer in the time left. */
const isTarpit = (slowestMs: number, { leftMs }: Line, { plan }: Agenda): boolean =>
  slowestMs > TARPIT_MS && leftMs() < slowestMs * (plan.random === null ? 1 : 2);

function endOf(error: unknown, { stage }: Recording): ProbeEnd {
  if (error instanceof HostRefused) return "forbidden";
  if (error instanceof HostNotFound) return "no_address";
  if (error instanceof AddressBusy) return "paced";
  if (error instanceof TlsFailed) return "tls_failed";
  if (error instanceof SmtpProtocolError || error instanceof SmtpOutOfTurnError) return "not_smtp";
  const isLate = error instanceof SmtpConnectionError && error.isLate;
  if (isLate) return "timeout";
  return stage === "connect" ? "unreachable" : "closed";
}
