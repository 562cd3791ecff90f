import type { Dial, Duplex } from "#src/providers/mail/index.ts";
import type { InboxAccount, InboxStage, OpenedInbox, OpenInbox } from "./index.ts";
import { brokeOff, refusedFolder } from "./imap-errors.ts";
import { numberOf } from "./imap-fetch.ts";
import { folderArgument } from "./imap-folder.ts";
import { logIn } from "./imap-login.ts";
import { fetchHeaders, fetchMessage, search, searchDate, SMALL_BYTES } from "./imap-read.ts";
import { ImapProtocolError } from "./imap-responses.ts";
import { createImapWire, type ImapWire, within } from "./imap-wire.ts";

/** Milliseconds, of the machine: a server takes no less time because the clock was moved. */
export interface ImapTimeouts {
  connect: number;
  /** One command with its whole answer. */
  command: number;
  /** Everything with one inbox. */
  total: number;
}

const TIMEOUTS: ImapTimeouts = { connect: 10_000, command: 15_000, total: 60_000 };

/** An `OpenInbox` over IMAP (RFC 3501, RFC 9051) with TLS from the first byte; all it ever does there is read. */
export function createImapInbox(dial: Dial, timeouts: Partial<ImapTimeouts> = {}): OpenInbox {
  return (account) =>
    loggedIn(dial, account, timeouts, async ({ wire, ms, timer }, at) => {
      at("folder");
      const folder = await examine(wire, account, ms);
      return openedInbox(wire, account, folder, ms, timer);
    });
}

/** A connection that is logged in. `timer` ends everything with it; the close clears the timer. */
export interface ImapSession {
  wire: ImapWire;
  /** For one command. */
  ms: number;
  timer: ReturnType<typeof setTimeout>;
}

/** Connects, logs in and goes on with `then`, which says where it is; the connection is closed if any of it fails. Throws InboxError. */
export async function loggedIn<T>(
  dial: Dial,
  account: InboxAccount,
  timeouts: Partial<ImapTimeouts>,
  then: (session: ImapSession, at: (stage: InboxStage) => void) => Promise<T>,
): Promise<T> {
  const limits = { ...TIMEOUTS, ...timeouts };
  const total = new AbortController();
  const timer = setTimeout(() => total.abort(), limits.total);
  let wire: ImapWire | null = null;
  let stage: InboxStage = "connect";
  try {
    wire = createImapWire(await connect(dial, account, limits, total.signal), total.signal);
    stage = "greeting";
    const { isPreauth } = await wire.greeting(limits.command);
    stage = "login";
    if (!isPreauth) await logIn(wire, account, limits.command);
    return await then({ wire, ms: limits.command, timer }, (next) => (stage = next));
  } catch (error) {
    clearTimeout(timer);
    await wire?.leave(null);
    throw brokeOff(stage, account, error);
  }
}

/** A connection that comes too late is closed. */
async function connect(
  dial: Dial,
  { host, port }: InboxAccount,
  limits: ImapTimeouts,
  signal: AbortSignal,
): Promise<Duplex> {
  const abort = new AbortController();
  const dialling = dial({ host, port, tls: true, startTlsLater: false }, abort.signal);
  try {
    return await within(dialling, limits.connect, signal);
  } catch (error) {
    abort.abort();
    dialling.then((late) => late.close()).catch(() => {});
    throw error;
  }
}

type Folder = Pick<OpenedInbox, "uidValidity" | "uidNext" | "messages">;

async function examine(wire: ImapWire, account: InboxAccount, ms: number): Promise<Folder> {
  const line = `EXAMINE ${folderArgument(account.folder)}`;
  const { uidNext, ...folder } = await openFolder(wire, account, line, ms);
  if (uidNext !== null) return { ...folder, uidNext };
  return { ...folder, uidNext: folder.messages === 0 ? 1 : (await lastUid(wire, ms)) + 1 };
}

/** By EXAMINE or SELECT; `folder` of the account is what an error calls it. `uidNext` is null where the server does not say. */
export async function openFolder(
  wire: ImapWire,
  account: InboxAccount,
  line: string,
  ms: number,
): Promise<Omit<Folder, "uidNext"> & { uidNext: number | null }> {
  const said = { uidValidity: null as number | null, uidNext: null as number | null, messages: 0 };
  const result = await wire.command({
    line,
    ms,
    bytes: SMALL_BYTES,
    onUntagged([first]) {
      const text = typeof first === "string" ? first : "";
      const [, name, value] = /^\* OK \[(UIDVALIDITY|UIDNEXT) (\d{1,10})\]/i.exec(text) ?? [];
      if (name?.toUpperCase() === "UIDVALIDITY") said.uidValidity = numberOf(value!);
      if (name?.toUpperCase() === "UIDNEXT") said.uidNext = numberOf(value!);
      const [, exists] = /^\* (\d{1,10}) EXISTS/i.exec(text) ?? [];
      if (exists !== undefined) said.messages = Number(exists);
    },
  });
  if (result.status !== "OK") throw refusedFolder(account, result);
  const { uidValidity } = said;
  if (uidValidity === null)
    throw new ImapProtocolError("it numbers its messages anew each time (no UIDVALIDITY)");
  return { ...said, uidValidity };
}

/** For a server that does not say which UID comes next. */
async function lastUid(wire: ImapWire, ms: number): Promise<number> {
  const uids = await search(wire, "UID *", ms);
  return uids.at(-1) ?? 0;
}

function openedInbox(
  wire: ImapWire,
  account: InboxAccount,
  folder: Folder,
  ms: number,
  timer: ReturnType<typeof setTimeout>,
): OpenedInbox {
  const reading = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => Promise.reject(brokeOff("reading", account, error)));
  return {
    ...folder,
    uidsFrom: (first) =>
      // "n:*" names the last message even where it is smaller than n.
      reading(
        search(wire, `UID ${first}:*`, ms).then((uids) => uids.filter((uid) => uid >= first)),
      ),
    uidsSince: (date) => reading(search(wire, `SINCE ${searchDate(date)}`, ms)),
    headers: (uids, fields) => reading(fetchHeaders(wire, uids, fields, ms)),
    message: (uid, maxBytes) => reading(fetchMessage(wire, uid, maxBytes, ms)),
    async close() {
      await wire.leave("LOGOUT");
      clearTimeout(timer);
    },
  };
}
