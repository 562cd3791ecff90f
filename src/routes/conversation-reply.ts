import * as z from "zod";
import { answerConversation, suppressedBy } from "#src/domain/messages/answer.ts";
import { instant, instantWithOffset, text, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { Answer } from "#src/http/answer.ts";

const Reply = z
  .object({
    body: text(500_000).openapi({ description: "HTML where it has a tag, else text." }),
    send_at: instantWithOffset.optional(),
    quote: z.boolean().default(false).openapi({
      description: "Whether the newest message that came in stands below.",
    }),
    if_last_message_id: uuid.optional().openapi({
      description: "Answer only while this is the newest message of the conversation.",
    }),
  })
  .openapi("ConversationReply", {
    example: { body: "Gladly: does Tuesday suit you?", quote: true },
  });

const Replied = z
  .object({
    success: z.boolean(),
    channel: z.enum(["email", "socialnet"]),
    status: z.enum(["queued", "scheduled", "sent", "suppressed", "failed"]),
    email_id: uuid
      .nullable()
      .openapi({ description: "Of a mail: see GET /mailer/emails/{email_id}." }),
    scheduled_at: instant.nullable(),
    error: z.string().nullable(),
  })
  .openapi("ConversationReplied", {
    example: {
      success: true,
      channel: "email",
      status: "queued",
      email_id: "01a1fc0c-6921-718e-aa4a-ab45df202f29",
      scheduled_at: null,
      error: null,
    },
  });

export const conversationReplyRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/v1/conversations/{conversation_id}/reply",
    id: "answerConversation",
    scope: "conversations:send",
    tag: "Conversations",
    summary: "Answer a conversation",
    description:
      "The way its newest message came: by mail from the alias that it is with, in the same thread, or on the network from the account. A mail is queued like any single message (202); 200 with `success` false where the person is suppressed (on the network for another reason than a hard bounce) or the network refuses, and nothing was sent. With `if_last_message_id` it is 409 `CONVERSATION_MOVED_ON`, with `newer_message`, where that is not the newest any more.",
    limit: "mailer-emails",
    params: z.object({ conversation_id: uuid }),
    body: Reply,
    status: 202,
    alsoStatus: [200],
    response: Replied,
    errors: [409, 502, 503],
    handler: async ({ deps, principal, params: { conversation_id }, body }) => {
      const answered = await answerConversation(deps, principal, conversation_id, {
        body: body.body,
        sendAt: body.send_at ?? null,
        quote: body.quote,
        ifLastMessageId: body.if_last_message_id ?? null,
      });
      if (answered.channel === "socialnet")
        return new Answer<z.input<typeof Replied>>(200, {
          success: answered.status === "sent",
          channel: answered.channel,
          status: answered.status,
          email_id: null,
          scheduled_at: null,
          error: answered.error,
        });
      const { email } = answered;
      const isSuppressed = email.state === "suppressed";
      return new Answer<z.input<typeof Replied>>(isSuppressed ? 200 : 202, {
        success: !isSuppressed,
        channel: answered.channel,
        status: isSuppressed ? "suppressed" : email.state === "scheduled" ? "scheduled" : "queued",
        email_id: email.id,
        scheduled_at: email.scheduledAt?.toISOString() ?? null,
        error: isSuppressed ? suppressedBy(email.suppressionReason!) : null,
      });
    },
  }),
];
