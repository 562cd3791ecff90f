import { z } from "zod";
import { apiError, type Json } from "../google/api.ts";
import { type DomainFigures, figureOf } from "./figures.ts";

const GoogleDate = z.object({ year: z.int(), month: z.int(), day: z.int() });
/** https://developers.google.com/workspace/gmail/postmaster/reference/rest/v2/domains.domainStats/query */
const Query = z.strictObject({
  metricDefinitions: z
    .array(
      z.strictObject({
        name: z.string().min(1),
        baseMetric: z.strictObject({ standardMetric: z.string() }),
        filter: z.string().optional(),
      }),
    )
    .min(1),
  timeQuery: z.strictObject({
    dateRanges: z.strictObject({
      dateRanges: z.array(z.strictObject({ start: GoogleDate, end: GoogleDate })).min(1),
    }),
  }),
  pageSize: z.int().min(1).max(200).default(10),
  pageToken: z.string().optional(),
  aggregationGranularity: z.literal("DAILY").default("DAILY"),
});

const text = ({ year, month, day }: z.output<typeof GoogleDate>): string =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);

/** `error_type = "reject" AND error_reason = "other"` */
function readFilter(filter = ""): Record<string, string> | null {
  if (filter === "") return {};
  const parts = filter.split(" AND ").map((part) => /^(\w+) = "([a-z_]+)"$/.exec(part));
  return parts.some((part) => part === null)
    ? null
    : Object.fromEntries(parts.map((part) => [part![1]!, part![2]!]));
}

/** Answers domains.domainStats.query: figures of the days that there are, in pages. */
export function answerQuery(domain: string, figures: DomainFigures, body: unknown): Json {
  const { success, data, error } = Query.safeParse(body);
  if (!success) return apiError(400, "INVALID_ARGUMENT", error.message.slice(0, 300));
  const filters = data.metricDefinitions.map(({ filter }) => readFilter(filter));
  if (filters.includes(null)) return apiError(400, "INVALID_ARGUMENT", "Invalid filter.");
  const ranges = data.timeQuery.dateRanges.dateRanges.map(({ start, end }) => [
    text(start),
    text(end),
  ]);
  const days = [...figures.days]
    .filter(([day]) => ranges.some(([start, end]) => start! <= day && day <= end!))
    .toSorted(([a], [b]) => a.localeCompare(b));
  const stats = days.flatMap(([day, of]) =>
    data.metricDefinitions.flatMap(({ name, baseMetric }, index) => {
      const value = figureOf(of, baseMetric.standardMetric, filters[index]!);
      const [year, month, date] = day.split("-").map(Number);
      return value === undefined
        ? []
        : [
            {
              name: `domains/${domain}/domainStats/${Buffer.from(`${day}/${name}`).toString("base64url")}`,
              metric: name,
              date: { year, month, day: date },
              value: { doubleValue: value },
            },
          ];
    }),
  );
  const from = Number(data.pageToken ?? 0);
  const until = from + data.pageSize;
  return {
    status: 200,
    body: {
      domainStats: stats.slice(from, until),
      ...(until < stats.length ? { nextPageToken: String(until) } : {}),
    },
  };
}

const REQUIREMENTS = [
  "SPF",
  "DKIM",
  "DMARC_POLICY",
  "DMARC_ALIGNMENT",
  "MESSAGE_FORMATTING",
  "DNS_RECORDS",
  "ENCRYPTION",
  "USER_REPORTED_SPAM_RATE",
];

/** Answers domains.getComplianceStatus. */
export function answerCompliance(domain: string, { needsWork }: DomainFigures): Json {
  const statusOf = (requirement: string) => ({
    status: Object.hasOwn(needsWork, requirement) ? "NEEDS_WORK" : "COMPLIANT",
  });
  const verdict = (requirement: string) => ({
    status: statusOf(requirement),
    ...(needsWork[requirement] == null ? {} : { reason: needsWork[requirement] }),
  });
  return {
    status: 200,
    body: {
      name: `domains/${domain}/complianceStatus`,
      complianceData: {
        domainId: domain,
        rowData: REQUIREMENTS.map((requirement) => ({
          requirement,
          status: statusOf(requirement),
        })),
        oneClickUnsubscribeVerdict: verdict("ONE_CLICK_UNSUBSCRIBE"),
        honorUnsubscribeVerdict: verdict("HONOR_UNSUBSCRIBE"),
      },
    },
  };
}
