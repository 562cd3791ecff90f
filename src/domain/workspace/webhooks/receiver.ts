import { EVENT_TYPES, type EventType } from "#db/workspace/events/types.ts";
import { typesOf } from "#src/domain/workspace/events/read.ts";
import type { WebhookRow, WebhookSet } from "#db/workspace/webhooks/webhooks.ts";
import type { Deps } from "#src/deps.ts";

/** The row and field that a sealed secret belongs to. */
export const contextOf = (id: string): string => `webhooks:${id}:secret`;

/** A secret that another has taken the place of, sealed, and how long it signs besides. */
interface Replaced {
  sealed: string;
  until: Date;
}

/** More rotations than anybody needs in a day; beyond, of those in the middle none signs. */
const MOST_REPLACED = 5;

/** The newest first; `previous_secret_until` is the newest one's end, each older one has its own behind an `@`. */
function replacedSecrets({ previousSecret, previousSecretUntil }: WebhookRow): Replaced[] {
  if (previousSecret === null || previousSecretUntil === null) return [];
  return previousSecret.split(" ").map((each) => {
    const [sealed = "", until] = each.split("@");
    return { sealed, until: until === undefined ? previousSecretUntil : new Date(Number(until)) };
  });
}

const stillGood = (row: WebhookRow, now: Date) =>
  replacedSecrets(row).filter(({ until }) => until > now);

/**
 * The columns of a rotation: the secret that is replaced signs until then, and those before it as long as was promised,
 * as a receiver that was never given the one between has one of these.
 */
export function afterRotation(row: WebhookRow, sealed: string, until: Date, now: Date): WebhookSet {
  const older = stillGood(row, now).slice(1 - MOST_REPLACED);
  const kept = older.map((each) => `${each.sealed}@${each.until.getTime()}`);
  return {
    secret: sealed,
    previousSecret: [row.secret, ...kept].join(" "),
    previousSecretUntil: until,
  };
}

/** Those that sign now, the newest first: each that was replaced signs besides for a day. */
export function openSecrets({ vault, clock }: Deps, row: WebhookRow): Promise<string[]> {
  const sealed = [row.secret, ...stillGood(row, clock.now()).map((each) => each.sealed)];
  return Promise.all(sealed.map((each) => vault.open(each, contextOf(row.id))));
}

/** Those of every message, in their thousands; to be asked for. */
const LOUD = new Set<EventType>(["email.opened", "email.clicked"]);
const QUIET_TYPES = EVENT_TYPES.filter((type) => !LOUD.has(type));

export const typesToSend = ({ types }: Pick<WebhookRow, "types">): EventType[] =>
  types === null ? QUIET_TYPES : typesOf(types)!;
