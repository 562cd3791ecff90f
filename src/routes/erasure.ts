import * as z from "zod";
import { erasePerson } from "#src/domain/workspace/erase.ts";
import { exportPerson } from "#src/domain/workspace/export-person.ts";
import { Deleted, done, emailAddress, instant } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";

const Body = z
  .object({ email: emailAddress })
  .openapi("LeadErase", { example: { email: "ada@example.com" } });

const ExportBody = z
  .object({ email: emailAddress })
  .openapi("LeadExport", { example: { email: "ada@example.com" } });

const Exported = z
  .object({
    email: z.string().openapi({ example: "ada@example.com" }),
    exported_at: instant,
    sources: z
      .array(
        z.object({
          source: z.string().openapi({
            description: "The kind of record.",
            example: "conversation_messages",
          }),
          records: z
            .array(z.record(z.string(), z.unknown()))
            .openapi({ example: [{ subject: "Re: Hello", text: "Gladly." }] }),
          is_cut: z.boolean().openapi({
            description:
              "There are more than 10,000, or than 4 MB of them: it is an address that many people share.",
          }),
        }),
      )
      .openapi({ description: "Kinds of which there is none are left out." }),
  })
  .openapi("LeadExported");

export const erasureRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/v1/leads/export",
    id: "exportLead",
    // Threads, mails, drafts and verifications, which have scopes of their own.
    scope: "unscoped",
    tag: "Leads",
    summary: "All that is kept of a person, as one file",
    description:
      "For a person who asks for their data (GDPR articles 15 and 20): what the workspace keeps of the person with that address, by where it stands. Of what all workspaces share it has the workspace's own answer on the address alone. No scope opens it: it needs a login, or a key that was made without scopes. The address is in no line of a log.",
    limit: "export",
    claims: "effect",
    body: ExportBody,
    response: Exported,
    handler: async ({ deps, principal, body: { email } }) => ({
      email,
      exported_at: deps.clock.now().toISOString(),
      sources: (await exportPerson(deps, principal, email)).map(({ table, records, isCut }) => ({
        ...{ source: table, records },
        is_cut: isCut,
      })),
    }),
  }),
  operation({
    method: "post",
    path: "/api/v1/leads/erase",
    id: "eraseLead",
    scope: "leads:write",
    tag: "Leads",
    summary: "Forget a person everywhere",
    description:
      "Removes the person with that address from datasets, campaigns, conversations, messages and verifications of the workspace, and their profile from the shared pool of prospects, of up to 50 profiles a day and workspace; beyond that the pool keeps them, and the person leaves it by `POST /prospects/opt-out`. A hash of the address stays and suppresses it: a later import refuses it, and nothing is sent to it. Safe to repeat; who is not there is forgotten too.",
    limit: "erase",
    claims: "effect",
    body: Body,
    response: Deleted,
    handler: ({ deps, principal, body }) => done(erasePerson(deps, principal, body.email)),
  }),
];
