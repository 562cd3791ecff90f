import { findEmail, FIND_EMAIL_MS } from "#src/domain/research/finding/email/find-email.ts";
import { findProfile, FIND_PROFILE_MS } from "#src/domain/research/finding/profile/find-profile.ts";
import { chargeFor } from "#src/domain/billing/credits/charge.ts";
import type { Deps } from "#src/deps.ts";
import { unprocessable } from "#src/errors.ts";
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

const tag = "Finding";

const within = ({ clock }: Deps, ms: number) => new Date(clock.now().getTime() + ms);

export const findingRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/v1/email-finder/find",
    id: "findEmail",
    scope: "verify:run",
    tag,
    summary: "Find somebody's address at a domain",
    description:
      "Asks the domain's mail host for candidates, yours or those that the name gives, until it accepts one. 1 credit when found, else none. " +
      "An address that a colleague may as well have, such as a first name alone, is not found below a confidence of 0.9. " +
      "A host that takes everything is 422 `ERR_EMAIL_FIND_CATCH_ALL` with the best guess; 503 when the host gave no definite answer.",
    paidPlanOnly: true,
    claims: "start",
    body: FindEmailInput,
    response: FoundEmailBody,
    errors: [422, 503],
    handler: ({ deps, principal, body }) =>
      chargeFor(deps, principal, { refType: "email_found", refId: deps.ids.uuid() }, async () => {
        const found = await findEmail(deps, toEmailAsked(body), within(deps, FIND_EMAIL_MS));
        if (found.kind === "catch_all") throw catchAll(found);
        return { spent: found.kind === "found", value: toFoundBody(found) };
      }),
  }),
  operation({
    method: "post",
    path: "/api/v1/profile-finder/find",
    id: "findProfile",
    scope: "verify:run",
    tag,
    summary: "Find somebody's public profile",
    description:
      "Asks search engines for it. 1 credit when found, else none. 503 when no engine answered.",
    claims: "start",
    body: FindProfileInput,
    response: FoundProfilesBody,
    errors: [403, 503],
    handler: ({ deps, principal, body }) =>
      chargeFor(deps, principal, { refType: "profile_found", refId: deps.ids.uuid() }, async () => {
        const found = await findProfile(deps, toPersonAsked(body), within(deps, FIND_PROFILE_MS));
        return { spent: found.length > 0, value: toProfilesBody(found) };
      }),
  }),
];

const catchAll = ({ email, pattern }: { email: string; pattern: string | null }) =>
  unprocessable(
    ERR_EMAIL_FIND_CATCH_ALL,
    "The domain takes mail to every address, so none can be confirmed; this is the likeliest.",
    { detail: { is_catch_all: true, email, pattern } },
  );
