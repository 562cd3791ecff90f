import * as z from "zod";
import { type LoginInput, OAUTH_PROVIDERS } from "#src/domain/senders/alias-login.ts";
import { camelKeys } from "#src/http/case.ts";

/** Printable ASCII: what ids, secrets and tokens consist of (RFC 6749 appendix A). */
const printable = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\x21-\x7e]+$/, "must be printable and without spaces");

const tokenUrl = z
  .url({ protocol: /^https?$/, error: "must be an https URL" })
  .max(2000)
  .refine(
    (value) => !/[@#]/.test(value) && value.isWellFormed(),
    "must have no user name and no fragment",
  )
  .openapi({ pattern: "^[Hh][Tt][Tt][Pp][Ss]?:[^@#]*$" });

export const OauthInput = z
  .object({
    provider: z.enum(OAUTH_PROVIDERS),
    client_id: printable(512)
      .nullable()
      .optional()
      .describe("Of an app of your own; without it, the deployment's."),
    client_secret: printable(512).nullable().optional(),
    refresh_token: printable(8192)
      .nullable()
      .optional()
      .describe("Of a consent that was given elsewhere; without it, somebody consents here."),
    token_url: tokenUrl
      .nullable()
      .optional()
      .describe("Of another provider, or of a tenant of its own; for an app of your own alone."),
  })
  .superRefine(({ client_id: id, client_secret: secret, token_url: url }, context) => {
    if (id != null) return;
    const needs = (path: string, what: string) =>
      context.addIssue({ code: "custom", path: [path], message: `${what} needs a client_id.` });
    if (secret != null) needs("client_secret", "A client_secret");
    if (url != null) needs("token_url", "A token_url");
  })
  .openapi("MailOauth", {
    description:
      "How the mailbox is logged in to in the place of a password. What is secret is kept sealed and never answered; in a change it may be left out while app and account stay the same.",
  });

export const OauthBody = z
  .object({
    provider: z.enum(OAUTH_PROVIDERS),
    client_id: z.string().nullable(),
    token_url: z.string().nullable(),
    connected: z
      .boolean()
      .describe("Whether there is a consent; it may have been taken back since."),
  })
  .openapi("MailOauthBody", { description: "The login by OAuth, without secrets." });

/** The login by the domain's names; empty where the body has none. */
export const loginOf = (
  oauth: z.output<typeof OauthInput> | null | undefined,
): { oauth?: LoginInput | null } =>
  oauth === undefined ? {} : { oauth: oauth === null ? null : camelKeys(oauth) };
