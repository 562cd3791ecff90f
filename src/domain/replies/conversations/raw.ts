import { getConversation } from "#db/replies/conversations.ts";
import { findRaw, forgetRaw } from "#db/replies/raw-mails.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { requireFound } from "#src/domain/owned.ts";
import { AppError } from "#src/errors.ts";
import { fromBase64, toBase64 } from "#src/platform/encoding.ts";
import { DAY_MS } from "#src/platform/durations.ts";

/** A larger one, mostly of attachments, is not kept raw: a few of them would be the size of everything else. */
export const LARGEST_RAW = 1024 * 1024;

const CHUNK = 1_000;
const CHUNKS_AT_ONCE = 20;

/** The part of a raw mail to store, in base64; null for none. */
export function rawToKeep({ settings }: Pick<Deps, "settings">, raw: Uint8Array): string | null {
  return settings.rawMailDays > 0 && raw.length <= LARGEST_RAW ? toBase64(raw) : null;
}

/** The message as it was received, byte for byte. Throws 404, which says why where it is known and not kept. */
export async function requireRaw(
  deps: Deps,
  { workspaceId }: Principal,
  conversationId: string,
  messageId: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const found = await getConversation(deps.db, workspaceId, conversationId);
  const conversation = requireFound(found, "Conversation");
  const message = requireFound(await findRaw(deps.db, conversation, messageId), "Message");
  const bytes = message.content === null ? null : fromBase64(message.content);
  if (bytes === null) throw notKept(message.direction, deps.settings.rawMailDays);
  return bytes;
}

function notKept(direction: "in" | "out", days: number): AppError {
  const kept =
    days === 0
      ? "This deployment keeps no mail as it was received."
      : `Mail is kept as it was received for ${days} days, and up to ${LARGEST_RAW} bytes of it.`;
  const why =
    direction === "out"
      ? "What was sent is not kept raw: the conversation has what it said."
      : `${kept} The conversation has what it says.`;
  return new AppError("not_found", "RAW_NOT_KEPT", why);
}

/** Deletes what was kept long enough. Answers how many. */
export async function forgetOldRaw({ db, clock, settings }: Deps): Promise<number> {
  const before = new Date(clock.now().getTime() - settings.rawMailDays * DAY_MS);
  let total = 0;
  for (let chunk = 0; chunk < CHUNKS_AT_ONCE; chunk++) {
    const forgotten = await forgetRaw(db, before, CHUNK);
    total += forgotten;
    if (forgotten < CHUNK) break;
  }
  return total;
}
