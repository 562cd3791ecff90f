import * as z from "zod";
import {
  change,
  type Conversation,
  countAll,
  findConversations,
  markRead,
  requireConversation,
  requirePage,
} from "#src/domain/replies/conversations/read.ts";
import { requireRaw } from "#src/domain/replies/conversations/raw.ts";
import { done, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { pageOf, toPage } from "#src/http/pagination.ts";
import { Body, Change, Counts, Detail, messageBody, Query, toWire } from "./conversation-fields.ts";

const tag = "Conversations";
const PATH = "/api/v1/conversations";
const ONE = "/api/v1/conversations/{conversation_id}";
const params = z.object({ conversation_id: uuid });

/** `sandbox` holds wherever it is opened; only our own pages may frame it. */
const pagePolicy = (hasImages: boolean): string =>
  `default-src 'none'; style-src 'unsafe-inline'; img-src data:${hasImages ? " https: http:" : ""}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox`;

export const conversationRoutes: Mount[] = [
  operation({
    method: "get",
    path: `${PATH}/counts`,
    id: "countConversations",
    scope: "conversations:read",
    tag,
    summary: "Count conversations by state and by class",
    response: Counts,
    handler: async ({ deps, principal }) => {
      const { states, ...more } = await countAll(deps, principal);
      return { ...states, ...more };
    },
  }),
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
      const now = deps.clock.now();
      const filter = {
        unread: unread === undefined ? undefined : unread === "true",
        leadId: query.lead_id,
        campaignId: query.campaign_id,
        intent: query.intent,
        class: query.class,
        writer: query.writer,
        state: query.state && { is: query.state, now },
        part: query.q,
      };
      const rows = await findConversations(deps, principal, filter, { after, limit });
      const place = (row: Conversation) => `${row.lastMessageAt.getTime()}:${row.id}`;
      return toPage(rows, limit, place, (row) => toWire(row, now));
    },
  }),
  operation({
    method: "get",
    path: ONE,
    id: "getConversation",
    scope: "conversations:read",
    tag,
    summary: "Get a conversation with all that was sent and received in it",
    description: "Its messages oldest first; of one with more than 500 the newest 500.",
    params,
    response: Detail,
    handler: async ({ deps, principal, params: { conversation_id } }) => {
      const { conversation, messages } = await requireConversation(
        deps,
        principal,
        conversation_id,
      );
      return { ...toWire(conversation, deps.clock.now()), messages: messages.map(messageBody) };
    },
  }),
  operation({
    method: "patch",
    path: ONE,
    id: "changeConversation",
    scope: "conversations:write",
    tag,
    summary: "Say what a conversation is, and whether it is done or snoozed",
    description:
      "`intent` and `class` instead of the suggestions, until a newer message says something else; null takes an intent away. Nothing of it changes the lead.",
    claims: "effect",
    params,
    body: Change,
    response: Body,
    handler: async ({ deps, principal, params: { conversation_id }, body }) => {
      const { snooze_until: snoozeUntil, ...said } = body;
      const row = await change(deps, principal, conversation_id, { ...said, snoozeUntil });
      return toWire(row, deps.clock.now());
    },
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
    method: "get",
    path: `${ONE}/messages/{message_id}/html`,
    id: "getMessageHtml",
    scope: "conversations:read",
    tag,
    summary: "Get a message's HTML as a page for a sandboxed frame",
    description:
      "Sanitised as the conversation has it, and under a policy of its own: no script runs, no form or frame opens, and nobody is asked for anything. With `images=true` its pictures are fetched from where they lie, which may tell their sender that it was looked at. A message without HTML is 404 `HTML_NOT_KEPT`.",
    params: params.extend({ message_id: uuid }),
    query: z.object({ images: z.enum(["true", "false"]).optional() }),
    response: z.string(),
    responseType: "text/html",
    example: { response: "<p>Tell me more.</p>" },
    handler: async ({ deps, principal, params: { conversation_id, message_id }, query }) =>
      new Response(await requirePage(deps, principal, conversation_id, message_id), {
        headers: {
          "Content-Type": "text/html; charset=utf-8",
          "Content-Security-Policy": pagePolicy(query.images === "true"),
          "Referrer-Policy": "no-referrer",
          "Cache-Control": "private, no-store",
        },
      }),
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
