import * as z from "zod";
import { readSoon } from "#src/domain/replies/inbound/inbox/queue.ts";
import { OAUTH_PROVIDERS } from "#src/domain/senders/alias-login.ts";
import {
  beginConsent,
  CALLBACK_PATH,
  type ConsentEnd,
  endConsent,
} from "#src/domain/senders/consent.ts";
import type { App, AppContext } from "#src/http/context.ts";
import { uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { sayNotHere } from "#src/http/cell-header.ts";
import { countForm } from "#src/http/rate-limit.ts";
import {
  begun,
  Came,
  comeBack,
  commonWords,
  ConsentBegun,
  endPage,
  NO_GOOGLE_REFRESH_TOKEN,
  returnUrl,
} from "./consent-fields.ts";

const Consent = z
  .object({
    provider: z.enum(OAUTH_PROVIDERS),
    return_url: returnUrl,
  })
  .openapi("MailOauthConsent", { example: { provider: "google" } });

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
    response: ConsentBegun,
    errors: [503],
    handler: async ({ deps, principal, params, body }) => {
      const { provider, return_url: back } = body;
      const way = { provider, returnUrl: back ?? null };
      return begun(await beginConsent(deps, principal, params.alias_id, way));
    },
  }),
];

/** Where a provider sends people back to: a page that says what happened, or the way on to the caller's own. */
export function mountMailOauth(app: App): void {
  app.get(CALLBACK_PATH, async (c) => {
    await countForm(c);
    const came = Came.safeParse(c.req.query());
    if (!came.success) return show(c, { kind: "unknown" });
    const { end, returnUrl, aliasId } = await endConsent(c.get("deps"), came.data);
    if (end.kind === "connected" && aliasId !== null) await readSoon(c.get("deps"), aliasId);
    if (returnUrl === null) return show(c, end);
    return comeBack(c, returnUrl, { status: end.kind, alias_id: aliasId ?? "" });
  });
}

function show(c: AppContext, end: ConsentEnd): Response {
  if (end.kind === "unknown") sayNotHere(c);
  return endPage(c, end.kind === "connected", saidOf(end));
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
    case "expired":
    case "denied":
    case "failed":
    case "unavailable":
      return commonWords("The mailbox", end);
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
  google: NO_GOOGLE_REFRESH_TOKEN,
  microsoft:
    "Microsoft gave access for an hour only. Nothing was stored. The app's permissions have to include offline_access: ask whoever registered it, and begin again.",
  other:
    "The provider gave access for a short time only. Nothing was stored. Its app has to be allowed refresh tokens, and the scopes have to ask for them (often offline_access).",
};
