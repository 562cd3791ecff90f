import type { Deps, Principal } from "#src/deps.ts";
import { unprocessable } from "#src/errors.ts";
import type { Chat, Page } from "#src/providers/network/index.ts";
import { requireConnectedAccount } from "./choose-account.ts";
import { refusalOf } from "./provider-refusal.ts";
import { requireNetwork } from "./require-network.ts";

export type ChatList =
  | { ok: true; accountId: string; page: Page<Chat> }
  | { ok: false; error: string };

/** The chats of an account as the provider has them, the latest first. */
export async function listChats(
  deps: Deps,
  principal: Principal,
  { accountId, ...page }: { accountId: string | undefined; cursor: string | null; limit: number },
): Promise<ChatList> {
  const { chats } = requireNetwork(deps);
  const account = await requireConnectedAccount(deps, principal, accountId);
  const answer = await chats.list(account.providerAccountId, page);
  if (answer.ok) return { ok: true, accountId: account.id, page: answer.value };
  if (page.cursor !== null && answer.failure.kind === "request")
    throw unprocessable("VALIDATION_ERROR", "cursor: not one that this account's chats gave out.");
  return { ok: false, error: refusalOf(deps, account, answer.failure) };
}
