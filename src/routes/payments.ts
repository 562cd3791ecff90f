import * as z from "zod";
import { CREDIT_COSTS, PACKS } from "#src/domain/billing/credits/packs.ts";
import { CREDIT_KINDS, listLedger, requireBalance } from "#src/domain/billing/credits/read.ts";
import { snakeKeys } from "#src/http/case.ts";
import { instant, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { IdCursorQuery, pageOf, toPage } from "#src/http/pagination.ts";

const Balance = z
  .object({
    available: z.int().describe("Can be spent."),
    held: z.int().describe("Reserved by work under way."),
    owed: z.int().describe("Credits spent before their purchase was refunded; paid first."),
    plan: z.enum(["free", "paid"]),
  })
  .openapi("CreditBalance");

const Entry = z
  .object({
    id: uuid,
    kind: z.enum(CREDIT_KINDS),
    available_delta: z.int(),
    held_delta: z.int(),
    owed_delta: z.int(),
    ref_type: z.string().describe("What the credits were moved for."),
    ref_id: z.string(),
    created_at: instant,
  })
  .openapi("CreditEntry");

const Pack = z
  .object({
    id: z.string(),
    credits: z.int(),
    amount_cents: z.int(),
    currency: z.string(),
    credit_costs: z.record(z.string(), z.int()).describe("What one of each costs, in credits."),
  })
  .openapi("CreditPack");

const tag = "Credits";

export const paymentRoutes: Mount[] = [
  operation({
    method: "get",
    path: "/api/v1/payments/balance",
    id: "getCreditBalance",
    scope: "billing:read",
    tag,
    summary: "Get the credit balance",
    response: Balance,
    handler: async ({ deps, principal }) => requireBalance(deps, principal),
  }),
  operation({
    method: "get",
    path: "/api/v1/payments/ledger",
    id: "listCreditEntries",
    scope: "billing:read",
    tag,
    summary: "List the entries of the credit ledger, newest first",
    description: "The deltas of all entries add up to the balance.",
    query: IdCursorQuery,
    response: pageOf(Entry),
    handler: async ({ deps, principal, query: { cursor, limit } }) => {
      const rows = await listLedger(deps, principal, cursor, limit + 1);
      return toPage(
        rows,
        limit,
        (row) => row.id,
        ({ workspaceId: _, ...entry }) => snakeKeys(entry),
      );
    },
  }),
  operation({
    method: "get",
    path: "/api/v1/payments/packs",
    id: "listCreditPacks",
    scope: "billing:read",
    tag,
    summary: "List the credit packs and what credits pay for",
    list: { by: "id", words: true },
    response: z.array(Pack),
    handler: async ({ part }) =>
      PACKS.slice(1 + PACKS.findIndex(({ id }) => id === part?.after)).map((pack) => ({
        ...snakeKeys(pack),
        credit_costs: CREDIT_COSTS,
      })),
  }),
];
