import * as z from "zod";
import { changeDomain } from "#src/domain/senders/domain-limit.ts";
import { readSendingDomain } from "#src/domain/senders/domain-name.ts";
import {
  createDomain,
  type MailDomain,
  readDomains,
  removeDomain,
  requireDomain,
} from "#src/domain/senders/domains.ts";
import { verifyDomain } from "#src/domain/senders/domain-verify.ts";
import { adviceOn } from "#src/domain/senders/record-advice.ts";
import { snakeKeys } from "#src/http/case.ts";
import { Deleted, done, instant, ownedFields, uuid } from "#src/http/fields.ts";
import { versionOf } from "#src/http/version.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { revised } from "#src/http/revisions.ts";

const Create = z
  .object({
    domain: z
      .string()
      .min(1)
      .max(253)
      .transform((value, context) => {
        const read = readSendingDomain(value);
        if (read.ok) return read.domain;
        context.addIssue(read.reason);
        return z.NEVER;
      })
      .openapi({ type: "string", example: "example.com" }),
  })
  .openapi("MailDomainCreate");

export const DomainRecord = z
  .object({
    purpose: z.enum(["ownership", "spf", "dkim", "dmarc", "mx", "return_path", "tracking"]),
    type: z.enum(["TXT", "MX", "CNAME"]),
    host: z.string(),
    expected: z.string(),
    found: z.array(z.string()),
    status: z.enum(["ok", "missing", "mismatch", "multiple", "unknown"]),
    required: z.boolean(),
  })
  .openapi("DomainRecord");

const AdvisedRecord = DomainRecord.extend({
  host_in_zone: z.string().openapi({
    description: "The name as DNS pages want it, without the zone; `@` for the zone itself.",
    example: "_dmarc",
  }),
  why: z.string().nullable().openapi({
    description: "What is wrong, and what it costs; null where nothing is.",
    example:
      "_dmarc.example.com has no such record. Without it large receivers refuse mail that is sent to many.",
  }),
  fix: z.string().nullable().openapi({
    description: "What to do about it.",
    example:
      "In the zone example.com, add a TXT record named _dmarc with the value v=DMARC1; p=none",
  }),
}).openapi("AdvisedDomainRecord");

const advised = (records: MailDomain["records"], domain: string): z.input<typeof AdvisedRecord>[] =>
  records.map((record) => {
    const { hostInZone, why, fix } = adviceOn(record, domain);
    return { ...record, host_in_zone: hostInZone, why, fix };
  });

const Body = z
  .object({
    ...ownedFields,
    domain: z.string(),
    status: z.enum(["pending", "verified", "failing", "unknown"]),
    dkim_selector: z.string(),
    dkim_public_key: z.string(),
    records: z
      .array(AdvisedRecord)
      .openapi({ description: "What to publish in DNS; the domain's verify looks for it." }),
    checked_at: instant.nullable(),
    failing_since: instant.nullable(),
    daily_limit: z.int().nullable().openapi({
      description:
        "How many messages all mail aliases of the domain together may send on a date of the workspace's time zone; null for no limit.",
    }),
  })
  .openapi("MailDomain");

const Change = z
  .object({
    daily_limit: z.int().min(1).max(1_000_000).nullable().optional().openapi({ example: 200 }),
  })
  .openapi("MailDomainChange");

const Verification = z
  .object({
    domain_id: uuid,
    domain: z.string(),
    status: z.enum(["pending", "verified", "failing", "unknown"]).openapi({
      description:
        "What this check found. `unknown`: DNS did not answer; a domain that was verified stays so.",
    }),
    verified: z.boolean(),
    records: z.array(DomainRecord.or(AdvisedRecord)).openapi({
      description: "In version 2 with what is wrong and how it is mended.",
    }),
    checked_at: instant,
    failing_since: instant.nullable(),
  })
  .openapi("MailDomainVerification");

const PATH = "/api/v1/mailer/domains";
const ONE = "/api/v1/mailer/domains/{domain_id}";
const tag = "Mail domains";
const params = z.object({ domain_id: uuid });

/** The second key shows among the records. */
const toWire = ({
  records,
  ed25519Selector: _selector,
  ed25519PublicKey: _key,
  revision: _revision,
  ...domain
}: MailDomain) => ({
  ...snakeKeys(domain),
  records: advised(records, domain.domain),
});

const asRevised = (domain: MailDomain) => revised(domain.revision, toWire(domain));

export const mailDomainRoutes: Mount[] = [
  operation({
    method: "get",
    path: PATH,
    id: "listMailDomains",
    scope: "mailer:read",
    tag,
    summary: "List mail domains",
    list: { by: "id" },
    response: z.array(Body),
    handler: async ({ deps, principal, part }) =>
      (await readDomains(deps, principal, part)).map(toWire),
  }),
  operation({
    method: "post",
    path: PATH,
    id: "createMailDomain",
    scope: "mailer:write",
    tag,
    summary: "Add a domain to send from, with a DKIM key of its own",
    claims: "effect",
    body: Create,
    status: 201,
    response: Body,
    errors: [409],
    handler: async ({ deps, principal, body }) =>
      toWire(await createDomain(deps, principal, body.domain)),
  }),
  operation({
    method: "get",
    path: ONE,
    id: "getMailDomain",
    record: "mail_domains",
    scope: "mailer:read",
    tag,
    summary: "Get a mail domain and the records to publish for it",
    params,
    response: Body,
    handler: async ({ deps, principal, params }) =>
      asRevised(await requireDomain(deps, principal, params.domain_id)),
  }),
  operation({
    method: "patch",
    path: ONE,
    id: "updateMailDomain",
    record: "mail_domains",
    scope: "mailer:write",
    tag,
    summary: "Limit how much all aliases of a domain send in a day",
    claims: "effect",
    params,
    body: Change,
    response: Body,
    errors: [409],
    handler: async ({ deps, principal, params, body }) =>
      asRevised(
        await changeDomain(deps, principal, params.domain_id, { dailyLimit: body.daily_limit }),
      ),
  }),
  operation({
    method: "post",
    path: `${ONE}/verify`,
    id: "verifyMailDomain",
    scope: "mailer:write",
    tag,
    summary: "Look for the domain's records in DNS",
    envelope: "legacy",
    claims: "effect",
    params,
    response: Verification,
    handler: async ({ deps, principal, params, c }) => {
      const { domain, status, checkedAt, failingSince } = await verifyDomain(
        deps,
        principal,
        params.domain_id,
      );
      return {
        domain_id: domain.id,
        domain: domain.domain,
        status,
        verified: status === "verified",
        records: versionOf(c) === 2 ? advised(domain.records, domain.domain) : domain.records,
        checked_at: checkedAt.toISOString(),
        failing_since: failingSince?.toISOString() ?? null,
      };
    },
  }),
  operation({
    method: "delete",
    path: ONE,
    id: "deleteMailDomain",
    record: "mail_domains",
    scope: "mailer:write",
    tag,
    summary: "Delete a domain that no mail alias uses",
    claims: "effect",
    params,
    response: Deleted,
    errors: [409],
    handler: ({ deps, principal, params }) => done(removeDomain(deps, principal, params.domain_id)),
  }),
];
