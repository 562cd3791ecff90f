import type { Dial } from "#src/providers/mail/index.ts";
import { type ImapSession, type ImapTimeouts, loggedIn, openFolder } from "./imap.ts";
import { brokeOff } from "./imap-errors.ts";
import { quoted } from "./imap-folder.ts";
import { type ListedFolder, listFolders } from "./imap-list.ts";
import { capabilitiesOf } from "./imap-login.ts";
import { fetchHeaders, search, SMALL_BYTES } from "./imap-read.ts";
import {
  CATEGORIES,
  type Category,
  type InboxAccount,
  InboxError,
  type OpenMailbox,
  type Place,
  type SearchedMailbox,
  type Sighting,
} from "./index.ts";

/** Folders of one purpose that are looked into; a mailbox with more of them is looked through as far. */
const MOST_SPAM_FOLDERS = 5;
const MOST_OTHERS = 30;
/** Copies of one message in one folder that are read. */
const MOST_COPIES = 10;

type Wish = Parameters<SearchedMailbox["find"]>[0];
interface Looked extends ImapSession {
  account: InboxAccount;
  capabilities: ReadonlySet<string>;
  folders: ListedFolder[];
}

/** An `OpenMailbox` over IMAP: folders are opened by EXAMINE and read by BODY.PEEK, so that no flag changes. */
export function createImapMailbox(dial: Dial, timeouts: Partial<ImapTimeouts> = {}): OpenMailbox {
  return (account) =>
    loggedIn(dial, account, timeouts, async (session, at) => {
      at("folder");
      // After the login a server may be able to do more.
      const capabilities = await capabilitiesOf(session.wire, session.ms);
      const folders = withInbox(await listFolders(session.wire, session.ms));
      return searchedMailbox({ ...session, account, capabilities, folders });
    });
}

/** There is always one (RFC 3501 section 5.1). */
const withInbox = (folders: ListedFolder[]): ListedFolder[] =>
  folders.some(({ purpose }) => purpose === "inbox")
    ? folders
    : [{ name: "INBOX", argument: '"INBOX"', purpose: "inbox" }, ...folders];

function searchedMailbox(session: Looked): SearchedMailbox {
  const { account, wire, folders, timer } = session;
  const reading = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => Promise.reject(brokeOff("reading", account, error)));
  return {
    hasSpamFolder: folders.some(({ purpose }) => purpose === "spam"),
    find: (wish) => reading(find(session, wish)),
    remove: (sighting, messageId) => reading(remove(session, sighting, messageId)),
    async close() {
      await wire.leave("LOGOUT");
      clearTimeout(timer);
    },
  };
}

async function find(session: Looked, wish: Wish): Promise<Map<string, Sighting[]>> {
  const found = new Map<string, Sighting[]>(wish.messageIds.map((id) => [id, []]));
  const { usual, others } = whereToLook(session);
  for (const folder of usual) await lookInto(session, folder, wish, wish.messageIds, found);
  if (!wish.everywhere) return found;
  for (const folder of others) {
    const left = wish.messageIds.filter((id) => found.get(id)!.length === 0);
    if (left.length === 0) break;
    await lookInto(session, folder, wish, left, found);
  }
  return found;
}

function whereToLook({ folders }: Looked): { usual: ListedFolder[]; others: ListedFolder[] } {
  const of = (...purposes: ListedFolder["purpose"][]) =>
    folders.filter(({ purpose }) => purposes.includes(purpose));
  const all = of("all");
  // A folder of all mail holds what lies in any other but the trash.
  const others = all.length > 0 ? [...all, ...of("trash")] : of("other", "trash");
  return {
    usual: [...of("inbox"), ...of("spam").slice(0, MOST_SPAM_FOLDERS)],
    others: others.slice(0, MOST_OTHERS),
  };
}

async function lookInto(
  session: Looked,
  folder: ListedFolder,
  { fields }: Wish,
  messageIds: readonly string[],
  found: Map<string, Sighting[]>,
): Promise<void> {
  const { wire, ms } = session;
  const uidValidity = await open(session, "EXAMINE", folder);
  if (uidValidity === null) return;
  for (const messageId of messageIds) {
    const uids = await search(wire, `HEADER "Message-ID" ${quoted(`<${messageId}>`)}`, ms);
    if (uids.length === 0) continue;
    const headers = await fetchHeaders(wire, uids.slice(0, MOST_COPIES), fields, ms);
    for (const { uid, receivedAt, bytes } of headers) {
      const place = placeOf(folder);
      const category = place === "inbox" ? await categoryOf(session, uid) : null;
      const sighting = { place, folder: folder.name, category, uid, uidValidity, receivedAt };
      found.get(messageId)!.push({ ...sighting, header: bytes });
    }
  }
}

/** Its UIDVALIDITY. Null for a folder that does not open and where nothing is expected: without inbox or spam nothing can be said. */
async function open(
  { wire, account, ms }: Looked,
  command: "EXAMINE" | "SELECT",
  { name, argument, purpose }: ListedFolder,
): Promise<number | null> {
  try {
    const line = `${command} ${argument}`;
    return (await openFolder(wire, { ...account, folder: name }, line, ms)).uidValidity;
  } catch (error) {
    if (error instanceof InboxError && purpose !== "inbox" && purpose !== "spam") return null;
    throw error;
  }
}

const placeOf = ({ purpose }: ListedFolder): Place =>
  purpose === "inbox" || purpose === "spam" ? purpose : "other";

const isGmail = ({ capabilities }: Looked): boolean => capabilities.has("X-GM-EXT-1");

/** Gmail's tab: its labels do not have it, its search does (X-GM-RAW). */
async function categoryOf(session: Looked, uid: number): Promise<Category | null> {
  if (!isGmail(session)) return null;
  for (const category of CATEGORIES) {
    if (category === "primary") continue;
    const criteria = `UID ${uid} X-GM-RAW ${quoted(`category:${category}`)}`;
    if ((await search(session.wire, criteria, session.ms)).includes(uid)) return category;
  }
  return "primary";
}

/**
 * By UID EXPUNGE (RFC 4315), which takes nothing else that is marked deleted with it; at Gmail, where that would only
 * take it out of the folder, by a move to the trash (RFC 6851).
 */
async function remove(session: Looked, sighting: Sighting, messageId: string): Promise<boolean> {
  const { wire, ms, capabilities, folders } = session;
  const folder = folders.find(({ name }) => name === sighting.folder);
  const trash = folders.find(({ purpose }) => purpose === "trash");
  const isMoved = isGmail(session);
  if (folder === undefined || (isMoved ? trash === undefined : !capabilities.has("UIDPLUS")))
    return false;
  if ((await open(session, "SELECT", folder)) !== sighting.uidValidity) return false;
  const still = await search(
    wire,
    `UID ${sighting.uid} HEADER "Message-ID" ${quoted(`<${messageId}>`)}`,
    ms,
  );
  if (!still.includes(sighting.uid)) return false;
  if (isMoved) return done(session, `UID MOVE ${sighting.uid} ${trash!.argument}`);
  return (
    (await done(session, `UID STORE ${sighting.uid} +FLAGS.SILENT (\\Deleted)`)) &&
    (await done(session, `UID EXPUNGE ${sighting.uid}`))
  );
}

const done = async ({ wire, ms }: Looked, line: string): Promise<boolean> =>
  (await wire.command({ line, ms, bytes: SMALL_BYTES })).status === "OK";
