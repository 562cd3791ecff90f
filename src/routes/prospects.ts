import * as z from "zod";
import {
  findProspects,
  type Prospect,
  searchForCredits,
} from "#src/domain/research/prospects/search.ts";
import { unprocessable } from "#src/errors.ts";
import { readProfileUrl } from "#src/domain/people/leads/profile-url.ts";
import { askToOptOut } from "#src/domain/workspace/notifications/opt-out-mail.ts";
import { confirmOptOut, readOptOut } from "#src/domain/research/prospects/opt-out.ts";
import { snakeKeys } from "#src/http/case.ts";
import type { App, AppContext } from "#src/http/context.ts";
import { emailAddress, text } from "#src/http/fields.ts";
import { page } from "#src/http/page.ts";
import { type Mount, operation } from "#src/http/operation.ts";

export const ProspectSearch = z
  .object({
    tags: z
      .array(text(100))
      .min(1)
      .max(20)
      .describe("In any case; whom most of them fit comes first."),
    limit: z.int().min(1).max(100).default(20),
  })
  .openapi("ProspectSearch");

const Found = z
  .object({
    count: z.int().describe("How many `results` there are."),
    results: z.array(
      z.object({
        profile_url: z.string(),
        linkedin_url: z.string().describe("The same as `profile_url`."),
        full_name: z.string(),
        company: z.string().nullable(),
        title: z.string().nullable(),
        location: z.string().nullable(),
        tags: z.array(z.string()),
        matched_tags: z.array(z.string()),
        score: z.number().describe("The share of the tags asked for that fit: 0 to 1."),
      }),
    ),
  })
  .openapi("ProspectResults");

const EXAMPLE = {
  body: { tags: ["fintech", "berlin"], limit: 1 },
  response: {
    count: 1,
    results: [
      {
        profile_url: "https://www.linkedin.com/in/anna-lind",
        linkedin_url: "https://www.linkedin.com/in/anna-lind",
        full_name: "Anna Lind",
        company: "Corp",
        title: "CTO",
        location: "Berlin",
        tags: ["berlin", "cto", "fintech"],
        matched_tags: ["fintech", "berlin"],
        score: 1,
      },
    ],
  },
};

const MAILED =
  "If this address may still get such a mail, one with a link is on its way: open it within seven days and confirm.";

const toFound = (found: Prospect[]): z.input<typeof Found> => {
  const results = found.map((prospect) => {
    const { profile_url, ...rest } = snakeKeys(prospect);
    return { profile_url, linkedin_url: profile_url, ...rest };
  });
  return { count: results.length, results };
};

const OptOut = z
  .object({
    profile_url: z
      .string()
      .max(2_000)
      .describe("The profile that is to be taken out.")
      .openapi({ example: "https://www.linkedin.com/in/anna-lind" }),
    email: emailAddress.describe("Where the link to confirm it goes; not kept."),
  })
  .openapi("ProspectOptOut");

const Asked = z
  .object({ success: z.literal(true), message: z.string() })
  .openapi("ProspectOptOutAsked");

/** The pages behind the link of the mail. A scanner that follows it opts no person out: GET asks, POST acts. */
export function mountOptOut(app: App): void {
  const at = "/prospects/opt-out/:token";
  app.get(at, async (c) =>
    (await readOptOut(c.get("deps"), c.req.param("token"))) === null
      ? linkFails(c)
      : page(
          c,
          200,
          "Take your profile out",
          '<p>We will no longer give it to anybody, and not take it in again.</p><form method="post"><button>Take it out</button></form>',
        ),
  );
  app.post(at, async (c) =>
    (await confirmOptOut(c.get("deps"), c.req.param("token")))
      ? page(c, 200, "Your profile is out", "<p>You can close this page.</p>")
      : linkFails(c),
  );
}

const linkFails = (c: AppContext) =>
  page(
    c,
    404,
    "This link does not work",
    "<p>It is incomplete, older than seven days, or no longer valid. Ask for a new one.</p>",
  );

export const prospectRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/v1/prospects/opt-out",
    id: "optOutOfProspects",
    tag: "Prospects",
    summary: "Ask to be taken out of the shared prospect pool",
    description:
      "Mails a link; whoever confirms it is taken out for good. The answer is the same whether the profile is in the pool or not, and whether the mailbox has had its three mails of the day; 429 after 50 a day from one client address.",
    access: "public",
    isForm: true,
    body: OptOut,
    status: 202,
    response: Asked,
    errors: [503],
    handler: async ({ deps, body, c }) => {
      const profile = readProfileUrl(body.profile_url);
      if (profile === null)
        throw unprocessable("VALIDATION_ERROR", "profile_url is not the address of a profile.");
      const clientAddress = c.get("clientAddress");
      await askToOptOut(deps, { profile, email: body.email, clientAddress });
      return { success: true as const, message: MAILED };
    },
  }),
  operation({
    method: "post",
    path: "/api/v1/prospects/search",
    id: "searchProspects",
    scope: "verify:run",
    tag: "Prospects",
    summary: "Search the shared prospect pool by tags",
    description:
      "A credit for each that is found. With fewer credits than `limit` nothing is searched: 403.",
    claims: "start",
    body: ProspectSearch,
    response: Found,
    errors: [403],
    handler: async ({ deps, principal, body }) =>
      toFound(await searchForCredits(deps, principal, body)),
  }),
  operation({
    method: "post",
    path: "/api/x402/v1/prospects/search",
    id: "buyProspectSearch",
    tag: "Paid calls",
    summary: "Search the shared prospect pool by tags (0.012 USDC a call)",
    description: "Nobody found is an answer too: `count` 0, and charged.",
    access: "wallet",
    sells: { call: "prospects/search", example: EXAMPLE },
    body: ProspectSearch,
    response: Found,
    handler: async ({ deps, body }) => toFound(await findProspects(deps, body)),
  }),
];
