import * as z from "zod";
import { findEmail, FIND_EMAIL_MS } from "#src/domain/research/finding/email/find-email.ts";
import { findProfile } from "#src/domain/research/finding/profile/find-profile.ts";
import type { Deps } from "#src/deps.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import {
  ERR_EMAIL_FIND_CATCH_ALL,
  FindEmailInput,
  FindProfileInput,
  FoundEmailBody,
  FoundProfilesBody,
  toEmailAsked,
  toFoundBody,
  toPersonAsked,
  toProfilesBody,
} from "./finding-schemas.ts";

const CatchAll = z
  .object({
    detail: z.object({
      error: z.literal(ERR_EMAIL_FIND_CATCH_ALL),
      is_catch_all: z.literal(true),
      email: z.string().describe("The likeliest."),
      pattern: z.string().nullable(),
    }),
  })
  .openapi("EmailFindCatchAll");

const tag = "Paid calls";

/** The part of the deadline left for settlement, and for the network between service and caller. */
const MARGIN_MS = 500;

const sooner = ({ clock }: Deps, deadline: Date, ms: number) =>
  new Date(Math.min(deadline.getTime() - MARGIN_MS, clock.now().getTime() + ms));

/** The specification's path, and the neutral one beside it: one price, and a payment for one fits the other. */
const profileCall = (path: string, id: string): Mount =>
  operation({
    method: "post",
    path,
    id,
    tag,
    summary: "Find somebody's public profile (0.008 USDC a call)",
    description:
      "Nobody found is an answer too, and charged. 503, not charged, when no search engine answers.",
    access: "wallet",
    sells: {
      call: "linkedin/find-url",
      example: {
        body: { name: "Anna Lind", company: "Corp", location: "SE" },
        response: {
          status: "found",
          profile_url: "https://www.linkedin.com/in/anna-lind",
          linkedin_url: "https://www.linkedin.com/in/anna-lind",
          match_confidence: 0.95,
          profiles: [
            {
              profile_url: "https://www.linkedin.com/in/anna-lind",
              title: "Anna Lind - CTO - Corp",
              snippet: null,
              match_confidence: 0.95,
            },
          ],
        },
      },
    },
    body: FindProfileInput,
    response: FoundProfilesBody,
    handler: async ({ deps, body, deadline }) =>
      toProfilesBody(
        await findProfile(deps, toPersonAsked(body), sooner(deps, deadline, Infinity)),
      ),
  });

export const paidFindingRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/x402/v1/email/find",
    id: "buyEmailFind",
    tag,
    summary: "Find somebody's address at a domain (0.010 USDC a call)",
    description:
      "Charged for `found` true, and for false when every candidate was refused for good. A domain that takes everything is 422 `ERR_EMAIL_FIND_CATCH_ALL` with the best guess, no clear answer 503: neither is charged.",
    access: "wallet",
    sells: {
      call: "email/find",
      example: {
        body: { domain: "corp.zz", first_name: "Anna", last_name: "Lind" },
        response: {
          found: true,
          email: "anna.lind@corp.zz",
          pattern: "first.last",
          confidence: 0.99,
          backend: "smtp",
        },
      },
    },
    body: FindEmailInput,
    response: FoundEmailBody,
    refusal: CatchAll,
    handler: async ({ deps, body, deadline, c }) => {
      const found = await findEmail(
        deps,
        toEmailAsked(body),
        sooner(deps, deadline, FIND_EMAIL_MS),
      );
      if (found.kind !== "catch_all") return toFoundBody(found);
      const { email, pattern } = found;
      const detail = { error: ERR_EMAIL_FIND_CATCH_ALL, is_catch_all: true, email, pattern };
      return c.json({ detail }, 422);
    },
  }),
  profileCall("/api/x402/v1/linkedin/find-url", "buyProfile"),
  profileCall("/api/x402/v1/socialnet/find-url", "buyProfileUnderNeutralName"),
];
