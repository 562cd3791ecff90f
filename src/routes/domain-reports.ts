import * as z from "zod";
import { readDomainReports } from "#src/domain/senders/reports/read-reports.ts";
import { snakeKeys } from "#src/http/case.ts";
import { instant, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";

const date = z.string().openapi({ format: "date", example: "2027-01-04" });
const counts = {
  messages: z.int().openapi({ example: 1200 }),
  ours: z.int().openapi({
    description: "Signed with a key that the domain's records have: what this service sent.",
  }),
  aligned: z.int().openapi({ description: "Passed DMARC, by DKIM or by SPF." }),
  aligned_dkim: z.int().openapi({ description: "By DKIM, which survives forwarding." }),
  aligned_spf: z.int(),
  quarantined: z.int(),
  rejected: z.int(),
  forwarded: z.int().openapi({
    description:
      "Did not pass, and the receiver knows it for forwarded mail, a list's or its own exception.",
  }),
};

const Body = z
  .object({
    domain: z.string(),
    since: date,
    reports_to: z.string().nullable().openapi({
      description:
        "The address that the `rua` of the domain's DMARC record has to name; null where this deployment takes no reports.",
      example: "dmarc@reports.overture.example",
    }),
    last_report_at: instant.nullable(),
    policy: z
      .object({
        domain: z.string(),
        p: z.string().nullable().openapi({ example: "quarantine" }),
        sp: z.string().nullable().openapi({ example: "none" }),
        pct: z.int().nullable(),
        testing: z.boolean(),
      })
      .nullable()
      .openapi({ description: "As the newest report found it published." }),
    days: z.array(z.object({ day: date, ...counts })).openapi({
      description: "By the UTC date at which a report's time begins; days without one are absent.",
    }),
    sources: z
      .array(
        z.object({
          name: z.string().nullable().openapi({
            description:
              "The domain that the sender signed or sent for besides yours; null when it vouched for no other.",
            example: "mailer.example",
          }),
          is_ours: z.boolean(),
          share: z.number().openapi({ description: "Of all messages, 0 to 1.", example: 0.12 }),
          addresses: z.int().openapi({ description: "IP addresses that it sent from." }),
          some_addresses: z
            .array(z.string().openapi({ example: "192.0.2.7" }))
            .openapi({ description: "Five of them at most." }),
          first_day: date,
          last_day: date,
          ...counts,
        }),
      )
      .openapi({ description: "Who sent in the domain's name, the largest first; 100 at most." }),
    reporters: z
      .array(z.object({ reporter: z.string().openapi({ example: "google.com" }), ...counts }))
      .openapi({ description: "By the name that each gives itself; 100 at most." }),
    tls: z
      .array(
        z.object({
          policy_type: z.string().openapi({ example: "sts" }),
          result: z.string().openapi({ example: "successful" }),
          sessions: z.int(),
        }),
      )
      .openapi({
        description:
          "What others saw of TLS to the domain's own mail hosts (RFC 8460): `successful`, or the type of the failure.",
      }),
    next_step: z
      .object({
        policy: z.enum(["quarantine", "reject"]).nullable(),
        safe: z.boolean().nullable().openapi({ description: "Null when too little is known." }),
        why: z.string().openapi({ example: "99.8 % of 4210 messages pass." }),
        fix: z.string().nullable().openapi({
          description: "What to do about it.",
          example: "Change p=none to p=quarantine in the record at _dmarc.example.com.",
        }),
      })
      .openapi({ description: "Towards `p=reject`, by the last 30 days at least." }),
  })
  .openapi("DomainReports");

export const domainReportRoutes: Mount[] = [
  operation({
    method: "get",
    path: "/api/v1/mailer/domains/{domain_id}/dmarc",
    id: "getDomainReports",
    scope: "mailer:read",
    tag: "Mail domains",
    summary:
      "What receivers report of a domain: who sends in its name, what passes, what to do next",
    description:
      "Sums of the DMARC and TLS reports that came, kept for 400 days. A report is its sender's word: nothing is sent or stopped because of one.",
    params: z.object({ domain_id: uuid }),
    query: z.object({ days: z.coerce.number().int().min(1).max(400).default(30) }),
    response: Body,
    handler: async ({ deps, principal, params, query }) => {
      const read = await readDomainReports(deps, principal, params.domain_id, query.days);
      const { policy, sources, days, reporters, tls, nextStep, lastReportAt, ...rest } = read;
      return {
        ...snakeKeys(rest),
        last_report_at: lastReportAt?.toISOString() ?? null,
        policy: policy && {
          ...{ domain: policy.domain, p: policy.p, sp: policy.sp },
          ...{ pct: policy.pct, testing: policy.testing },
        },
        days: days.map((day) => snakeKeys(day)),
        sources: sources.map(({ operator, ...source }) => ({
          name: operator === "" ? null : operator,
          ...snakeKeys(source),
        })),
        reporters: reporters.map((each) => snakeKeys(each)),
        tls: tls.map(({ reporters: _, ...each }) => snakeKeys(each)),
        next_step: nextStep,
      };
    },
  }),
];
