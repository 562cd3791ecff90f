import type { SendContext } from "#db/engine.ts";
import type { Deps } from "#src/deps.ts";
import { normalizeEmail } from "#src/mime/address.ts";
import { openAccount } from "#src/domain/senders/alias-account.ts";
import type { DkimSigner } from "#src/mime/dkim.ts";
import { openDomainSigners } from "#src/domain/senders/domain-signers.ts";
import { createReturnPathTokens } from "#src/domain/senders/return-path-token.ts";
import { campaignMessageId } from "./message-id.ts";
import { trackingBaseOf } from "#src/domain/senders/tracking-base.ts";
import { createTrackTokens } from "#src/domain/tracking/track-token.ts";
import {
  type MailAccount,
  type MailTransport,
  type OutgoingRaw,
  TRANSPORT_TRAITS,
} from "#src/providers/mail/index.ts";
import type { Mailer, PreparedSend, RefusedSend } from "#src/domain/engine/tick.ts";
import { finishStep, writeStep } from "./write-step.ts";

interface ReadyMessage {
  outgoing: OutgoingRaw;
  account: MailAccount;
}

/** Writes campaign messages and hands them to the alias's relay. Keys and passwords are opened once per tick. */
export function createMailer(deps: Deps, transport: MailTransport): Mailer {
  const tokens = createTrackTokens(deps.settings.trackingSecret);
  const returnPaths = createReturnPathTokens(deps.settings.trackingSecret);
  const signers = new Map<string, Promise<DkimSigner[]>>();
  const accounts = new Map<string, Promise<MailAccount>>();
  const once = <T>(known: Map<string, Promise<T>>, id: string, make: () => Promise<T>) => {
    const value = known.get(id) ?? make();
    known.set(id, value);
    return value;
  };

  const signersOf = async ({ alias, domain }: SendContext) =>
    domain === null || !TRANSPORT_TRAITS[alias.transportKind].keepsMessage
      ? []
      : once(signers, domain.id, () => openDomainSigners(deps, domain));

  return {
    async prepare(context, now): Promise<PreparedSend | RefusedSend> {
      const written = writeStep(context);
      if (!written.ok) return written;
      const { alias, domain, lead, sendId, step } = context;
      // Domain as A-label: header and envelope then need no SMTPUTF8.
      const recipient = normalizeEmail(lead.email, "To");
      const host = alias.email.split("@")[1]!;
      const messageId = await campaignMessageId(lead.campaignLeadId, step.step, host);
      const returnPath =
        domain?.returnPath == null ? null : await returnPaths.address(sendId, domain.returnPath);
      const { raw } = await finishStep(context, written, {
        sendId,
        messageId,
        to: recipient,
        date: now,
        tokens,
        trackingBaseUrl: trackingBaseOf(deps.settings, domain),
        returnPath,
        dkim: await signersOf(context),
      });
      const from = TRANSPORT_TRAITS[alias.transportKind].takesReturnPath ? returnPath : null;
      const message: ReadyMessage = {
        outgoing: { id: sendId, from: from ?? alias.email, to: recipient, raw },
        account: await once(accounts, alias.id, () => openAccount(deps, alias)),
      };
      return {
        ok: true,
        context,
        message,
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
    send({ message }) {
      const { outgoing, account } = message as ReadyMessage;
      return transport.send(account, outgoing);
    },
    close: () => transport.close(),
  };
}
