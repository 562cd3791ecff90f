import type { Deps } from "#src/deps.ts";
import type { Mailer } from "#src/domain/engine/tick.ts";
import { createHandOver, type ReadyMessage } from "./hand-over.ts";
import { campaignMessageId } from "./message-id.ts";
import { letterOf, writeStep } from "./write-step.ts";

/** Writes campaign messages and hands them to the alias's relay. */
export function createMailer(deps: Deps): Mailer {
  const handOver = createHandOver(deps);
  return {
    async prepare(context, now) {
      const written = writeStep(context);
      if (!written.ok) return written;
      const { alias, lead, step } = context;
      const host = alias.email.split("@")[1]!;
      const messageId = await campaignMessageId(lead.campaignLeadId, step.step, host);
      const letter = letterOf(context, written, { messageId, to: lead.email, date: now });
      return {
        ok: true,
        context,
        message: await handOver.prepare(context, letter),
        begin: {
          messageId,
          subject: written.subject,
          html: written.html,
          variantLabel: written.variant.label,
          templateId: written.template?.id ?? null,
          templateVersion: written.template?.version ?? null,
          senderProfileId: written.profile?.id ?? null,
        },
      };
    },
    send: ({ message }) => handOver.perform(message as ReadyMessage),
    close: () => handOver.close(),
  };
}
