import { newId, type State } from "./books.ts";
import type { Account, Chat, Delivery, Message, Webhook, WebhookSource } from "./model.ts";
import { idOf, nameOf, personOf } from "./people.ts";

const HOUR_MS = 3_600_000;

/** Owes the body to each webhook of that source that is for the account. */
function tell(state: State, source: WebhookSource, event: string, accountId: string, body: object) {
  for (const webhook of state.books.webhooks.values())
    if (isFor(webhook, source, event, accountId)) owe(state, webhook, body, event);
  state.changed();
}

function isFor(webhook: Webhook, source: WebhookSource, event: string, accountId: string): boolean {
  const { enabled, events, account_ids: accounts } = webhook;
  return (
    enabled &&
    webhook.source === source &&
    (events.length === 0 || events.includes(event)) &&
    (accounts.length === 0 || accounts.includes(accountId))
  );
}

function owe({ books, faults, log }: State, webhook: Webhook, body: object, event: string): void {
  if (faults.take("webhook_lost")) return log.add(`webhook lost: ${event}`);
  const isLate = faults.take("webhook_late");
  const isSwapped = faults.take("webhooks_swapped");
  const delivery: Delivery = {
    webhook: webhook.id,
    body: JSON.stringify({ ...body, webhook_name: webhook.name ?? "" }),
    attempts: 0,
    dueAt: Date.now() + (isLate ? HOUR_MS : isSwapped ? 24 * HOUR_MS : 0),
    isSwapped,
  };
  for (let copies = faults.take("webhook_twice") ? 2 : 1; copies > 0; copies--)
    books.deliveries.put(newId(), delivery);
}

/** `message` is the provider's word for what became of the session. */
export function tellStatus(state: State, { id }: Account, message: string): void {
  const status = { account_id: id, account_type: "LINKEDIN", message };
  tell(state, "account_status", message.toLowerCase(), id, { AccountStatus: status });
}

/** A message of either side: a member hears of his own as well. */
export function tellMessage(state: State, chat: Chat, message: Message): void {
  const attendee = (slug: string) => ({
    attendee_id: `${chat.id}_${slug === chat.owner ? "self" : "other"}`,
    attendee_name: nameOf(slug),
    attendee_provider_id: idOf(slug),
    attendee_profile_url: personOf(slug).profileUrl,
  });
  for (const { id } of sessionsOf(state, chat.owner))
    tell(state, "messaging", "message_received", id, {
      event: "message_received",
      account_id: id,
      account_type: "LINKEDIN",
      account_info: { type: "LINKEDIN", feature: "classic", user_id: idOf(chat.owner) },
      chat_id: chat.id,
      message_id: message.id,
      provider_chat_id: `2-${chat.id}`,
      provider_message_id: `2-${message.id}`,
      timestamp: new Date(message.at).toISOString(),
      message: message.text,
      is_sender: message.sender === chat.owner,
      subject: null,
      attachments: [],
      sender: attendee(message.sender),
      attendees: [attendee(chat.person)],
    });
}

export function tellRelation(state: State, owner: string, slug: string): void {
  const person = personOf(slug);
  for (const { id } of sessionsOf(state, owner))
    tell(state, "users", "new_relation", id, {
      event: "new_relation",
      account_id: id,
      account_type: "LINKEDIN",
      user_full_name: nameOf(slug),
      user_provider_id: person.id,
      user_public_identifier: slug,
      user_profile_url: person.profileUrl,
      user_picture_url: null,
    });
}

/** The member's sessions through which the provider sees what happens. */
const sessionsOf = ({ books }: State, owner: string) =>
  books.accounts.values().filter((each) => each.owner === owner && each.status === "OK");
