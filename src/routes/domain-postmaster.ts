import * as z from "zod";
import {
  connectPostmaster,
  disconnectPostmaster,
  endPostmasterConsent,
  POSTMASTER_CALLBACK_PATH,
  type PostmasterConsentEnd,
} from "#src/domain/senders/postmaster/consent.ts";
import {
  POSTMASTER_STATUSES,
  type PostmasterFigures,
  readPostmaster,
} from "#src/domain/senders/postmaster/read.ts";
import type { App, AppContext } from "#src/http/context.ts";
import { Deleted, done, instant, uuid } from "#src/http/fields.ts";
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

const percent = z.number().nullable();
const Day = z.object({
  day: z.string().openapi({ format: "date", example: "2026-11-25" }),
  spam_percent: percent.openapi({
    description: "Reported as spam by its readers, of what lay in their inbox.",
    example: 0.02,
  }),
  spf_percent: percent.openapi({ description: "Passed SPF.", example: 100 }),
  dkim_percent: percent.openapi({ example: 100 }),
  dmarc_percent: percent.openapi({ example: 99.8 }),
  tls_percent: percent.openapi({ description: "Came by TLS.", example: 100 }),
  rejected_percent: percent.openapi({ description: "Refused for good.", example: 0 }),
  deferred_percent: percent.openapi({ description: "Put off.", example: 0.4 }),
  errors: z.array(
    z.object({
      type: z.enum(["reject", "temp_fail"]),
      reason: z.string().openapi({ example: "low_domain_reputation" }),
      percent: z.number().openapi({ example: 0.4 }),
    }),
  ),
});

const Body = z
  .object({
    domain: z.string(),
    status: z.enum(POSTMASTER_STATUSES).openapi({
      description:
        "`no_access`: the Google account that consented does not have the domain in Postmaster Tools. `consent_lost`: the access was taken back.",
    }),
    connected_at: instant.nullable(),
    fetched_at: instant.nullable(),
    next_at: instant.nullable().openapi({ description: "When figures are read next." }),
    last_error: z.string().nullable().openapi({ example: "Google answered 503: Try later" }),
    compliance: z
      .array(
        z.object({
          requirement: z.string().openapi({ example: "user_reported_spam_rate" }),
          status: z.enum(["compliant", "needs_work"]),
          reason: z.string().nullable().openapi({ example: "no_unsub_general" }),
        }),
      )
      .nullable()
      .openapi({ description: "Gmail's requirements of senders as it sees them kept now." }),
    days: z.array(Day).openapi({
      description: "Ascending; only days that Gmail has figures of: it wants some volume for that.",
    }),
  })
  .openapi("DomainPostmaster");

/** Shares have as many places as the service keeps apart: thousandths of a percent. */
const toPercent = (share: number | null): number | null =>
  share === null ? null : Math.round(share * 100_000) / 1000;
const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

const toWire = (of: PostmasterFigures): z.input<typeof Body> => ({
  domain: of.domain,
  status: of.status,
  connected_at: iso(of.connectedAt),
  fetched_at: iso(of.fetchedAt),
  next_at: iso(of.nextAt),
  last_error: of.lastError,
  compliance: of.compliance,
  days: of.days.map((day) => ({
    day: day.day,
    spam_percent: toPercent(day.spam),
    spf_percent: toPercent(day.spf),
    dkim_percent: toPercent(day.dkim),
    dmarc_percent: toPercent(day.dmarc),
    tls_percent: toPercent(day.tls),
    rejected_percent: toPercent(day.rejected),
    deferred_percent: toPercent(day.deferred),
    errors: day.errors.map(({ rate, ...each }) => ({ ...each, percent: toPercent(rate)! })),
  })),
});

const PATH = "/api/v1/mailer/domains/{domain_id}/postmaster";
const tag = "Mail domains";
const params = z.object({ domain_id: uuid });

export const domainPostmasterRoutes: Mount[] = [
  operation({
    method: "get",
    path: PATH,
    id: "getDomainPostmaster",
    scope: "mailer:read",
    tag,
    summary: "What Gmail says of a domain's mail: spam rate, authentication, delivery errors",
    description:
      "From Google's Postmaster Tools, read once a day; Gmail's figures come a day or two late.",
    params,
    query: z.object({ days: z.coerce.number().int().min(1).max(400).default(30) }),
    response: Body,
    handler: async ({ deps, principal, params, query }) =>
      toWire(await readPostmaster(deps, principal, params.domain_id, query.days)),
  }),
  operation({
    method: "post",
    path: PATH,
    id: "connectDomainPostmaster",
    scope: "mailer:write",
    tag,
    summary: "Begin to connect a domain with Google's Postmaster Tools",
    description:
      "For whoever has the domain at postmaster.google.com. The way back is good for ten minutes and for one use, and another call for the same domain ends it. It ends at `GET /oauth/postmaster/callback`, which says in a page what happened, or leads to `return_url`. The figures are asked for, and nothing else.",
    claims: "effect",
    shownOnce: ["authorize_url"],
    params,
    body: z
      .object({ return_url: returnUrl })
      .openapi("DomainPostmasterConsent", { example: { return_url: null } }),
    response: ConsentBegun,
    errors: [503],
    handler: async ({ deps, principal, params, body }) =>
      begun(await connectPostmaster(deps, principal, params.domain_id, body.return_url ?? null)),
  }),
  operation({
    method: "delete",
    path: PATH,
    id: "disconnectDomainPostmaster",
    scope: "mailer:write",
    tag,
    summary: "Forget the access to a domain's figures at Google",
    description: "What was read stays for 400 days.",
    claims: "effect",
    params,
    response: Deleted,
    handler: ({ deps, principal, params }) =>
      done(disconnectPostmaster(deps, principal, params.domain_id)),
  }),
];

/** Where Google sends people back to. */
export function mountPostmasterOauth(app: App): void {
  app.get(POSTMASTER_CALLBACK_PATH, async (c) => {
    await countForm(c);
    const came = Came.safeParse(c.req.query());
    if (!came.success) return show(c, { kind: "unknown" });
    const { end, returnUrl: back, domainId } = await endPostmasterConsent(c.get("deps"), came.data);
    if (back === null) return show(c, end);
    return comeBack(c, back, { status: end.kind, domain_id: domainId ?? "" });
  });
}

function show(c: AppContext, end: PostmasterConsentEnd): Response {
  if (end.kind === "unknown") sayNotHere(c);
  return endPage(c, end.kind === "connected", saidOf(end));
}

function saidOf(end: PostmasterConsentEnd): [title: string, words: string] {
  switch (end.kind) {
    case "connected":
      return [
        "Postmaster Tools are connected",
        `Gmail's figures of ${end.domain} are read once a day from now on. You can close this page. You can take the access back at any time in the security settings of your account.`,
      ];
    case "no_refresh_token":
      return ["Postmaster Tools are not connected", NO_GOOGLE_REFRESH_TOKEN];
    case "changed":
      return [
        "The domain was changed meanwhile",
        "It is gone, or this service has no app at Google any more. Nothing was stored.",
      ];
    default:
      return commonWords("The account", end);
  }
}
