import { z } from "@hono/zod-openapi";
import { findProspects } from "#src/domain/prospects/search.ts";
import { snakeKeys } from "#src/http/case.ts";
import { text } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";

const Search = z
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

export const prospectRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/x402/v1/prospects/search",
    id: "buyProspectSearch",
    tag: "Paid calls",
    summary: "Search the shared prospect pool by tags (0.012 USDC a call)",
    description: "Nobody found is an answer too: `count` 0, and charged.",
    access: "wallet",
    sells: { call: "prospects/search", example: EXAMPLE },
    body: Search,
    response: Found,
    handler: async ({ deps, body }) => {
      const found = await findProspects(deps, body);
      const results = found.map((prospect) => {
        const { profile_url, ...rest } = snakeKeys(prospect);
        return { profile_url, linkedin_url: profile_url, ...rest };
      });
      return { count: results.length, results };
    },
  }),
];
