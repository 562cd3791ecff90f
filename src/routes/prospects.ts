import { z } from "@hono/zod-openapi";
import { findProspects, type Prospect, searchForCredits } from "#src/domain/prospects/search.ts";
import { snakeKeys } from "#src/http/case.ts";
import { text } from "#src/http/fields.ts";
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

const toFound = (found: Prospect[]): z.input<typeof Found> => {
  const results = found.map((prospect) => {
    const { profile_url, ...rest } = snakeKeys(prospect);
    return { profile_url, linkedin_url: profile_url, ...rest };
  });
  return { count: results.length, results };
};

export const prospectRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/v1/prospects/search",
    id: "searchProspects",
    tag: "Prospects",
    summary: "Search the shared prospect pool by tags",
    description:
      "A credit for each that is found: `limit` are held, and what is not found is given back.",
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
