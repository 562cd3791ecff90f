import * as z from "zod";
import {
  answerConfirmation,
  type Confirmation,
  listConfirmations,
} from "#src/domain/access/confirmations.ts";
import { instant, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";

const Body = z
  .object({
    id: uuid,
    tool: z.string().openapi({ example: "launch_campaign" }),
    title: z.string().openapi({ example: "Launch “Schools in Texas”" }),
    preview: z.looseObject({}).openapi({
      description: "What would be done, as the agent was shown it.",
      example: { campaign_id: "01a1fc0c-6921-718e-aa4a-ab45df202f29", recipients: 120 },
    }),
    asked_by: z.string().openapi({
      description: "The key or login that the agent has: `key:<id>` or `user:<id>`.",
      example: "key:01a1fc0c-6921-718e-aa4a-ab45df202f2a",
    }),
    status: z.enum(["waiting", "approved", "declined", "spent"]),
    created_at: instant,
    expires_at: instant,
  })
  .openapi("Confirmation");

const PATH = "/api/v1/confirmations";
const tag = "Agents";
const params = z.object({ confirmation_id: uuid });

const toWire = (row: Confirmation): z.input<typeof Body> => ({
  id: row.id,
  tool: row.tool,
  title: row.title ?? row.tool,
  preview: (row.preview ?? {}) as Record<string, unknown>,
  asked_by: row.actor,
  status: row.status,
  created_at: row.createdAt.toISOString(),
  expires_at: row.expiresAt.toISOString(),
});

const answer = (
  verb: "approve" | "decline",
  id: string,
  status: "approved" | "declined",
  summary: string,
): Mount =>
  operation({
    method: "post",
    path: `${PATH}/{confirmation_id}/${verb}`,
    id,
    tag,
    summary,
    description:
      "A person's answer: needs a login. Where the agent asked with that very login, the console's session is needed (403 `CONFIRM_IN_CONSOLE`). 409 `CONFIRMATION_ENDED` once it was answered, used or is too old.",
    access: "jwt",
    claims: "effect",
    params,
    response: Body,
    errors: [409],
    handler: async ({ deps, principal, params: { confirmation_id }, c }) =>
      toWire(
        await answerConfirmation(deps, principal, confirmation_id, status, {
          inConsole: c.get("session") !== undefined,
        }),
      ),
  });

export const confirmationRoutes: Mount[] = [
  operation({
    method: "get",
    path: PATH,
    id: "listConfirmations",
    // A preview may hold a single mail's or an answer's body, which have scopes of their own.
    scope: "unscoped",
    tag,
    summary: "List what agents want to send and a person has to confirm, the oldest first",
    description: "No scope opens it: it needs a login, or a key that was made without scopes.",
    list: { by: "id" },
    response: z.array(Body),
    handler: async ({ deps, principal, part }) =>
      (await listConfirmations(deps, principal, part)).map(toWire),
  }),
  answer("approve", "approveConfirmation", "approved", "Approve what an agent wants to send"),
  answer("decline", "declineConfirmation", "declined", "Decline what an agent wants to send"),
];
