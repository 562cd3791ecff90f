import * as z from "zod";
import { listChats } from "#src/domain/network/list-chats.ts";
import type { Target } from "#src/domain/network/find-addressee.ts";
import { sendMessage } from "#src/domain/network/send-message.ts";
import { line, text, uuid, instant, wholeNumberOr } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import type { Chat } from "#src/providers/network/index.ts";

const tag = "Professional network";
const LONGEST_TEXT = 8_000;
/** The provider's ids are opaque; none is nearly as long. */
const providerId = line(500).nullish();

const MessageBody = z
  .object({
    account_id: uuid
      .nullish()
      .describe("The connected account that says it; without one, the default."),
    chat_id: providerId.describe("A chat of the account."),
    provider_id: providerId.describe("The provider's id of a person."),
    identifier: providerId.describe(
      "A person's public identifier, as in the address of their page.",
    ),
    text: text(LONGEST_TEXT),
  })
  .refine((body) => targetOf(body) !== null, {
    path: ["chat_id"],
    message: "Give a chat_id, a provider_id or an identifier.",
  })
  .openapi("NetworkMessageOrder", {
    example: {
      account_id: "00000000-0000-4000-8000-000000000000",
      identifier: "ada-lovelace",
      text: "Hello Ada, may I ask you something?",
    },
  });

/** The target of a message: the first of these that is given. */
function targetOf(body: {
  chat_id?: string | null | undefined;
  provider_id?: string | null | undefined;
  identifier?: string | null | undefined;
}): Target | null {
  if (body.chat_id != null) return { by: "chat", chatId: body.chat_id };
  if (body.provider_id != null) return { by: "person", personId: body.provider_id };
  if (body.identifier != null) return { by: "identifier", identifier: body.identifier };
  return null;
}

/** `success` with data, or without it and with the provider's refusal in words. */
const outcome = <Data extends z.ZodType>(data: Data, name: string) =>
  z
    .object({
      success: z.boolean(),
      data: data.nullable(),
      error: z.string().nullable().describe("Why the network or its provider did not do it."),
    })
    .openapi(name);

const done = <Data>(data: Data) => ({ success: true, data, error: null });
const refused = (error: string) => ({ success: false, data: null, error });

const MessageSent = z.object({
  message_id: z.string(),
  chat_id: z.string(),
  sent_at: instant,
});

const ChatItem = z.object({
  chat_id: z.string(),
  account_id: uuid,
  attendee: z.object({
    name: z.string().describe("Empty where the network does not say, as the two below."),
    profile_url: z.string(),
    provider_id: z.string(),
  }),
  last_message: z
    .object({ text: z.string(), direction: z.enum(["in", "out"]), sent_at: instant })
    .nullable(),
  unread_count: z.int(),
  updated_at: instant.nullable(),
});

const chatBody = (accountId: string, chat: Chat): z.input<typeof ChatItem> => ({
  chat_id: chat.id,
  account_id: accountId,
  attendee: {
    name: chat.attendee.name ?? "",
    profile_url: chat.attendee.profileUrl ?? "",
    provider_id: chat.attendee.personId ?? "",
  },
  last_message: chat.lastMessage && {
    text: chat.lastMessage.text,
    direction: chat.lastMessage.direction,
    sent_at: chat.lastMessage.sentAt.toISOString(),
  },
  unread_count: chat.unreadCount,
  updated_at: chat.updatedAt?.toISOString() ?? null,
});

export const networkMessageRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/v1/socialnet/message",
    id: "sendNetworkMessage",
    scope: "network:send",
    tag,
    summary: "Say something to somebody on the network, at once",
    description:
      "In the chat, or to the person, that is given first: `chat_id`, `provider_id`, `identifier`. It stands in the conversation with them. What the network refuses is 200 with `success` false. A message whose answer was lost is looked up before anything is said of it, and is never said twice: 502 then says what is known.",
    envelope: "legacy",
    limit: "socialnet-message",
    body: MessageBody,
    response: outcome(MessageSent, "NetworkMessageSent"),
    errors: [404, 409, 502, 503],
    handler: async ({ deps, principal, body }) => {
      const order = {
        accountId: body.account_id ?? undefined,
        target: targetOf(body)!,
        text: body.text,
      };
      const said = await sendMessage(deps, principal, order);
      if (!said.ok) return refused(said.error);
      const { messageId, chatId } = said.message;
      return done({ message_id: messageId, chat_id: chatId, sent_at: said.at.toISOString() });
    },
  }),
  operation({
    method: "get",
    path: "/api/v1/socialnet/chats",
    id: "listNetworkChats",
    scope: "network:read",
    begins: "let_in",
    tag,
    summary: "List the chats of a connected account, the latest first",
    envelope: "legacy",
    query: z.object({
      account_id: uuid.optional().describe("Without one, the default account."),
      cursor: line(4_000).optional(),
      limit: wholeNumberOr(20, 1, 100),
    }),
    response: outcome(
      z.object({ items: z.array(ChatItem), next_cursor: z.string().nullable() }),
      "NetworkChats",
    ),
    errors: [404, 409, 422, 502, 503],
    handler: async ({ deps, principal, query: { account_id: accountId, cursor, limit } }) => {
      const order = { accountId, cursor: cursor ?? null, limit };
      const chats = await listChats(deps, principal, order);
      if (!chats.ok) return refused(chats.error);
      const { items, nextCursor } = chats.page;
      return done({
        items: items.map((chat) => chatBody(chats.accountId, chat)),
        next_cursor: nextCursor,
      });
    },
  }),
];
