import { type ListedOptOut, listOptOuts, undoOptOuts } from "#db/research/opt-outs.ts";
import type { Db } from "#db/base/client.ts";
import { readProfileUrl } from "#src/domain/people/leads/profile-url.ts";
import { profileHashes } from "#src/domain/research/prospects/person-key.ts";
import { Refusal } from "./refusal.ts";

const LISTED = 100;

/** The newest opt-outs, or those of one profile, mailbox, client address or workspace, a line each. */
export async function showOptOuts(db: Db, which: string | undefined): Promise<string> {
  const asked = which === undefined ? null : await readWhich(which);
  const found = await listOptOuts(db, { which: asked, limit: LISTED });
  if (found.length > 0) return found.map(lineOf).join("\n");
  return which === undefined ? "Nobody has opted out." : `Nobody has opted out by ${which}.`;
}

/** Afterwards an import that has the profiles takes them in again, and the links that asked for it do nothing. */
export async function undoOptOut(db: Db, which: string | undefined): Promise<string> {
  if (which === undefined)
    throw new Refusal("undo-opt-out wants a profile's address, or a mark of `opt-outs`.");
  const undone = await undoOptOuts(db, await readWhich(which), new Date());
  if (undone === 0) throw new Refusal(`Nothing of ${which} is opted out.`);
  const what = undone === 1 ? "1 opt-out is undone" : `${undone} opt-outs are undone`;
  return `${what}: the next import that has the profile takes it in again.`;
}

const MARK = /^((mailbox|client):[0-9a-f]{16}|workspace:[0-9a-f-]{36})$/;
const HASH = /^[0-9a-f]{64}$/;

async function readWhich(which: string): Promise<string[]> {
  if (MARK.test(which) || HASH.test(which)) return [which];
  const profile = readProfileUrl(which);
  if (profile === null)
    throw new Refusal(`${which} is neither a profile's address nor a mark of \`opt-outs\`.`);
  return profileHashes(profile.key);
}

const lineOf = (optOut: ListedOptOut): string =>
  [
    minuteOf(optOut.createdAt),
    optOut.profileKey ?? optOut.profileHash,
    ...countedMark(optOut.confirmedBy, optOut.ofConfirmer),
    ...countedMark(optOut.askedFrom, optOut.ofClient),
    ...(optOut.undoneAt === null ? [] : [`undone ${minuteOf(optOut.undoneAt)}`]),
  ].join("  ");

const countedMark = (mark: string | null, count: number) =>
  mark === null ? [] : [count > 1 ? `${mark} (${count} in all)` : mark];

const minuteOf = (at: Date) => at.toISOString().slice(0, 16).replace("T", " ");
