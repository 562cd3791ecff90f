import type { State } from "./books.ts";
import { isConnected, openInvitation } from "./invitations.ts";
import type { Chat, Message } from "./model.ts";
import { idOf, nameOf, personOf } from "./people.ts";
import type { Shape } from "./sdk-shapes.ts";

/** A chat as one of its member's sessions shows it. */
export interface SeenChat extends Chat {
  accountId: string;
}

export function chatView({ id, accountId, person, lastAt, unread }: SeenChat): object {
  return {
    object: "Chat",
    id,
    account_id: accountId,
    account_type: "LINKEDIN",
    provider_id: `2-${id}`,
    attendee_provider_id: idOf(person),
    name: null,
    type: 0,
    timestamp: new Date(lastAt).toISOString(),
    unread_count: unread,
    archived: 0,
    muted_until: null,
    read_only: 0,
    disabledFeatures: [],
    folder: ["INBOX", "INBOX_LINKEDIN_CLASSIC"],
  } satisfies Shape<"chat">;
}

export function messageView(chat: SeenChat, message: Message): object {
  const isSender = message.sender === chat.owner;
  return {
    object: "Message",
    id: message.id,
    account_id: chat.accountId,
    chat_id: chat.id,
    chat_provider_id: `2-${chat.id}`,
    provider_id: `2-${message.id}`,
    sender_id: idOf(message.sender),
    sender_attendee_id: attendeeId(chat, isSender),
    text: message.text,
    timestamp: new Date(message.at).toISOString(),
    is_sender: isSender ? 1 : 0,
    attachments: [],
    reactions: [],
    seen: 0,
    seen_by: {},
    hidden: 0,
    deleted: 0,
    edited: 0,
    is_event: 0,
    delivered: 1,
    behavior: null,
    original: JSON.stringify({ body: message.text }),
  } satisfies Shape<"message">;
}

export const attendeeId = ({ id }: Chat, isSelf: boolean) => `${id}_${isSelf ? "self" : "other"}`;

export function attendeeView(state: State, chat: SeenChat, slug: string): object {
  const { profileUrl, headline, id } = personOf(slug);
  const isSelf = slug === chat.owner;
  const distance = isSelf || isConnected(state, chat.owner, slug) ? "DISTANCE_1" : "DISTANCE_2";
  return {
    object: "ChatAttendee",
    id: attendeeId(chat, isSelf),
    account_id: chat.accountId,
    provider_id: id,
    name: nameOf(slug),
    is_self: isSelf ? 1 : 0,
    hidden: 0,
    profile_url: profileUrl,
    specifics: {
      provider: "LINKEDIN",
      member_urn: `urn:li:member:${id}`,
      network_distance: distance,
      pending_invitation: openInvitation(state, chat.owner, slug) !== undefined,
      headline,
    },
  } satisfies Shape<"attendee">;
}
