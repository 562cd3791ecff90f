import * as z from "zod";
import { beginPlacementTest, TESTS_A_DAY } from "#src/domain/messages/placement/create.ts";
import {
  CATEGORIES,
  findPlacementTests,
  isOpen,
  KEPT_DAYS,
  PLACEMENT_STATUSES,
  PLACES,
  type PlacementMail,
  type ReadTest,
  removePlacementTest,
  requirePlacementTest,
  statusOf,
} from "#src/domain/messages/placement/read.ts";
import { Deleted, done, instant, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { IdCursorQuery, pageOf, toPage } from "#src/http/pagination.ts";
import { AUTH_RESULTS } from "#src/mime/authentication-results.ts";
import { Begin } from "./placement-test-input.ts";

const tag = "Placement tests";
const PATH = "/api/v1/mailer/placement-tests";
const ONE = "/api/v1/mailer/placement-tests/{placement_test_id}";
const params = z.object({ placement_test_id: uuid });

const Result = z.object({
  alias_id: uuid,
  from_email: z.string(),
  seed_alias_id: uuid,
  seed_email: z.string().openapi({ example: "seed@gmail.example" }),
  status: z.enum(PLACEMENT_STATUSES).openapi({
    description:
      "`missing`: not there 15 minutes after it was sent. `bounced`: a report came back that it was not delivered; `note` has its words. `unreadable`: the seed could not be looked into, which says nothing of the mail. `unknown`: whether it left is not known, and it was not seen.",
  }),
  place: z.enum(PLACES).nullable().openapi({
    description: "`other`: a folder that is neither the inbox nor one for spam.",
  }),
  category: z
    .enum(CATEGORIES)
    .nullable()
    .openapi({ description: "The tab of Gmail's inbox; null elsewhere." }),
  folder: z.string().nullable().openapi({ example: "Junk" }),
  sent_at: instant.nullable(),
  arrived_at: instant.nullable().openapi({
    description: "By the seed's server, no earlier than it was sent and no later than it was seen.",
  }),
  seconds: z.int().nullable().openapi({ description: "From the one to the other.", example: 4 }),
  copies: z.int().openapi({
    description: "How often it lay there; of several the first that came counts.",
    example: 1,
  }),
  authentication: z
    .object({
      by: z.string().nullable().openapi({
        description: "Who says so, if it names itself.",
        example: "mx.example.com",
      }),
      spf: z.enum(AUTH_RESULTS).nullable(),
      dkim: z.enum(AUTH_RESULTS).nullable(),
      dmarc: z.enum(AUTH_RESULTS).nullable(),
    })
    .nullable()
    .openapi({
      description:
        "What the receiver wrote into Authentication-Results (RFC 8601); null where it wrote none.",
    }),
  deleted: z.boolean().nullable().openapi({
    description:
      "Whether it was deleted from the seed, where that was asked; false where the server can delete only more than one message at once.",
  }),
  note: z.string().nullable().openapi({
    description: "Why, where it is not `found`.",
    example: "The mail alias has sent all that it may send today.",
  }),
});

const count = z.int().openapi({ example: 1 });
const Summary = {
  id: uuid,
  status: z.enum(["running", "done"]),
  subject: z.string(),
  campaign_id: uuid.nullable(),
  step: z.int().nullable(),
  delete_after: z.boolean(),
  created_at: instant,
  counts: z.object({
    inbox: count,
    spam: count,
    other: count,
    missing: count,
    bounced: count,
    unknown: count.openapi({ description: "`not_sent`, `unreadable` or `unknown`." }),
    open: count.openapi({ description: "Not answered yet." }),
  }),
};
const Listed = z.object(Summary).openapi("PlacementTest");
const Detail = z.object({ ...Summary, results: z.array(Result) }).openapi("PlacementTestDetail");

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

function summaryOf({ test, mails }: ReadTest): z.input<typeof Listed> {
  const open = mails.filter(isOpen).length;
  const at = (place: string) => mails.filter((mail) => mail.place === place).length;
  const ended = (state: string) => mails.filter((mail) => mail.state === state).length;
  const [inbox, spam, other] = [at("inbox"), at("spam"), at("other")];
  const [missing, bounced] = [ended("missing"), ended("bounced")];
  const unknown = mails.length - open - inbox - spam - other - missing - bounced;
  return {
    id: test.id,
    status: open > 0 ? "running" : "done",
    subject: test.subject,
    campaign_id: test.campaignId,
    step: test.step,
    delete_after: test.deleteAfter,
    created_at: test.createdAt.toISOString(),
    counts: { inbox, spam, other, missing, bounced, unknown, open },
  };
}

function resultOf(mail: PlacementMail): z.input<typeof Result> {
  const { authBy: by, spf, dkim, dmarc, sentAt, arrivedAt } = mail;
  const isAuthenticated = by !== null || spf !== null || dkim !== null || dmarc !== null;
  return {
    alias_id: mail.aliasId,
    from_email: mail.fromEmail,
    seed_alias_id: mail.seedAliasId,
    seed_email: mail.toEmail,
    status: statusOf(mail),
    place: mail.place,
    category: mail.category,
    folder: mail.folder,
    sent_at: iso(sentAt),
    arrived_at: iso(arrivedAt),
    seconds:
      sentAt === null || arrivedAt === null
        ? null
        : Math.round((arrivedAt.getTime() - sentAt.getTime()) / 1000),
    copies: mail.copies,
    authentication: isAuthenticated ? { by, spf, dkim, dmarc } : null,
    deleted: mail.removed,
    note: mail.note,
  };
}

const detailOf = (read: ReadTest): z.input<typeof Detail> => ({
  ...summaryOf(read),
  results: read.mails.map(resultOf),
});

export const placementTestRoutes: Mount[] = [
  operation({
    method: "post",
    path: PATH,
    id: "beginPlacementTest",
    scope: "mailer:send",
    tag,
    summary: "Send a message to mailboxes of your own, to see where they file it",
    description: `From each alias to each seed, which is looked into until the mail is there, for 15 minutes at most. A mail takes a place of its alias's day and counts nowhere else: in no campaign, as no open, in no conversation. ${TESTS_A_DAY} tests in 24 hours.`,
    limit: "preview",
    claims: "effect",
    body: Begin,
    status: 202,
    response: Detail,
    errors: [404, 409],
    handler: async ({ deps, principal, body }) => {
      const { id } = await beginPlacementTest(deps, principal, body);
      return detailOf(await requirePlacementTest(deps, principal, id));
    },
  }),
  operation({
    method: "get",
    path: PATH,
    id: "listPlacementTests",
    scope: "mailer:read",
    tag,
    summary: "List placement tests, newest first",
    description: `They are kept for ${KEPT_DAYS} days.`,
    query: IdCursorQuery,
    response: pageOf(Listed),
    handler: async ({ deps, principal, query: { cursor, limit } }) => {
      const rows = await findPlacementTests(deps, principal, { before: cursor, limit });
      return toPage(rows, limit, ({ test }) => test.id, summaryOf);
    },
  }),
  operation({
    method: "get",
    path: ONE,
    id: "getPlacementTest",
    scope: "mailer:read",
    tag,
    summary: "Get a placement test with what was seen of each mail",
    params,
    response: Detail,
    handler: async ({ deps, principal, params: { placement_test_id } }) =>
      detailOf(await requirePlacementTest(deps, principal, placement_test_id)),
  }),
  operation({
    method: "delete",
    path: ONE,
    id: "deletePlacementTest",
    scope: "mailer:send",
    tag,
    summary: "Delete a placement test; what has not left does not leave any more",
    description: "It goes on to count in the tests of its day.",
    claims: "effect",
    params,
    response: Deleted,
    handler: ({ deps, principal, params: { placement_test_id } }) =>
      done(removePlacementTest(deps, principal, placement_test_id)),
  }),
];
