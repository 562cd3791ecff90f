import * as z from "zod";
import {
  type Conversation,
  CONVERSATION_STATES,
  type Message,
  REPLY_INTENTS,
  snippetOf,
  stateOf,
} from "#src/domain/replies/conversations/read.ts";
import { instant, instantWithOffset, text, uuid } from "#src/http/fields.ts";
import { CursorQuery, InstantCursor } from "#src/http/pagination.ts";

const CLASSES = [
  ...["reply", "possible_opt_out", "out_of_office", "auto_reply", "challenge"],
  ...["left_company", "automated"],
] as const;
const WRITERS = ["person", "machine"] as const;
const SUGGESTION =
  "A suggestion by plain rules, made when a person's reply was read: it changes nothing about the lead. ";
const intent = z.enum(REPLY_INTENTS).nullable();

const fields = {
  id: uuid,
  lead_id: uuid.nullable(),
  campaign_id: uuid.nullable(),
  channel: z.enum(["email", "socialnet"]),
  alias_id: uuid.nullable(),
  subject: z.string().nullable(),
  last_message_at: instant,
  unread: z.boolean(),
  intent: intent.openapi({
    description: `What the person seems to say. ${SUGGESTION}That of the newest reply that says anything, or what was set by PATCH since; null before there is one.`,
  }),
  class: z.string().nullable().openapi({
    description:
      "Of the newest message that came in, or what was set by PATCH since; null before one.",
    example: "reply",
  }),
  state: z.enum(CONVERSATION_STATES).openapi({
    description:
      "What a person made of it. A reply opens it again, and so does the end of a snooze.",
  }),
  snooze_until: instant.nullable(),
  snippet: z.string().nullable().openapi({
    description:
      "The beginning of its newest message; null where that is kept no more, or is a campaign's.",
    example: "Tell me more.",
  }),
  counterpart: z.object({
    name: z.string().nullable(),
    email: z.string().nullable(),
    company: z.string().nullable(),
  }),
};
export const Body = z.object(fields).openapi("Conversation");

export const Detail = z
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

export const Query = CursorQuery.extend({
  unread: z.enum(["true", "false"]).optional(),
  lead_id: uuid.optional(),
  campaign_id: uuid.optional(),
  intent: z.enum(REPLY_INTENTS).optional(),
  class: z.enum(CLASSES).optional(),
  writer: z.enum(WRITERS).optional().openapi({
    description:
      "Who wrote what came in last: a person (`reply`, `possible_opt_out`) or a machine (every other class).",
  }),
  state: z.enum(CONVERSATION_STATES).optional(),
  q: text(200).optional().openapi({
    description: "A part of the subject, or of the person's address, name or company.",
  }),
  cursor: InstantCursor,
});

export function toWire(row: Conversation, now: Date): z.input<typeof Body> {
  const state = stateOf(row, now);
  return {
    class: row.class,
    state,
    snooze_until: state === "snoozed" ? (row.snoozedUntil?.toISOString() ?? null) : null,
    snippet: snippetOf(row),
    counterpart: { name: row.name, email: row.email, company: row.company },
    id: row.id,
    lead_id: row.leadId,
    campaign_id: row.campaignId,
    alias_id: row.aliasId,
    channel: row.channel,
    subject: row.subject,
    last_message_at: row.lastMessageAt.toISOString(),
    unread: row.unread > 0,
    intent: row.intent,
  };
}

export const messageBody = ({ sentAt, ...message }: Message) => ({
  ...message,
  sent_at: sentAt.toISOString(),
});

export const Change = z
  .object({
    intent: intent.optional(),
    class: z.enum(CLASSES).optional(),
    state: z.enum(CONVERSATION_STATES).optional(),
    snooze_until: instantWithOffset.optional(),
  })
  .refine((body) => Object.keys(body).length > 0, "Give what is to be changed.")
  .refine(({ state, snooze_until }) => (state === "snoozed") === (snooze_until !== undefined), {
    error: "A conversation is snoozed with snooze_until beside its state, and with nothing else.",
    path: ["snooze_until"],
  })
  .openapi("ConversationChange", { minProperties: 1, example: { state: "done" } });

const byState = z.object({ open: z.int(), done: z.int(), snoozed: z.int() });

export const Counts = z
  .object({
    open: z.int(),
    done: z.int(),
    snoozed: z.int(),
    unread: z.int(),
    classes: z.record(z.string(), z.int()).openapi({ description: "Of the open ones." }),
    writers: z
      .object({ person: byState, machine: byState })
      .openapi({ description: "By who wrote what came in last." }),
  })
  .openapi("ConversationCounts", {
    example: {
      open: 12,
      done: 40,
      snoozed: 1,
      unread: 3,
      classes: { reply: 9, out_of_office: 3 },
      writers: {
        person: { open: 9, done: 31, snoozed: 1 },
        machine: { open: 3, done: 9, snoozed: 0 },
      },
    },
  });
