import { EVENT_TYPES, type EventType } from "#db/workspace/events/types.ts";
import { typesOf } from "#src/domain/workspace/events/read.ts";
import type { WebhookRow } from "#db/workspace/webhooks/webhooks.ts";
import type { Deps } from "#src/deps.ts";

/** The row and field that a sealed secret belongs to. */
export const contextOf = (id: string): string => `webhooks:${id}:secret`;

/** Those that sign now, the newest first: after a rotation the one before signs besides for a day. */
export async function openSecrets(
  { vault, clock }: Deps,
  { id, secret, previousSecret, previousSecretUntil }: WebhookRow,
): Promise<string[]> {
  const isGood = previousSecretUntil !== null && previousSecretUntil > clock.now();
  const sealed = [secret, ...(isGood && previousSecret !== null ? [previousSecret] : [])];
  return Promise.all(sealed.map((each) => vault.open(each, contextOf(id))));
}

/** Those of every message, in their thousands; to be asked for. */
const LOUD = new Set<EventType>(["email.opened", "email.clicked"]);
const QUIET_TYPES = EVENT_TYPES.filter((type) => !LOUD.has(type));

export const typesToSend = ({ types }: Pick<WebhookRow, "types">): EventType[] =>
  types === null ? QUIET_TYPES : typesOf(types)!;
