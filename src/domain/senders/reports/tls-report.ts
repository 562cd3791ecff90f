import * as z from "zod";
import { type PackedReport, ReportRefused } from "./unpack.ts";

/** What a sender of mail saw of TLS to a domain's mail hosts in one day (RFC 8460 section 4.4). */
export interface TlsReport {
  reporter: string;
  reportId: string;
  begin: Date;
  end: Date;
  policies: readonly TlsPolicy[];
}

export interface TlsPolicy {
  domain: string;
  /** `sts`, `tlsa` or `no-policy-found`. */
  type: string;
  successful: number;
  failed: number;
  /** Failed sessions by result type (section 4.3), such as `certificate-expired`. */
  failures: Record<string, number>;
}

const word = z.string().trim().min(1).max(400);
const count = z.coerce.number().int().min(0).max(1e12);
const instant = z.coerce.date();
const Detail = z.object({ "result-type": word, "failed-session-count": count.default(0) });
const Report = z.object({
  "organization-name": word,
  "report-id": word,
  "date-range": z.object({ "start-datetime": instant, "end-datetime": instant }),
  policies: z
    .array(
      z.object({
        policy: z.object({ "policy-type": word, "policy-domain": word }),
        summary: z.object({
          "total-successful-session-count": count,
          "total-failure-session-count": count,
        }),
        "failure-details": z.array(Detail).max(10_000).default([]),
      }),
    )
    .max(100),
});

/** The largest seen has 2 kB; nested brackets take 60 ms and 50 MB a MiB. */
const MAX_JSON = 512 * 1024;

/** Throws ReportRefused. */
export function readTlsReport({ text }: Pick<PackedReport, "text">): TlsReport {
  let whole = "";
  for (const piece of text()) {
    whole += piece;
    if (whole.length > MAX_JSON) throw new ReportRefused("too_large");
  }
  const read = Report.safeParse(parsed(whole));
  if (!read.success) throw new ReportRefused("incomplete");
  const { policies, ...report } = read.data;
  return {
    reporter: report["organization-name"].slice(0, 200),
    reportId: report["report-id"],
    begin: report["date-range"]["start-datetime"],
    end: report["date-range"]["end-datetime"],
    policies: policies.map(({ policy, summary, "failure-details": details }) => ({
      domain: policy["policy-domain"].toLowerCase().replace(/\.$/, ""),
      type: policy["policy-type"].toLowerCase(),
      successful: summary["total-successful-session-count"],
      failed: summary["total-failure-session-count"],
      failures: sumsOf(details),
    })),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new ReportRefused("unreadable");
  }
}

/** RFC 8460 section 4.3. Anybody can send a report, and what fails is told by mail: a stranger's word is no type. */
const RESULT_TYPES = new Set([
  ...["starttls-not-supported", "certificate-host-mismatch", "certificate-not-trusted"],
  ...["certificate-expired", "validation-failure", "tlsa-invalid", "dnssec-invalid"],
  ...["dane-required", "sts-policy-fetch-error", "sts-policy-invalid", "sts-webpki-invalid"],
]);

export const resultType = (word: string): string =>
  RESULT_TYPES.has(word.toLowerCase()) ? word.toLowerCase() : "other";

function sumsOf(details: z.infer<typeof Detail>[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const detail of details) {
    const type = resultType(detail["result-type"]);
    sums.set(type, (sums.get(type) ?? 0) + detail["failed-session-count"]);
  }
  return Object.fromEntries(sums);
}
