import type { Principal } from "#src/deps.ts";

/** What an API key may be allowed to do, each with what it opens. A key that names none may do everything. */
export const SCOPES = {
  "campaigns:read": "See campaigns, their leads and figures, templates and sender profiles",
  "campaigns:write": "Make and change them, hold and stop leads, review drafts; pause and drain",
  "campaigns:send": "Launch and resume campaigns, and send tests of their steps",
  "leads:read": "See datasets, leads and suppressions",
  "leads:write": "Import, change and erase them",
  "mailer:read": "See aliases, domains and single messages",
  "mailer:write": "Connect and change aliases and domains",
  "mailer:send": "Send and cancel single messages, and test aliases",
  "network:read": "See network accounts, chats and posts",
  "network:send": "Connect network accounts, and send messages from them",
  "posts:write": "Write, change and delete posts",
  "conversations:read": "See conversations and messages",
  "conversations:write": "Mark and change conversations",
  "conversations:send": "Answer conversations, by mail and on the network",
  "personalize:run": "Have texts written, and see them",
  "verify:run": "Verify and find addresses, profiles and prospects",
  "billing:read": "See credits and what they were spent on",
  "billing:write": "Buy credits",
  "events:read": "Read what happened, in order",
  "webhooks:read": "See webhooks and their deliveries",
  "webhooks:write": "Make, change and test webhooks",
  "notifications:write": "See and change who is told of what",
  "sheets:read": "Look whether a sheet can be read",
  "members:read": "See who works in the workspace, and who was invited",
  "members:write": "Invite people, change what they may do, and take them out",
  "workspace:write": "Change the workspace",
} as const;

export type Scope = keyof typeof SCOPES;

/**
 * What an operation asks of a key: `any` for what every key may ask, such as whose it is; `unscoped` for what no scope
 * opens, because its answer holds what several of them open one by one.
 */
export type NeededScope = Scope | "any" | "unscoped";

/** Ours among the scopes that a login token was granted; null where it names none, as that of an issuer that knows none does. */
export function scopesAmong(granted: readonly string[]): Scope[] | null {
  const ours = (Object.keys(SCOPES) as Scope[]).filter((scope) => granted.includes(scope));
  return ours.length === 0 ? null : ours;
}

/** What a person handed to a program: an API key, or a login token that was granted scopes. It makes nobody who may more than it does. */
export const isHandedOut = ({ via, scopes }: Pick<Principal, "via" | "scopes">): boolean =>
  via === "key" || scopes !== null;

/** A login may do everything, but for an agent's with scopes; where an operation says nothing, who has scopes may not. */
export const isAllowed = (
  { scopes }: Pick<Principal, "scopes">,
  needed: NeededScope | undefined,
): boolean => scopes === null || needed === "any" || scopes.some((scope) => scope === needed);
