/** What to ask of the mail hosts of one domain. No mail is sent: the dialogue ends before DATA. */
export interface ProbePlan {
  /** Mail hosts by name, the one to try first in front; at most `MAX_HOSTS` are tried. */
  hosts: readonly string[];
  /** Addresses of the domain, the likeliest in front; asked one after the other in one session. */
  recipients: readonly string[];
  /**
   * A random address without a mailbox, asked after an accepted one to detect a catch-all host. Null when that is known
   * already. It is not asked once the session has refused another address as unknown, which says the same.
   */
  random: string | null;
  /**
   * By recipient, an address to ask for next where that one is accepted, and by such an address another, where it is refused:
   * they tell what the acceptance is worth.
   */
  beside?: Readonly<Record<string, string>>;
  /** Ask nothing more behind the first accepted recipient (but what is `beside` it, and `random`). */
  stopAtFirstAccept: boolean;
  /** Recipients refused in one session before the rest is left alone; hosts slow down clients that guess. */
  maxRefusals: number;
  /** Milliseconds for all of it: connecting, failing over, waiting out a greylist. */
  budgetMs: number;
}

export const MAX_HOSTS = 4;

/** The step of a dialogue, in order. */
export type ProbeStage = "connect" | "banner" | "ehlo" | "tls" | "mail" | "rcpt";

export interface ProbeReply {
  code: number;
  /** Enhanced status code (RFC 3463), such as `5.1.1`. */
  enhanced?: string;
  /** The lines joined by spaces, without their codes, at most 500 characters. */
  text: string;
}

/** One command, or the banner, and what was answered. */
export interface ProbeExchange {
  stage: Exclude<ProbeStage, "connect">;
  /** Of RCPT alone: the address asked, and whether it is the random one. */
  recipient?: string;
  isRandom?: boolean;
  reply: ProbeReply;
  ms: number;
}

export type ProbeEnd =
  /** All was asked that could tell something. */
  | "done"
  /** The host refused before a recipient could be named: banner, EHLO or MAIL. */
  | "refused"
  /** No connection came about. */
  | "unreachable"
  /** The machine has as many connections to its address as it may. */
  | "paced"
  /** DNS is sure that the host has no address. */
  | "no_address"
  /** The guard admits no connection to it: a private address. */
  | "forbidden"
  /** It went away in the middle, with 421 or without a word. */
  | "closed"
  /** A phase or the budget ran out. */
  | "timeout"
  /** It answered with what is no SMTP, or said more than it was asked: no reply can then be matched to its command. */
  | "not_smtp"
  | "tls_failed"
  /** An address needs SMTPUTF8 (RFC 6531), and the host does not offer it. */
  | "no_smtputf8";

/** Thrown by a dial that has as many connections to the address as it may. */
export class AddressBusy extends Error {
  // Passes through waits as it is, as all that begins so (`within`).
  override readonly name = "SmtpAddressBusy";
}

/** One connection, from its dialling to its end. */
export interface ProbeConnection {
  host: string;
  /** What was connected to; null when it did not come to that. */
  address: string | null;
  /** How far it came. */
  stage: ProbeStage;
  exchanges: readonly ProbeExchange[];
  end: ProbeEnd;
  /** The answer to QUIT; null where none came, or nothing hung on it. */
  goodbye: ProbeReply | null;
  /** The runtime's words about a failure, for the log. */
  detail?: string;
  ms: number;
}

/** What one reply to RCPT says of the recipient. */
export type ReplyVerdict =
  | "accepted"
  /** 252: taken without having been looked up (RFC 5321 section 3.5.3). */
  | "unverified"
  | "no_such_user"
  | "disabled"
  | "full"
  /** The mailbox is there and takes no more at this rate. */
  | "throttled"
  /** Not in this session: ask over a new connection. */
  | "too_many_recipients"
  | "greylisted"
  | "temporary"
  /** The sender, its address or its network is refused, which says nothing of the recipient. */
  | "policy"
  | "unclear";

export interface RecipientOpinion {
  recipient: string;
  isRandom: boolean;
  verdict: ReplyVerdict;
}

export interface ProbeTranscript {
  connections: readonly ProbeConnection[];
  /** What a service says that shows no replies of the hosts; empty where there are connections. */
  opinions: readonly RecipientOpinion[];
  /** Why nothing was asked at all: the way out itself failed. Null when it did not. */
  failure: string | null;
}

/** A transcript, which is whole, while the last connection may still be saying goodbye. */
export interface ProbeRun extends ProbeTranscript {
  /** Resolves when no connection is open any more, a second or two later at most; until then the host counts it. */
  closed: Promise<void>;
}

/** Reads one reply to RCPT. Pure, and handed in: what replies mean is the domain's. */
export type ReadReply = (reply: ProbeReply, host: string) => ReplyVerdict;

export type EgressKind = "direct" | "prober" | "reacher";

/** A way to port 25. */
export interface MailProbe {
  readonly egress: EgressKind;
  /** Never throws for what hosts, lines or the egress do; that is in the transcript. The signal ends it early. */
  probe(plan: ProbePlan, signal?: AbortSignal): Promise<ProbeRun>;
}
