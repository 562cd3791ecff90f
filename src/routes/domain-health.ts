import * as z from "zod";
import { readHealth } from "#src/domain/senders/health/read-health.ts";
import { ASKERS, RULE_STATUSES, RULES } from "#src/domain/senders/health/row.ts";
import { instant, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";

const Rule = z
  .object({
    rule: z.enum(RULES),
    asked_by: z
      .array(z.enum(ASKERS))
      .openapi({ description: "Whose requirements of bulk senders have it; empty for nobody's." }),
    status: z.enum(RULE_STATUSES).openapi({
      description: "`unknown`: nothing that is known here shows it; `what_to_do` would.",
    }),
    evidence: z.string().openapi({
      example: "2 complaints on 1800 messages (0.11 %): Google wants less than 0.1 %.",
    }),
    figures: z.array(
      z.object({
        name: z.string().openapi({ example: "complaint_percent" }),
        value: z.number().openapi({ example: 0.11 }),
        limit: z.number().nullable().openapi({
          description: "What the value is held against; null for one that is only told.",
          example: 0.1,
        }),
      }),
    ),
    period: z.object({ since: instant, until: instant }).nullable().openapi({
      description:
        "What they are about; one instant where something was looked at, null before the first look.",
    }),
    what_to_do: z.string().nullable().openapi({
      description: "What mends it, or makes it known; null where nothing is to be done.",
      example: "Write to fewer people, and to those whom it concerns.",
    }),
  })
  .openapi("DomainRule");

const Body = z
  .object({
    domain: z.string(),
    checked_at: instant.nullable().openapi({ description: "When DNS was last asked." }),
    judged_at: instant,
    rules: z.array(Rule),
  })
  .openapi("DomainHealth");

export const domainHealthRoutes: Mount[] = [
  operation({
    method: "get",
    path: "/api/v1/mailer/domains/{domain_id}/health",
    id: "getDomainHealth",
    scope: "mailer:read",
    tag: "Mail domains",
    summary:
      "Whether a domain's mail keeps the rules of Google, Yahoo and Microsoft for bulk senders",
    description:
      "Each rule once, with its evidence, the figures and period that it comes from, and what to do. DNS is not asked here: the domain's verify does, and a check each day. Rates are over 30 days and the newest 20,000 messages of campaigns at most.",
    params: z.object({ domain_id: uuid }),
    response: Body,
    handler: async ({ deps, principal, params }) => {
      const health = await readHealth(deps, principal, params.domain_id);
      return {
        domain: health.domain,
        checked_at: health.checkedAt?.toISOString() ?? null,
        judged_at: health.judgedAt.toISOString(),
        rules: health.rules.map(({ rule, askedBy, period, whatToDo, ...each }) => ({
          ...{ rule, asked_by: [...askedBy], status: each.status, evidence: each.evidence },
          figures: each.figures,
          period: period && {
            since: period.since.toISOString(),
            until: period.until.toISOString(),
          },
          what_to_do: whatToDo,
        })),
      };
    },
  }),
];
