import { startMessaging, type MessagingPart } from "../../../scripts/stack/messaging/messaging.ts";
import type { TemplateMessage } from "#src/providers/messaging/index.ts";
import { createWhatsapp, type WhatsappSettings } from "#src/providers/messaging/whatsapp.ts";

export const SECRETS = {
  accessToken: `EAA${"t0ken".repeat(20)}`,
  appSecret: "an app secret of the tests",
  verifyToken: "a verify token of the tests",
};

export const openPart = (
  more: { stateFile?: string; port?: number } = {},
): Promise<MessagingPart> => startMessaging({ ...SECRETS, ...more });

/** The adapter as a deployment has it, at the given place. */
export const whatsappAt = (apiBase: string, more: Partial<WhatsappSettings> = {}) =>
  createWhatsapp({
    fetch: globalThis.fetch,
    apiBase,
    apiVersion: "v24.0",
    phoneNumberId: "100000000000001",
    accessToken: SECRETS.accessToken,
    ...more,
  });

/** One that the stand-in has approved. */
export const notice = (more: Partial<TemplateMessage> = {}): TemplateMessage => ({
  to: "+4915112345678",
  template: "overture_campaign_event",
  language: "en",
  parameters: ["Spring", "It was paused", "Resume it"],
  ...more,
});
