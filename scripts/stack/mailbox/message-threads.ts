import { headerOf, type ParsedMessage } from "./message-parse.ts";

export interface Thread {
  id: string;
  subject: string;
  messages: ThreadMessage[];
}

export interface ThreadMessage {
  id: string;
  from: string;
  from_name: string;
  to: string[];
  subject: string;
  received_at: string;
  preview: string;
}

/** Groups messages by References, or else In-Reply-To (RFC 5322 section 3.6.4). Newest thread first, oldest message first within. */
export function groupThreads(messages: ParsedMessage[]): Thread[] {
  const rootOf = new Map<string, string>();
  const threads = new Map<string, ParsedMessage[]>();
  for (const message of messages) {
    const own = headerOf(message, "message-id")?.trim() ?? message.id;
    const ancestors = [
      ...messageIds(headerOf(message, "references")),
      ...messageIds(headerOf(message, "in-reply-to")),
    ];
    const known = [own, ...ancestors].find((id) => rootOf.has(id));
    const root = (known === undefined ? ancestors[0] : rootOf.get(known)) ?? own;
    for (const id of [own, ...ancestors]) if (!rootOf.has(id)) rootOf.set(id, root);
    threads.set(root, [...(threads.get(root) ?? []), message]);
  }
  return [...threads.values()].map(toThread).toSorted((a, b) => lastAt(b).localeCompare(lastAt(a)));
}

function messageIds(header: string | undefined): string[] {
  return header?.match(/<[^<>\s]+>/g) ?? [];
}

function lastAt(thread: Thread): string {
  return thread.messages.at(-1)?.received_at ?? "";
}

function toThread(messages: ParsedMessage[]): Thread {
  const shown = messages.map((message) => ({
    id: message.id,
    from: message.from,
    from_name: message.fromName,
    to: message.to,
    subject: message.subject,
    received_at: message.received_at,
    preview: message.text.replace(/\s+/g, " ").trim().slice(0, 140),
  }));
  return { id: shown[0]?.id ?? "", subject: shown[0]?.subject ?? "", messages: shown };
}
