import type { Rule } from "./format.ts";
import { chooseRule, type Moment } from "./rules.ts";
import { FALLBACKS, isOurDomain, type Stage } from "./stages.ts";
import { mailboxKey, type NamedHost } from "./table.ts";
import type { Wire } from "./wire.ts";

/** What a session needs to know of everything around it. */
export interface SessionSurroundings {
  host: NamedHost;
  wire: Wire;
  ip: string;
  counts(): Pick<Moment, "open" | "openedInAMinute">;
  /** Milliseconds since sender and recipient were first seen together; 0 the first time. */
  firstSeenMsAgo(from: string, to: string): number;
  /** Handshakes as the server's side; rejects when it fails. */
  startTls(): Promise<void>;
  /** What to say in the place of the row's own rules, while a fault is ordered. */
  override: Partial<Record<Stage, Rule[]>>;
  heardRecipient(to: string, reply: string): void;
}

export interface Session extends SessionSurroundings {
  helo: string;
  isTls: boolean;
  rcpts: number;
  refused: number;
  /** Null before MAIL. */
  from: string | null;
  isUtf8: boolean;
  /** Recipients of the envelope so far. */
  accepted: number;
}

export const NO_ENVELOPE = { from: null, isUtf8: false, accepted: 0 };

/** Answers with the row's rule, or what hosts say without one. Resolves with the text, or null when it ended the connection. */
export async function speak(session: Session, stage: Stage, to = ""): Promise<string | null> {
  const now = momentOf(session, stage, to);
  const rule = rowRule(session, stage, to, now) ?? { say: FALLBACKS[stage](session, to) };
  const text = fill(rule.say ?? "", session, to);
  if (stage === "rcpt") countRecipient(session, to, text);
  return (await session.wire.perform(rule, text, session.host.delay_ms)) ? text : null;
}

/** Says what no row changes: a complaint about the client's grammar. */
export const say = (session: Session, text: string): Promise<string | null> =>
  session.wire.perform({ say: text }, text, session.host.delay_ms).then(() => text);

function rowRule(session: Session, stage: Stage, to: string, now: Moment): Rule | undefined {
  const { host, override } = session;
  const chosen = chooseRule(override[stage] ?? host[stage] ?? [], now);
  if (chosen !== undefined || stage !== "rcpt") return chosen;
  const isNobody = isOurDomain(session, to) && !host.mailboxes.has(mailboxKey(to));
  return isNobody ? chooseRule(host.unknown_user ?? [], now) : undefined;
}

function momentOf(session: Session, stage: Stage, to: string): Moment {
  const { helo, isTls, rcpts, refused, accepted } = session;
  const from = session.from ?? "";
  return {
    ...{ helo, isTls, rcpts, refused, accepted, from },
    toLocal: to.slice(0, Math.max(to.lastIndexOf("@"), 0)).toLowerCase(),
    firstSeenMsAgo: stage === "rcpt" ? session.firstSeenMsAgo(from, to) : 0,
    ...session.counts(),
  };
}

function countRecipient(session: Session, to: string, text: string): void {
  session.rcpts++;
  if (text.startsWith("2")) session.accepted++;
  else session.refused++;
  session.heardRecipient(to, text);
}

function fill(text: string, { host, from, helo, ip }: Session, to: string): string {
  const values: Record<string, string> = {
    host: host.name,
    to,
    from: from ?? "",
    helo,
    ip,
    domain: to.slice(to.lastIndexOf("@") + 1),
  };
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
