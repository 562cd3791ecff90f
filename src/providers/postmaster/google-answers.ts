import * as z from "zod";
import type { Compliance, PostmasterDay } from "./index.ts";
import { METRICS } from "./google-metrics.ts";

const rate = z.number().min(0).max(1);
/** https://developers.google.com/workspace/gmail/postmaster/reference/rest/v2/QueryDomainStatsResponse */
const Stat = z.object({
  name: z.string().optional(),
  metric: z.string(),
  date: z.object({ year: z.int(), month: z.int(), day: z.int() }),
  value: z.union([
    z.object({ doubleValue: rate }).transform(({ doubleValue }) => doubleValue),
    z.object({ floatValue: rate }).transform(({ floatValue }) => floatValue),
  ]),
});
export const StatsPage = z.object({
  domainStats: z.array(z.unknown()).default([]),
  nextPageToken: z.string().max(4096).default(""),
});

/** A date that is none becomes another one, or nothing; both differ from what was written. */
function dayOf({ year, month, day }: z.output<typeof Stat>["date"]): string | null {
  const at = new Date(Date.UTC(year, month - 1, day));
  const isDate = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && year > 1970;
  return isDate ? at.toISOString().slice(0, 10) : null;
}

/**
 * The figures among what was answered, by day: shares from 0 to 1 of the domain, the days and the metrics that were
 * asked for. Whatever else is left out, since no figure can be made of it.
 */
export function daysOf(
  stats: readonly unknown[],
  domain: string,
  { since, until }: { since: string; until: string },
): PostmasterDay[] {
  const days = new Map<string, PostmasterDay>();
  for (const each of stats) {
    const { success, data } = Stat.safeParse(each);
    if (!success) continue;
    const day = dayOf(data.date);
    const metric = METRICS.find(({ name }) => name === data.metric);
    const isForeign =
      data.name !== undefined && !data.name.toLowerCase().startsWith(`domains/${domain}/`);
    if (metric === undefined || day === null || isForeign || day < since || day > until) continue;
    const of = days.get(day) ?? { day, errors: [] };
    days.set(day, of);
    if (metric.field !== undefined) of[metric.field] ??= data.value;
    else if (data.value > 0) addError(of, { ...metric.error, rate: data.value });
  }
  return [...days.values()].toSorted((a, b) => a.day.localeCompare(b.day));
}

function addError({ errors }: PostmasterDay, error: PostmasterDay["errors"][number]): void {
  const isKnown = errors.some(({ type, reason }) => type === error.type && reason === error.reason);
  if (!isKnown) errors.push(error);
}

const Status = z.object({ status: z.enum(["COMPLIANT", "NEEDS_WORK"]) });
const Requirement = z.object({
  requirement: z.enum([
    "SPF",
    "DKIM",
    "SPF_AND_DKIM",
    "DMARC_POLICY",
    "DMARC_ALIGNMENT",
    "MESSAGE_FORMATTING",
    "DNS_RECORDS",
    "ENCRYPTION",
    "USER_REPORTED_SPAM_RATE",
    "ONE_CLICK_UNSUBSCRIBE",
    "HONOR_UNSUBSCRIBE",
  ]),
  status: Status,
});
const Verdict = z.object({
  status: Status,
  reason: z
    .string()
    .regex(/^[A-Z_]{1,60}$/)
    .optional(),
});
const Data = z.object({
  domainId: z.string(),
  rowData: z.array(z.unknown()).max(100).default([]),
  oneClickUnsubscribeVerdict: z.unknown().optional(),
  honorUnsubscribeVerdict: z.unknown().optional(),
});
/** https://developers.google.com/workspace/gmail/postmaster/reference/rest/v2/domains/getComplianceStatus */
export const ComplianceStatus = z.object({
  complianceData: z.unknown().optional(),
  subdomainComplianceData: z.unknown().optional(),
});

/** Of the domain itself, or else of the registrable domain above it. */
export function complianceOf(
  { complianceData, subdomainComplianceData }: z.output<typeof ComplianceStatus>,
  domain: string,
): Compliance[] | null {
  const parts = [subdomainComplianceData, complianceData].flatMap(
    (each) => Data.safeParse(each).data ?? [],
  );
  const isAbove = (id: string) => domain === id || (id.includes(".") && domain.endsWith(`.${id}`));
  const data = parts.find(({ domainId }) => isAbove(domainId.toLowerCase()));
  if (data === undefined) return null;
  const rows = data.rowData.flatMap((each) => {
    const { data: row } = Requirement.safeParse(each);
    return row === undefined ? [] : [compliance(row.requirement, row.status)];
  });
  const verdicts = (
    [
      ["ONE_CLICK_UNSUBSCRIBE", data.oneClickUnsubscribeVerdict],
      ["HONOR_UNSUBSCRIBE", data.honorUnsubscribeVerdict],
    ] as const
  ).flatMap(([requirement, verdict]) => {
    const { data: said } = Verdict.safeParse(verdict);
    return said === undefined ? [] : [compliance(requirement, said.status, said.reason)];
  });
  const all = [...verdicts, ...rows];
  return all.filter(
    ({ requirement }, index) =>
      all.findIndex((other) => other.requirement === requirement) === index,
  );
}

const compliance = (
  requirement: string,
  { status }: z.output<typeof Status>,
  reason?: string,
): Compliance => ({
  requirement: requirement.toLowerCase(),
  status: status === "COMPLIANT" ? "compliant" : "needs_work",
  reason: reason === undefined || reason === "REASON_UNSPECIFIED" ? null : reason.toLowerCase(),
});
