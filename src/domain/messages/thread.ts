/** References of a long thread: the first message and the newest ones (RFC 5322 leaves the number open). */
const MAX_REFERENCES = 20;

/** How a message names its thread: it answers the last of these Message-IDs, which are oldest first. Without any it begins one. */
export function threadAfter(messageIds: readonly string[]): {
  thread?: { inReplyTo: string; references: readonly string[] };
} {
  const [root, ...rest] = messageIds;
  if (root === undefined) return {};
  const references = [root, ...rest.slice(1 - MAX_REFERENCES)];
  return { thread: { inReplyTo: rest.at(-1) ?? root, references } };
}
