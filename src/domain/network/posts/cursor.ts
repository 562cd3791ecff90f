import { fromBase64, sha256Hex, toBase64Url } from "#src/platform/encoding.ts";
import type { PostPlace } from "#db/network/posts/posts.ts";

/** The account and list that a cursor belongs to. */
export interface CursorScope {
  workspaceId: string;
  accountId: string | undefined;
}

const CHECK_LENGTH = 16;
const WORDS = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-f]{16})$/;

/** A place in a list, opaque, and good for the list that gave it out alone. */
export async function writeCursor(scope: CursorScope, place: PostPlace): Promise<string> {
  const words = `${place.createdAt.getTime()}.${place.id}`;
  return toBase64Url(new TextEncoder().encode(`${words}.${await checkOf(scope, words)}`));
}

/** Null for what this list did not give out. */
export async function readCursor(scope: CursorScope, cursor: string): Promise<PostPlace | null> {
  const bytes = fromBase64(cursor);
  const match = WORDS.exec(bytes === null ? "" : new TextDecoder().decode(bytes));
  if (match === null) return null;
  const [, at, id, check] = match;
  if (check !== (await checkOf(scope, `${at}.${id}`))) return null;
  return { createdAt: new Date(Number(at)), id: id! };
}

const checkOf = async ({ workspaceId, accountId }: CursorScope, words: string) =>
  (await sha256Hex(`${workspaceId}.${accountId ?? ""}.${words}`)).slice(0, CHECK_LENGTH);
