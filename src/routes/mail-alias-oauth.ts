import * as z from "zod";
import { OAUTH_PROVIDERS } from "#src/domain/senders/alias-login.ts";
import {
  beginConsent,
  CALLBACK_PATH,
  type ConsentEnd,
  endConsent,
} from "#src/domain/senders/consent.ts";
import type { App, AppContext } from "#src/http/context.ts";
import { httpUrl, instant, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { page, QUIET } from "#src/http/page.ts";
import { countForm } from "#src/http/rate-limit.ts";
import { escapeHtml } from "#src/mime/escape-html.ts";

const Consent = z
  .object({
    provider: z.enum(OAUTH_PROVIDERS),
    return_url: httpUrl
      .refine(
        (value) => value.isWellFormed() && !/[\p{Cc}\s]/u.test(value),
        "must be one well-formed URL",
      )
      .nullable()
      .optional()
      .describe(
        "Where the person comes back to, with `status` added: `connected`, or what went wrong.",
      ),
  })
  .openapi("MailOauthConsent", { example: { provider: "google" } });

const Begun = z
  .object({
    authorize_url: z
      .string()
      .describe("The provider's page: send the person there whose mailbox it is."),
    expires_at: instant.describe("When the page's way back ends."),
  })
  .openapi("MailOauthConsentBegun");

export const mailAliasOauthRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/v1/mailer/aliases/{alias_id}/oauth",
    id: "connectMailAlias",
    scope: "mailer:write",
    tag: "Mail aliases",
    summary: "Begin to connect the mailbox of an alias by OAuth",
    description:
      "By the alias's own app (`oauth.client_id`), else by the deployment's. The way back is good for ten minutes and for one use, and another call for the same alias ends it. It ends at `GET /oauth/mail/callback`, which says in a page what happened, or leads to `return_url`.",
    claims: "effect",
    shownOnce: ["authorize_url"],
    params: z.object({ alias_id: uuid }),
    body: Consent,
    response: Begun,
    errors: [503],
    handler: async ({ deps, principal, params, body }) => {
      const { authorizeUrl, expiresAt } = await beginConsent(deps, principal, params.alias_id, {
        provider: body.provider,
        returnUrl: body.return_url ?? null,
      });
      return { authorize_url: authorizeUrl, expires_at: expiresAt.toISOString() };
    },
  }),
];

const Came = z.object({
  state: z.string().min(1).max(500),
  code: z.string().min(1).max(8000).optional(),
  error: z.string().min(1).max(200).optional(),
});

/** Where a provider sends people back to: a page that says what happened, or the way on to the caller's own. */
export function mountMailOauth(app: App): void {
  app.get(CALLBACK_PATH, async (c) => {
    await countForm(c);
    const came = Came.safeParse(c.req.query());
    if (!came.success) return show(c, { kind: "unknown" });
    const { end, returnUrl, aliasId } = await endConsent(c.get("deps"), came.data);
    if (returnUrl === null) return show(c, end);
    const target = new URL(returnUrl);
    target.searchParams.set("status", end.kind);
    target.searchParams.set("alias_id", aliasId ?? "");
    for (const [name, value] of Object.entries(QUIET)) c.header(name, value);
    return c.redirect(target.href, 302);
  });
}

function show(c: AppContext, end: ConsentEnd): Response {
  const [title, words] = saidOf(end);
  return page(c, end.kind === "connected" ? 200 : 400, title, `<p>${escapeHtml(words)}</p>`);
}

/** Title and text of the page that ends a consent. */
function saidOf(end: ConsentEnd): [title: string, words: string] {
  switch (end.kind) {
    case "connected":
      return [
        "The mailbox is connected",
        `Mail can now be sent as ${end.email} without a password. You can close this page. You can take the access back at any time in the security settings of your account.`,
      ];
    case "unknown":
      return [
        "This link does not work",
        "It was used already, is not ours, or what it was for is gone. Nothing was stored. Begin again where you came from.",
      ];
    case "expired":
      return [
        "That took too long",
        "The way back is good for ten minutes. Nothing was stored. Begin again where you came from.",
      ];
    case "denied":
      return [
        "The access was not granted",
        "You, or an administrator of your organisation, said no. Nothing was stored and nothing changed.",
      ];
    case "failed":
      return [
        "The mailbox is not connected",
        `Its provider refused: ${end.words}. Nothing was stored. Begin again; if it happens again, the OAuth app is set up wrongly (client id, secret or redirect URI).`,
      ];
    case "unavailable":
      return [
        "The provider does not answer",
        "Its token service could not be reached. Nothing was stored. Begin again in some minutes.",
      ];
    case "no_refresh_token":
      return ["The mailbox is not connected", NO_REFRESH_TOKEN[end.provider]];
    case "other_mailbox":
      return [
        "That is another mailbox",
        `You gave access to ${end.given}, and ${end.wanted} is to be connected. Nothing was stored. Begin again and choose that account; sign out of the other first if you are not asked.`,
      ];
    case "changed":
      return [
        "The alias was changed meanwhile",
        "It is gone, or has another OAuth app by now. Nothing was stored. Begin again where you came from.",
      ];
  }
}

const NO_REFRESH_TOKEN = {
  google:
    "Google gave access for an hour only. Nothing was stored. Take the app's access back at https://myaccount.google.com/connections and begin again; the request has to keep access_type=offline and prompt=consent.",
  microsoft:
    "Microsoft gave access for an hour only. Nothing was stored. The app's permissions have to include offline_access: ask whoever registered it, and begin again.",
  other:
    "The provider gave access for a short time only. Nothing was stored. Its app has to be allowed refresh tokens, and the scopes have to ask for them (often offline_access).",
};
