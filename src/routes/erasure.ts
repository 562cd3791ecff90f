import * as z from "zod";
import { erasePerson } from "#src/domain/workspace/erase.ts";
import { Deleted, done, emailAddress } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";

const Body = z
  .object({ email: emailAddress })
  .openapi("LeadErase", { example: { email: "ada@example.com" } });

export const erasureRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/v1/leads/erase",
    id: "eraseLead",
    scope: "leads:write",
    tag: "Leads",
    summary: "Forget a person everywhere",
    description:
      "Removes the person with that address from datasets, campaigns, conversations, messages and verifications of the workspace, and their profile from the shared pool of prospects. A hash of the address stays and suppresses it: a later import refuses it, and nothing is sent to it. Safe to repeat; who is not there is forgotten too.",
    limit: "erase",
    claims: "effect",
    body: Body,
    response: Deleted,
    handler: ({ deps, principal, body }) => done(erasePerson(deps, principal, body.email)),
  }),
];
