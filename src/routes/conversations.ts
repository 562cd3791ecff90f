import * as z from "zod";
import {
  type Conversation,
  changeIntent,
  findConversations,
  markRead,
  type Message,
  REPLY_INTENTS,
  requireConversation,
} from "#src/domain/replies/conversations/read.ts";
import { requireRaw } from "#src/domain/replies/conversations/raw.ts";
import { done, instant, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { CursorQuery, pageOf, toPage } from "#src/http/pagination.ts";

const tag = "Conversations";
const PATH = "/api/v1/conversations";
const ONE = "/api/v1/conversations/{conversation_id}";
const params = z.object({ conversation_id: uuid });

const SUGGESTION =
  "A suggestion by plain rules, made when a person's reply was read: it changes nothing about the lead. ";
const intent = z.enum(REPLY_INTENTS).nullable();

const fields = {
  id: uuid,
  lead_id: uuid.nullable(),
  campaign_id: uuid.nullable(),
  channel: z.enum(["email", "socialnet"]),
  subject: z.string().nullable(),
  last_message_at: instant,
  unread: z.boolean(),
  intent: intent.openapi({
    description: `What the person seems to say. ${SUGGESTION}That of the newest reply that says anything, or what was set by PATCH since; null before there is one.`,
  }),
};
const Body = z.object(fields).openapi("Conversation");

const Detail = z
  .object({
    ...fields,
    messages: z.array(
      z.object({
        id: uuid,
        direction: z.enum(["out", "in"]),
        from: z.string(),
        to: z.array(z.string()),
        subject: z.string().nullable(),
        text: z.string(),
        html: z.string().nullable(),
        expired: z.boolean().openapi({
          description: "Its text is no longer kept: `text` is empty and `html` null.",
        }),
        sent_at: instant,
        class: z.string().openapi({
          description:
            "`sent`, `connection_request` (with its note as the text, if it had one), or what an incoming message turned out to be: `reply`, `possible_opt_out` (a reply that perhaps asks for no more mail: nobody was suppressed, and a person has to judge), `out_of_office`, `auto_reply`, `challenge`, `left_company`, `automated`.",
        }),
        intent: intent.openapi({
          description: `${SUGGESTION}Null of what we sent, of what no person wrote, and of what came in before there were suggestions.`,
        }),
      }),
    ),
  })
  .openapi("ConversationDetail");

const Query = CursorQuery.extend({
  unread: z.enum(["true", "false"]).optional(),
  lead_id: uuid.optional(),
  campaign_id: uuid.optional(),
  intent: z.enum(REPLY_INTENTS).optional(),
  cursor: CursorQuery.shape.cursor
    .transform((place, context) => {
      if (place === undefined) return undefined;
      const [ms = "", id = ""] = place.split(":");
      if (/^\d{1,14}$/.test(ms) && uuid.safeParse(id).success)
        return { at: new Date(Number(ms)), id };
      context.addIssue("Not a cursor that this list gave out.");
      return z.NEVER;
    })
    .openapi({ type: "string" }),
});

function toWire(row: Conversation): z.input<typeof Body> {
  return {
    id: row.id,
    lead_id: row.leadId,
    campaign_id: row.campaignId,
    channel: row.channel,
    subject: row.subject,
    last_message_at: row.lastMessageAt.toISOString(),
    unread: row.unread > 0,
    intent: row.intent,
  };
}

const messageBody = ({ sentAt, ...message }: Message) => ({
  ...message,
  sent_at: sentAt.toISOString(),
});

export const conversationRoutes: Mount[] = [
  operation({
    method: "get",
    path: PATH,
    id: "listConversations",
    scope: "conversations:read",
    tag,
    summary: "List conversations, the latest first",
    query: Query,
    response: pageOf(Body),
    handler: async ({ deps, principal, query }) => {
      const { cursor: after, limit, unread } = query;
      const filter = {
        unread: unread === undefined ? undefined : unread === "true",
        leadId: query.lead_id,
        campaignId: query.campaign_id,
        intent: query.intent,
      };
      const rows = await findConversations(deps, principal, filter, { after, limit });
      const place = (row: Conversation) => `${row.lastMessageAt.getTime()}:${row.id}`;
      return toPage(rows, limit, place, toWire);
    },
  }),
  operation({
    method: "get",
    path: ONE,
    id: "getConversation",
    scope: "conversations:read",
    tag,
    summary: "Get a conversation with all that was sent and received in it",
    params,
    response: Detail,
    handler: async ({ deps, principal, params: { conversation_id } }) => {
      const { conversation, messages } = await requireConversation(
        deps,
        principal,
        conversation_id,
      );
      return { ...toWire(conversation), messages: messages.map(messageBody) };
    },
  }),
  operation({
    method: "patch",
    path: ONE,
    id: "changeConversation",
    scope: "conversations:write",
    tag,
    summary: "Say what a conversation's person wants",
    description:
      "Instead of the suggestion; null takes it away. It stands until a newer reply says something else, and changes nothing about the lead.",
    claims: "effect",
    params,
    body: z.object({ intent }).openapi("ConversationChange"),
    response: Body,
    handler: async ({ deps, principal, params: { conversation_id }, body }) =>
      toWire(await changeIntent(deps, principal, conversation_id, body.intent)),
  }),
  operation({
    method: "get",
    path: `${ONE}/messages/{message_id}/raw`,
    id: "getRawMessage",
    scope: "conversations:read",
    tag,
    summary: "Get an incoming message as it was received",
    description:
      "Byte for byte, attachments included, as a file to be saved: what strangers wrote is not made harmless here. Kept for a while " +
      "(90 days, unless the operator says otherwise) and up to 1 MiB; where it is not kept, and of what was sent: 404 `RAW_NOT_KEPT`.",
    params: params.extend({ message_id: uuid }),
    response: z.string(),
    responseType: "message/rfc822",
    sends: ["Content-Disposition"],
    example: {
      response:
        "From: ada@example.com\r\nTo: me@example.net\r\nSubject: Re: Hello\r\n\r\nTell me more.\r\n",
    },
    handler: async ({ deps, principal, params: { conversation_id, message_id } }) => {
      const raw = await requireRaw(deps, principal, conversation_id, message_id);
      return new Response(raw, {
        headers: {
          "Content-Type": "message/rfc822",
          // An id and nothing of the message: a name of a stranger's could be any path or header.
          "Content-Disposition": `attachment; filename="${message_id.toLowerCase()}.eml"`,
          "Content-Security-Policy": "sandbox; default-src 'none'",
          "Cache-Control": "private, no-store",
        },
      });
    },
  }),
  operation({
    method: "post",
    path: `${ONE}/read`,
    id: "readConversation",
    scope: "conversations:write",
    tag,
    summary: "Mark a conversation as read",
    claims: "effect",
    params,
    response: z.object({ success: z.literal(true) }).openapi("Done"),
    handler: ({ deps, principal, params: { conversation_id } }) =>
      done(markRead(deps, principal, conversation_id)),
  }),
];
