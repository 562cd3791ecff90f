import * as z from "zod";
import type { EmailAsked } from "#src/domain/research/finding/email/candidates-asked.ts";
import type { FoundEmail } from "#src/domain/research/finding/email/find-email.ts";
import type { FoundProfile, PersonAsked } from "#src/domain/research/finding/profile/score.ts";
import { readTarget } from "#src/domain/research/verification/target.ts";
import { text } from "#src/http/fields.ts";
import type { Variants } from "#src/http/openapi/variants.ts";
import { mailDomain } from "#src/mime/email-key.ts";

const Candidate = z.object({
  email: z.string().max(320),
  pattern: z.string().max(50).optional().describe("How it is made, in your words; comes back."),
  confidence: z.number().min(0).max(1).optional().describe("The surest are asked first."),
});

/** Candidates or a name, at one domain. */
export const FindEmailInput = z
  .object({
    domain: z.string().max(255),
    first_name: text(100).optional(),
    last_name: text(100).optional(),
    candidates: z.array(Candidate).min(1).max(20).optional(),
  })
  .superRefine(({ domain, first_name, last_name, candidates }, context) => {
    const issue = (message: string, ...path: (string | number)[]) =>
      context.addIssue({ code: "custom", message, path });
    const named = first_name !== undefined || last_name !== undefined;
    if (named === (candidates !== undefined))
      issue("Give either candidates, or first_name and last_name.", "candidates");
    else if (named && first_name === undefined) issue("Belongs to last_name.", "first_name");
    else if (named && last_name === undefined) issue("Belongs to first_name.", "last_name");
    const at = mailDomain(domain);
    if (at === null) issue("Is no domain of mail addresses.", "domain");
    for (const [index, { email }] of (candidates ?? []).entries())
      if (at !== null && readTarget(email)?.domain !== at)
        issue(`Is no address at ${domain}.`, "candidates", index, "email");
  })
  .openapi("FindEmail", {
    example: { domain: "corp.zz", first_name: "Anna", last_name: "Lind" },
    "x-variants": {
      oneOf: [
        { name: "FindEmailOfName", needs: ["first_name", "last_name"], without: ["candidates"] },
        {
          name: "FindEmailAmongCandidates",
          needs: ["candidates"],
          without: ["first_name", "last_name"],
        },
      ],
    } satisfies Variants,
  });

export const FoundEmailBody = z
  .object({
    found: z.boolean(),
    email: z.string().optional(),
    pattern: z
      .string()
      .nullable()
      .optional()
      .describe("How the address is made of the name, such as `first.last` or `flast`."),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe("How likely the address is the person's and not a colleague's."),
    backend: z.string().optional().describe("Who knew: `smtp`, `dns`, `cache` or `prefilter`."),
  })
  .openapi("FoundEmail", {
    example: {
      found: true,
      email: "anna.lind@corp.zz",
      pattern: "first.last",
      confidence: 0.99,
      backend: "smtp",
    },
  });

export function toEmailAsked(input: z.output<typeof FindEmailInput>): EmailAsked {
  const domain = mailDomain(input.domain)!;
  return input.candidates === undefined
    ? { domain, firstName: input.first_name!, lastName: input.last_name! }
    : { domain, candidates: input.candidates };
}

/** Of an answer; a best guess at a catch-all domain is an error of the caller's operation. */
export const toFoundBody = (found: Exclude<FoundEmail, { kind: "catch_all" }>) =>
  found.kind === "found"
    ? {
        found: true,
        email: found.email,
        pattern: found.pattern,
        confidence: Math.round(found.confidence * 100) / 100,
        backend: found.backend,
      }
    : { found: false };

export const ERR_EMAIL_FIND_CATCH_ALL = "ERR_EMAIL_FIND_CATCH_ALL";

export const FindProfileInput = z
  .object({
    name: text(200).openapi({ example: "Anna Lind" }),
    company: z.string().max(200).optional(),
    location: z
      .string()
      .max(100)
      .optional()
      .describe("Two letters of a country, its name, or any place: people from there first."),
  })
  .openapi("FindProfile");

const Profile = z.object({
  profile_url: z.string(),
  title: z.string().nullable().optional(),
  snippet: z.string().nullable().optional(),
  match_confidence: z.number(),
});

export const FoundProfilesBody = z
  .object({
    status: z.enum(["found", "not_found"]),
    profile_url: z.string().nullable().describe("Null where nobody is found."),
    linkedin_url: z.string().nullable().describe("The same as profile_url."),
    match_confidence: z.number().nullable(),
    profiles: z.array(Profile).describe("At most five, best first, none below 0.3."),
  })
  .openapi("FoundProfiles");

export const toPersonAsked = (input: z.output<typeof FindProfileInput>): PersonAsked => ({
  name: input.name,
  company: input.company?.trim() || null,
  location: input.location?.trim() || null,
});

export function toProfilesBody(found: readonly FoundProfile[]) {
  const profiles = found.map(({ profileUrl, confidence, title, snippet }) => ({
    profile_url: profileUrl,
    title,
    snippet,
    match_confidence: confidence,
  }));
  const [best] = profiles;
  const profile_url = best?.profile_url ?? null;
  return {
    status: best === undefined ? ("not_found" as const) : ("found" as const),
    profile_url,
    linkedin_url: profile_url,
    match_confidence: best?.match_confidence ?? null,
    profiles,
  };
}
