import type { SendContext, TemplateContext } from "#db/engine.ts";
import type { Variant } from "#db/schema/index.ts";
import type { Deps } from "#src/deps.ts";
import { normalizeEmail } from "#src/domain/mail/address.ts";
import { finishMessage, type MessageSource, renderMessage } from "#src/domain/mail/compose.ts";
import type { DkimSigner } from "#src/domain/mail/dkim.ts";
import { openDomainSigners } from "#src/domain/mail/domain-signers.ts";
import { createReturnPathTokens } from "#src/domain/mail/inbound/return-path-token.ts";
import { campaignMessageId } from "#src/domain/mail/message-id.ts";
import { createTrackTokens } from "#src/domain/mail/track-token.ts";
import type { MailTransport, OutgoingRaw, SmtpCredentials } from "#src/providers/mail/index.ts";
import { variantIndex } from "./chance.ts";
import type { Mailer, PreparedSend, RefusedSend } from "./tick.ts";

interface ReadyMessage {
  outgoing: OutgoingRaw;
  credentials: SmtpCredentials;
}

/** References of a long thread: the first message and the newest ones (RFC 5322 leaves the number open). */
const MAX_REFERENCES = 20;

/** Writes campaign messages and hands them to the alias's relay. Keys and passwords are opened once per tick. */
export function createMailer(deps: Deps, transport: MailTransport): Mailer {
  const tokens = createTrackTokens(deps.settings.trackingSecret);
  const returnPaths = createReturnPathTokens(deps.settings.trackingSecret);
  const signers = new Map<string, Promise<DkimSigner[]>>();
  const credentials = new Map<string, Promise<SmtpCredentials>>();
  const once = <T>(known: Map<string, Promise<T>>, id: string, make: () => Promise<T>) => {
    const value = known.get(id) ?? make();
    known.set(id, value);
    return value;
  };

  const signersOf = async ({ domain }: SendContext) =>
    domain === null ? [] : once(signers, domain.id, () => openDomainSigners(deps, domain));

  return {
    async prepare(context, now): Promise<PreparedSend | RefusedSend> {
      const chosen = chooseText(context);
      if (!chosen.ok) return chosen;
      const { variant, source, profile } = chosen;
      const threaded = source.subject === "" && context.previous.length > 0;
      const variables = {
        ...context.lead.fields,
        lead: context.lead.fields,
        sender: profile?.fields ?? {},
      };
      const seed = `${context.lead.campaignLeadId}/${context.step.step}`;
      const rendered = renderMessage(source, variables, seed);
      if (!rendered.ok) {
        return {
          ok: false,
          skip: true,
          reason: `MISSING_VARIABLE: ${rendered.missing.join(", ")}`,
        };
      }
      const subject =
        source.subject === "" ? (context.firstSubject ?? "") : rendered.message.subject;
      if (subject === "")
        return {
          ok: false,
          skip: false,
          reason: "The step has no subject and there is no thread to continue.",
        };

      const { alias, domain, sendId } = context;
      const returnPath =
        domain?.returnPath == null ? null : await returnPaths.address(sendId, domain.returnPath);
      // Domain as A-label: header and envelope then need no SMTPUTF8.
      const recipient = normalizeEmail(context.lead.email, "To");
      const messageId = await campaignMessageId(
        context.lead.campaignLeadId,
        context.step.step,
        alias.email.split("@")[1]!,
      );
      const composed = await finishMessage(
        { subject, html: rendered.message.html },
        {
          sendId,
          messageId,
          from: { name: alias.displayName, email: alias.email },
          to: { email: recipient },
          ...(alias.replyTo === null ? {} : { replyTo: { email: alias.replyTo } }),
          date: now,
          ...(threaded ? { thread: threadOf(context) } : {}),
          tracking: {
            opens: context.step.track_opens,
            clicks: context.step.track_clicks,
            patterns: [],
          },
          tokens,
          trackingBaseUrl: deps.settings.trackingBaseUrl,
          ...(alias.signature === null ? {} : { signature: alias.signature }),
          ...(context.workspace.postalAddress === null
            ? {}
            : { postalAddress: context.workspace.postalAddress }),
          ...(returnPath === null ? {} : { unsubscribeAddress: returnPath }),
          feedbackId: `${context.campaign.id}:${context.workspace.id}:campaign:overture`,
          dkim: await signersOf(context),
        },
      );
      const message: ReadyMessage = {
        outgoing: {
          id: sendId,
          from: returnPath ?? alias.email,
          to: recipient,
          raw: composed.raw,
        },
        credentials: await once(credentials, alias.id, () => openCredentials(deps, context)),
      };
      return {
        ok: true,
        context,
        message,
        begin: {
          messageId,
          subject,
          html: rendered.message.html,
          variantLabel: variant.label,
          templateId: chosen.template?.id ?? null,
          templateVersion: chosen.template?.version ?? null,
          senderProfileId: profile?.id ?? null,
        },
      };
    },
    send({ message }) {
      const { outgoing, credentials } = message as ReadyMessage;
      return transport.send(credentials, outgoing);
    },
    close: () => transport.close(),
  };
}

interface ChosenText {
  ok: true;
  variant: Variant;
  source: MessageSource;
  template: TemplateContext | null;
  profile: SendContext["senderProfiles"][number] | null;
}

/** The variant by weight, its text, and the profile it speaks for. */
function chooseText(context: SendContext): ChosenText | RefusedSend {
  const { step, lead } = context;
  const variant =
    step.variants[
      variantIndex(
        lead.campaignLeadId,
        step.step,
        step.variants.map(({ weight }) => weight),
      )
    ];
  if (variant === undefined)
    return { ok: false, skip: false, reason: `Step ${step.step} has no text to send.` };
  const wanted = variant.sender_profile_id;
  const profile =
    context.senderProfiles.find(({ id, isDefault }) =>
      wanted === undefined ? isDefault : id === wanted,
    ) ?? null;
  if (variant.type === "INLINE") {
    const format = /<[a-z!/][^>]*>/i.test(variant.body) ? "html" : "text";
    return {
      ok: true,
      variant,
      source: { subject: variant.subject ?? "", body: variant.body, format },
      template: null,
      profile,
    };
  }
  const template = context.templates.find(({ id }) => id === variant.template_id);
  if (template === undefined)
    return { ok: false, skip: false, reason: `The template of step ${step.step} was deleted.` };
  const source = { subject: template.subject ?? "", body: template.body, format: template.format };
  return { ok: true, variant, source, template, profile };
}

function threadOf({ previous }: SendContext): { inReplyTo: string; references: string[] } {
  const ids = previous.map(({ messageId }) => messageId);
  const [root, ...rest] = ids;
  return { inReplyTo: ids.at(-1)!, references: [root!, ...rest.slice(-(MAX_REFERENCES - 1))] };
}

async function openCredentials({ vault }: Deps, { alias }: SendContext): Promise<SmtpCredentials> {
  const { sealedSecret } = alias;
  const password =
    sealedSecret && (await vault.open(sealedSecret, `mail_aliases:${alias.id}:transport_secret`));
  return { ...alias.settings, ...(password ? { password } : {}) };
}
