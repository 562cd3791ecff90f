import * as z from "zod";
import { ehloNameOf, hostName, ports, url, whole } from "./fields.ts";

/** What mail leaves and comes by. */
export const mailVariables = {
  SMTP_CONNECTIONS: whole(5, 1, 5),
  SMTP_PORTS: ports("25,465,587,2525"),
  IMAP_PORTS: ports("993"),
  INBOX_CONNECTIONS: whole(5, 1, 500),
  TRACKING_ON_DOMAINS: z.enum(["true", "false"]).default("false"),
  SES_ENDPOINT: url.optional(),
  MAILGUN_ENDPOINT: url.optional(),
  INBOUND_MX: hostName.optional(),
  REPORTS_DOMAIN: hostName.optional(),
  SPF_INCLUDE: hostName.optional(),
  SMTP_EHLO_NAME: z
    .string()
    .regex(/^[A-Za-z0-9.-]+$/)
    .optional(),
};
const variables = z.object(mailVariables);

export interface MailConfig {
  smtp: { connections: number; ehloName: string; ports: number[] };
  inboxes: { ports: number[]; connections: number };
  /** Base URLs in the place of the providers' own: a gateway, or a stand-in. */
  mailEndpoints: { ses: string | undefined; mailgun: string | undefined };
  /** Links in a domain's mail may go to `link.<domain>`: the deployment answers there, with a certificate. */
  trackingOnDomains: boolean;
  /** Name that every sending domain's SPF record has to include; null where each mailbox's provider has its own. */
  spfInclude: string | null;
  /** Mail host that hands bounces to this service; null where none does: then senders are their own return path. */
  inboundMx: string | null;
  reportsDomain: string | null;
}

export const readMail = (
  env: z.output<typeof variables> & { PUBLIC_BASE_URL: string },
): MailConfig => ({
  smtp: {
    connections: env.SMTP_CONNECTIONS,
    ehloName: ehloNameOf(env.SMTP_EHLO_NAME ?? new URL(env.PUBLIC_BASE_URL).hostname),
    ports: env.SMTP_PORTS,
  },
  inboxes: { ports: env.IMAP_PORTS, connections: env.INBOX_CONNECTIONS },
  mailEndpoints: { ses: env.SES_ENDPOINT, mailgun: env.MAILGUN_ENDPOINT },
  trackingOnDomains: env.TRACKING_ON_DOMAINS === "true",
  spfInclude: env.SPF_INCLUDE ?? null,
  inboundMx: env.INBOUND_MX ?? null,
  reportsDomain: env.REPORTS_DOMAIN ?? null,
});
