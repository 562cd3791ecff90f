import * as z from "zod";
import { secret, together, url } from "./fields.ts";
import { relayUrl, sender, type SystemMail } from "./relay-url.ts";

const templateName = z
  .string()
  .regex(/^[a-z0-9_]{1,512}$/, "must be lower-case letters, digits and underscores");

export const noticeVariables = {
  SYSTEM_MAIL_FROM: sender.optional(),
  SYSTEM_MAIL_URL: relayUrl.optional(),
  WHATSAPP_PHONE_NUMBER_ID: z
    .string()
    .regex(/^\d{1,32}$/, "must be the number's id, which is digits")
    .optional(),
  WHATSAPP_ACCESS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{1,1024}$/, "must be a token without spaces")
    .optional(),
  WHATSAPP_API_BASE: url.default("https://graph.facebook.com"),
  WHATSAPP_API_VERSION: z
    .string()
    .regex(/^v\d{1,3}\.\d$/, "must be like v24.0")
    .default("v24.0"),
  WHATSAPP_APP_SECRET: secret.optional(),
  WHATSAPP_VERIFY_TOKEN: secret.optional(),
  WHATSAPP_TEMPLATE_LEAD: templateName.default("overture_lead_event"),
  WHATSAPP_TEMPLATE_DIGEST: templateName.default("overture_digest"),
  WHATSAPP_TEMPLATE_CAMPAIGN: templateName.default("overture_campaign_event"),
  WHATSAPP_TEMPLATE_LANGUAGE: z
    .string()
    .regex(/^[a-z]{2,3}(_[A-Z]{2})?$/, "must be like en or en_US")
    .default("en"),
};
const variables = z.object(noticeVariables);
type Variables = z.output<typeof variables>;

export const noticeChecks = [
  together("SYSTEM_MAIL_FROM", "SYSTEM_MAIL_URL"),
  {
    path: ["SYSTEM_MAIL_URL"],
    message:
      "cannot be at port 25, which Workers may not open: use the relay's port 587, or 465 by smtps",
    holds: (env: Variables & { ALLOW_LOOPBACK: string }) =>
      env.SYSTEM_MAIL_URL?.port !== 25 || env.ALLOW_LOOPBACK === "true",
  },
  together("WHATSAPP_PHONE_NUMBER_ID", "WHATSAPP_ACCESS_TOKEN"),
  together("WHATSAPP_APP_SECRET", "WHATSAPP_VERIFY_TOKEN"),
];

export interface NoticeConfig {
  /** The sender and the relay of notices by email; null where they do not go by email. */
  systemMail: SystemMail | null;
  /** The WhatsApp account that sends notices; null where none does. */
  whatsapp: {
    phoneNumberId: string;
    accessToken: string;
    apiBase: string;
    apiVersion: string;
  } | null;
  whatsappTemplates: WhatsappTemplates;
  /** What statuses are signed with, and the token that the webhook is registered with; null where none come. */
  whatsappWebhook: { appSecret: string; verifyToken: string } | null;
}

/** Names under which the templates of docs/deploying.md were approved, and the language of all of them. */
export interface WhatsappTemplates {
  /** {{1}} what happened, {{2}} the campaign, {{3}} what was said, {{4}} what to do. */
  lead: string;
  /** {{1}} the campaign, {{2}} how much of what, {{3}} the first of them, {{4}} what to do. */
  digest: string;
  /** {{1}} the campaign, {{2}} what happened, {{3}} what to do. */
  campaign: string;
  language: string;
}

export const readNotices = (env: Variables): NoticeConfig => ({
  systemMail:
    env.SYSTEM_MAIL_FROM === undefined || env.SYSTEM_MAIL_URL === undefined
      ? null
      : { from: env.SYSTEM_MAIL_FROM, relay: env.SYSTEM_MAIL_URL },
  whatsapp:
    env.WHATSAPP_PHONE_NUMBER_ID === undefined || env.WHATSAPP_ACCESS_TOKEN === undefined
      ? null
      : {
          phoneNumberId: env.WHATSAPP_PHONE_NUMBER_ID,
          accessToken: env.WHATSAPP_ACCESS_TOKEN,
          apiBase: env.WHATSAPP_API_BASE,
          apiVersion: env.WHATSAPP_API_VERSION,
        },
  whatsappWebhook:
    env.WHATSAPP_APP_SECRET === undefined || env.WHATSAPP_VERIFY_TOKEN === undefined
      ? null
      : { appSecret: env.WHATSAPP_APP_SECRET, verifyToken: env.WHATSAPP_VERIFY_TOKEN },
  whatsappTemplates: {
    lead: env.WHATSAPP_TEMPLATE_LEAD,
    digest: env.WHATSAPP_TEMPLATE_DIGEST,
    campaign: env.WHATSAPP_TEMPLATE_CAMPAIGN,
    language: env.WHATSAPP_TEMPLATE_LANGUAGE,
  },
});
