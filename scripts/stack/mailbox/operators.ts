import { headerLines } from "./message-header.ts";

/** How an operator of mailboxes takes and files what comes, and what its IMAP says of itself. */
export interface Operator {
  /** Of what a domain sends it takes one message in so long, and puts off by policy what comes sooner. */
  gapMs: number;
  /** Folders that each of its mailboxes has, with their special use (RFC 6154). */
  folders: Readonly<Record<string, string>>;
  /** Where a message goes; null: it is taken and never seen again. */
  file(raw: string): string | null;
  /** What it writes above a message; null: nothing. */
  authentication(raw: string): string | null;
  capabilities: string;
}

const isSigned = (raw: string): boolean =>
  headerLines(raw).some(({ name }) => name === "dkim-signature");

const says = (raw: string): string =>
  `spf=none; dkim=${isSigned(raw) ? "pass" : "none"}; dmarc=none`;

const ORDINARY: Operator = {
  gapMs: 0,
  folders: { INBOX: "" },
  file: () => "INBOX",
  authentication: () => null,
  capabilities: "UIDPLUS",
};

const DEFERRING: Operator = { ...ORDINARY, gapMs: 270_000 };

/**
 * By the domain of the mailbox; every other is an ordinary one, which files all into the inbox. Their mail hosts are
 * in the farm (`farm/hosts/operators.json`).
 */
const BY_DOMAIN: Readonly<Record<string, Operator>> = {
  "spams.zz": {
    ...ORDINARY,
    folders: { INBOX: "", Junk: "\\Junk", Trash: "\\Trash" },
    file: () => "Junk",
    authentication: (raw) => `mx.spams.zz; ${says(raw)}`,
  },
  // In the manner of Gmail.
  "tabs.zz": {
    ...ORDINARY,
    folders: { INBOX: "", "[Gmail]/Spam": "\\Junk", "[Gmail]/Trash": "\\Trash" },
    file: () => "INBOX",
    authentication: (raw) => `mx.tabs.zz; ${says(raw)}`,
    capabilities: "UIDPLUS MOVE X-GM-EXT-1",
  },
  // In the manner of Microsoft, which does not name itself.
  "focus.zz": {
    ...ORDINARY,
    folders: { INBOX: "", "Junk Email": "\\Junk", "Deleted Items": "\\Trash" },
    authentication: (raw) =>
      `spf=none (sender IP is 192.0.2.1) smtp.helo=relay; dkim=${isSigned(raw) ? "pass" : "none"}; dmarc=bestguesspass action=none;compauth=pass reason=109`,
  },
  "defers.zz": DEFERRING,
  "guests.zz": DEFERRING,
  "drops.zz": { ...ORDINARY, folders: { INBOX: "", Junk: "\\Junk" }, file: () => null },
};

const domainOf = (address: string): string =>
  address.slice(address.lastIndexOf("@") + 1).toLowerCase();

export const operatorOf = (address: string): Operator => BY_DOMAIN[domainOf(address)] ?? ORDINARY;

/** When mail of each domain was taken last, by the stack's clock: of those that put off what comes too soon. */
export function createPace() {
  const tookAt = new Map<Operator, Map<string, number>>();
  return {
    /** Whether it is taken, which counts from now on. */
    takes(to: string, from: string): boolean {
      const operator = operatorOf(to);
      if (operator.gapMs === 0) return true;
      const times = tookAt.get(operator) ?? new Map<string, number>();
      tookAt.set(operator, times);
      const gap = Date.now() - (times.get(domainOf(from)) ?? -Infinity);
      // A clock that was put back proves nothing.
      if (gap >= 0 && gap < operator.gapMs) return false;
      times.set(domainOf(from), Date.now());
      return true;
    },
    clear: () => tookAt.clear(),
  };
}

/** The tab of an inbox in Gmail's manner: what can be unsubscribed from is an offer. */
export const categoryOf = (raw: string): string =>
  headerLines(raw).some(({ name }) => name === "list-unsubscribe") ? "promotions" : "primary";
