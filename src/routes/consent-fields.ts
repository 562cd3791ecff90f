import * as z from "zod";
import type { AppContext } from "#src/http/context.ts";
import { httpUrl, instant } from "#src/http/fields.ts";
import { page, QUIET } from "#src/http/page.ts";
import { escapeHtml } from "#src/mime/escape-html.ts";

/** What every consent that a person gives on a provider's page begins and ends with. */
export const returnUrl = httpUrl
  .refine(
    (value) => value.isWellFormed() && !/[\p{Cc}\s]/u.test(value),
    "must be one well-formed URL",
  )
  .nullable()
  .optional()
  .describe(
    "Where the person comes back to, with `status` added: `connected`, or what went wrong.",
  );

export const ConsentBegun = z
  .object({
    authorize_url: z
      .string()
      .describe("The provider's page: send the person there whose account it is."),
    expires_at: instant.describe("When the page's way back ends."),
  })
  .openapi("MailOauthConsentBegun");

export const begun = (way: {
  authorizeUrl: string;
  expiresAt: Date;
}): z.input<typeof ConsentBegun> => ({
  authorize_url: way.authorizeUrl,
  expires_at: way.expiresAt.toISOString(),
});

export const Came = z.object({
  state: z.string().min(1).max(500),
  code: z.string().min(1).max(8000).optional(),
  error: z.string().min(1).max(200).optional(),
});

/** The way on to the caller's own page, with how it ended. */
export function comeBack(c: AppContext, to: string, query: Record<string, string>): Response {
  const target = new URL(to);
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
  for (const [name, value] of Object.entries(QUIET)) c.header(name, value);
  return c.redirect(target.href, 302);
}

/** The page that ends a consent where the caller named none of its own. */
export const endPage = (
  c: AppContext,
  isConnected: boolean,
  [title, words]: [title: string, words: string],
): Response => page(c, isConnected ? 200 : 400, title, `<p>${escapeHtml(words)}</p>`);

type CommonEnd =
  | { kind: "unknown" | "expired" | "denied" | "unavailable" }
  | { kind: "failed"; words: string };

/** Title and text of a page for what can go wrong with every consent; `what` was to be connected. */
export function commonWords(what: string, end: CommonEnd): [title: string, words: string] {
  switch (end.kind) {
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
        `${what} is not connected`,
        `Its provider refused: ${end.words}. Nothing was stored. Begin again; if it happens again, the OAuth app is set up wrongly (client id, secret or redirect URI).`,
      ];
    case "unavailable":
      return [
        "The provider does not answer",
        "Its token service could not be reached. Nothing was stored. Begin again in some minutes.",
      ];
  }
}

export const NO_GOOGLE_REFRESH_TOKEN =
  "Google gave access for an hour only. Nothing was stored. Take the app's access back at https://myaccount.google.com/connections and begin again; the request has to keep access_type=offline and prompt=consent.";
