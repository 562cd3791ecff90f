import * as z from "zod";
import type { AccountRow } from "#db/network/accounts.ts";
import type { Deps } from "#src/deps.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { describeError } from "#src/platform/log.ts";
import type { Peer } from "./peer.ts";
import { readJson } from "#src/platform/json.ts";

/** A chat never changes its account; its other side may be renamed. */
const KNOWN_SECONDS = 86_400;

const stored = z.object({
  personId: z.string().nullable(),
  name: z.string().nullable(),
  profileUrl: z.string().nullable(),
});

const keyOf = async (account: AccountRow, chatId: string): Promise<string> =>
  `network:chat:${account.id}:${account.providerAccountId}:${await sha256Hex(chatId)}`;

/** A chat's other side, if the provider has lately said that the chat is the account's: saves asking again. */
export async function knownChat(
  { cache }: Deps,
  account: AccountRow,
  chatId: string,
): Promise<Peer | null> {
  const kept = await cache.get(await keyOf(account, chatId)).catch(() => null);
  if (kept === null) return null;
  const { data } = stored.safeParse(readJson(kept));
  return data === undefined ? null : { ...data, chatId };
}

/** To be called with what the provider said alone: by it messages are sent. */
export async function noteChat(
  { cache, log }: Deps,
  account: AccountRow,
  chatId: string,
  { personId, name, profileUrl }: Omit<Peer, "chatId">,
): Promise<void> {
  const value = JSON.stringify({ personId, name, profileUrl });
  await cache
    .set(await keyOf(account, chatId), value, KNOWN_SECONDS)
    .catch((error: unknown) => log.info("network_chat_not_noted", describeError(error)));
}
