import * as z from "zod";
import { CATEGORY_KINDS, type RefusalCategory } from "#src/domain/people/refusals/categories.ts";
import {
  MOST_OPERATORS,
  type OperatorRow,
  readOperators,
} from "#src/domain/senders/operators/read-operators.ts";
import { snakeKeys } from "#src/http/case.ts";
import { instant, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";

const REFUSAL_CATEGORIES = Object.keys(CATEGORY_KINDS) as [RefusalCategory, ...RefusalCategory[]];

const Ledger = z.object({
  domains: z.int().openapi({ description: "Recipient domains whose mail it takes." }),
  unknown_domains: z.int().openapi({
    description:
      "1 where it is not known yet who runs the mail hosts: then the domain stands for itself.",
  }),
  looked_up_at: instant.nullable().openapi({
    description: "Since when all of this is known from DNS; asked anew each week.",
  }),
  messages: z.int().openapi({
    description: "Tried at least once: `accepted` + `refused` + `waiting`.",
    example: 480,
  }),
  accepted: z.int().openapi({ description: "Taken, and no refusal came back.", example: 452 }),
  refused: z.int().openapi({
    description: "Refused for good at hand-over or by a report, or put off until given up.",
  }),
  refused_by_policy: z.int().openapi({
    description: "Of these, for what is the sender's: reputation, content, authentication, rate.",
  }),
  waiting: z.int().openapi({ description: "Put off, and tried again later." }),
  waiting_by_policy: z.int(),
  deferred: z.int().openapi({
    description: "At least once told to come again, whatever came of it later.",
    example: 31,
  }),
  complained: z.int(),
  last_at: instant,
});

const Placement = z.object({
  mails: z.int(),
  inbox: z.int(),
  spam: z.int(),
  other: z.int(),
  missing: z.int(),
  categories: z.array(
    z.object({ category: z.string().openapi({ example: "promotions" }), mails: z.int() }),
  ),
  last_at: instant,
});

const Rate = z.object({
  per_hour: z.int().openapi({ description: "Messages an hour at most, now.", example: 12 }),
  next_at: instant.openapi({ description: "No message begins before." }),
  full_at: instant.openapi({ description: "When it ends, if the operator takes what comes." }),
  since: instant,
  reason: z.string().openapi({ example: "421 4.7.28 unusual rate of mail" }),
});

const Body = z
  .object({
    domain: z.string(),
    since: instant,
    until: instant,
    counted_since: instant.nullable().openapi({
      description: "Of the oldest message that is counted; null for none.",
    }),
    messages: z.int().openapi({ description: "Of all operators together." }),
    more: z.int().openapi({ description: "Operators beyond those told here." }),
    operators: z.array(
      z.object({
        operator: z.string().openapi({
          description:
            "`google`, `microsoft365`, `outlook`, `yahoo` and the like, else the domain of the mail hosts.",
          example: "microsoft365",
        }),
        ledger: Ledger.nullable().openapi({
          description: "From the ledger of campaigns; null where only placement tests went.",
        }),
        replies: z
          .array(
            z.object({
              reply: z.string().openapi({
                example: "451 4.7.650 The mail server has been temporarily rate limited",
              }),
              category: z.enum(REFUSAL_CATEGORIES).openapi({ example: "rate_limited" }),
              is_policy: z.boolean(),
              messages: z.int(),
            }),
          )
          .openapi({
            description:
              "The receivers' own words on what is refused or waits, the three most frequent.",
          }),
        placement: Placement.nullable().openapi({
          description: "From placement tests; null where none went.",
        }),
        rate: Rate.nullable().openapi({
          description:
            "Where the operator put the domain off, or refused it, by policy: what it is written since. Halved with each such answer, and one an hour more for each ten minutes without. Null where it is written to freely.",
        }),
      }),
    ),
  })
  .openapi("DomainOperators");

function operatorBody({ operator, ledger, replies, placement, rate }: OperatorRow) {
  return {
    operator,
    ledger: ledger && ledgerBody(ledger),
    replies: replies.map((each) => snakeKeys(each)),
    placement: placement && {
      ...snakeKeys(placement),
      last_at: placement.lastAt.toISOString(),
    },
    rate: rate && {
      per_hour: rate.perHour,
      next_at: rate.nextAt.toISOString(),
      full_at: rate.fullAt.toISOString(),
      since: rate.since.toISOString(),
      reason: rate.reason,
    },
  };
}

function ledgerBody(ledger: NonNullable<OperatorRow["ledger"]>) {
  const { operator: _, allMessages: _m, allOperators: _o, since: _s, ...figures } = ledger;
  return {
    ...snakeKeys(figures),
    looked_up_at: ledger.lookedUpAt?.toISOString() ?? null,
    last_at: ledger.lastAt.toISOString(),
  };
}

export const domainOperatorRoutes: Mount[] = [
  operation({
    method: "get",
    path: "/api/v1/mailer/domains/{domain_id}/operators",
    id: "getDomainOperators",
    scope: "mailer:read",
    tag: "Mail domains",
    summary: "How receiving operators take a domain's mail: accepted, put off, refused, placed",
    description: `By who runs the recipients' mail hosts, as MX records show it; with the most messages first, ${MOST_OPERATORS} at most. Counted are the newest 20,000 messages of campaigns at most, and placement tests.`,
    params: z.object({ domain_id: uuid }),
    query: z.object({ days: z.coerce.number().int().min(1).max(90).default(30) }),
    response: Body,
    handler: async ({ deps, principal, params, query }) => {
      const read = await readOperators(deps, principal, params.domain_id, query.days);
      return {
        domain: read.domain,
        since: read.since.toISOString(),
        until: read.until.toISOString(),
        counted_since: read.countedSince?.toISOString() ?? null,
        messages: read.messages,
        more: read.more,
        operators: read.operators.map(operatorBody),
      };
    },
  }),
];
