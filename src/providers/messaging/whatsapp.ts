import { wasReached } from "#src/providers/net/http-answer.ts";
import { createHttpCall, type HttpRequest } from "#src/providers/net/http-call.ts";
import type { Messaging, TemplateMessage } from "./index.ts";
import { fitParameters } from "./template-parameters.ts";
import { outcomeOf } from "./whatsapp-verdicts.ts";

export interface WhatsappSettings {
  fetch: typeof fetch;
  /** Without a slash at the end. */
  apiBase: string;
  /** Of the Graph API, such as `v24.0`. */
  apiVersion: string;
  phoneNumberId: string;
  accessToken: string;
  /** From connecting to the end of the answer; expiry means "unknown". 15 s if absent. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;

/**
 * WhatsApp's Cloud API, with approved templates.
 * https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages
 */
export function createWhatsapp(settings: WhatsappSettings): Messaging {
  const call = createHttpCall(settings.fetch);
  const timeoutMs = settings.timeoutMs ?? TIMEOUT_MS;
  /** The vendor repeats a malformed token in its words, which are cut, stored and logged. */
  const redacted = (text: string) => text.replaceAll(settings.accessToken, "[token]");
  let isInDoubt = false;

  /** Whether the API answers at this URL; no message is sent. */
  async function answers(): Promise<boolean> {
    const question = { method: "GET", url: settings.apiBase, headers: {} } as const;
    const outcome = await call(question, timeoutMs);
    return outcome.kind === "answered" && wasReached(outcome.answer);
  }

  return {
    async sendTemplate(message) {
      const refused = refusedHere(message);
      if (refused !== null) return refused;
      // An outage would leave every message in doubt: after the first one, look before speaking.
      if (isInDoubt && !(await answers()))
        return { kind: "busy", detail: "WhatsApp does not answer" };
      const outcome = await call(sending(settings, message), timeoutMs);
      isInDoubt = outcome.kind === "lost";
      if (outcome.kind === "lost") return { kind: "unknown", detail: redacted(outcome.reason) };
      if (outcome.kind === "not_sent") return { kind: "busy", detail: redacted(outcome.reason) };
      return outcomeOf({ ...outcome.answer, text: redacted(outcome.answer.text) });
    },
  };
}

/** The plus stays: without it the API may put the sender's own country in front of the number. */
function sending(settings: WhatsappSettings, message: TemplateMessage): HttpRequest {
  const { apiBase, apiVersion, phoneNumberId, accessToken } = settings;
  const { to, template, language, reference } = message;
  const parameters = fitParameters(message.parameters).map((text) => ({ type: "text", text }));
  return {
    method: "POST",
    url: `${apiBase}/${apiVersion}/${phoneNumberId}/messages`,
    headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
    body: JSON.stringify({
      messaging_product: "whatsapp",
      recipient_type: "individual",
      to,
      type: "template",
      template: {
        name: template,
        language: { code: language },
        ...(parameters.length === 0 ? {} : { components: [{ type: "body", parameters }] }),
      },
      ...(reference === undefined ? {} : { biz_opaque_callback_data: reference }),
    }),
  };
}

const refusal = (code: string, detail: string) => ({ kind: "refused", code, detail }) as const;

function refusedHere({ to, template, language, reference }: TemplateMessage) {
  if (!/^\+[1-9]\d{6,14}$/.test(to)) return refusal("number", "the number is not E.164");
  if (!/^[a-z0-9_]{1,512}$/.test(template)) return refusal("template", "no name of a template");
  if (!/^[a-z]{2,3}(_[A-Z]{2})?$/.test(language)) return refusal("language", "no language code");
  if ((reference?.length ?? 0) > 200) return refusal("reference", "the reference is too long");
  return null;
}
