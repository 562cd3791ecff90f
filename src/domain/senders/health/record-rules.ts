import type { DomainRecord, RecordPurpose } from "../domain-records.ts";
import { adviceOn } from "../record-advice.ts";
import { atOnce, type HealthRow, quoted, row, type Rule, type RuleStatus } from "./row.ts";

interface Seen {
  domain: string;
  records: readonly DomainRecord[];
  checkedAt: Date | null;
}

const RECORD_RULES: readonly string[] = ["spf", "dkim", "dmarc", "from_alignment"];

/** Whether a rule is about the records without which the domain is not verified. */
export const isRecordRule = (rule: string): boolean => RECORD_RULES.includes(rule);

/** The rules that DNS records show, by the last check of the domain: the required record of each purpose. */
export function recordRules(seen: Seen): HealthRow[] {
  return [recordRule("spf", seen), recordRule("dkim", seen), dmarcRule(seen), fromRule(seen)];
}

const requiredOf = ({ records }: Seen, purpose: RecordPurpose): DomainRecord =>
  records.find((record) => record.purpose === purpose && record.required)!;

const STATUS: Record<DomainRecord["status"], RuleStatus> = {
  ...{ ok: "ok", unknown: "unknown", missing: "failing", mismatch: "failing", multiple: "failing" },
};

function recordRule(rule: Rule & RecordPurpose, seen: Seen): HealthRow {
  return told(rule, requiredOf(seen, rule), seen);
}

function told(rule: Rule, record: DomainRecord, { domain, checkedAt }: Seen): HealthRow {
  const { why, fix } = adviceOn(record, domain);
  const found = record.found[0];
  const has = found === undefined ? "" : `${record.host} has ${quoted(found)}`;
  const evidence = why === null ? has : why + (has === "" ? "" : ` ${has}`);
  return row(rule, STATUS[record.status], evidence, {
    period: atOnce(checkedAt),
    whatToDo: fix,
  });
}

/** What was found beside the records: that some sender is not aligned. */
const alignmentRemark = ({ status, found }: DomainRecord): string | undefined =>
  status === "mismatch"
    ? found.find((text) => /^\(.* is not aligned with .*\)$/.test(text))
    : undefined;

/** A policy that is there is there, also where a sender is not aligned with the domain. */
function dmarcRule(seen: Seen): HealthRow {
  const record = requiredOf(seen, "dmarc");
  const isThere = alignmentRemark(record) !== undefined || isUnanswered(record);
  return told("dmarc", isThere ? { ...record, status: "ok" } : record, seen);
}

/** The domain's own policy was found, and DNS did not say that of a sender's host. */
const isUnanswered = ({ status, found }: DomainRecord): boolean =>
  status === "unknown" && found.length > 0;

function fromRule(seen: Seen): HealthRow {
  const record = requiredOf(seen, "dmarc");
  const period = atOnce(seen.checkedAt);
  const remark = alignmentRemark(record);
  if (remark !== undefined)
    return row("from_alignment", "failing", `${quoted(remark.slice(1, -1))}.`, {
      period,
      whatToDo: adviceOn(record, seen.domain).fix,
    });
  if (record.status === "ok")
    return row(
      "from_alignment",
      "ok",
      `What is signed for ${seen.domain} speaks for the From addresses of all its aliases.`,
      { period },
    );
  return row(
    "from_alignment",
    "unknown",
    "It is known once there is one DMARC record, and DNS answers for the host of each alias.",
    { period, whatToDo: "See that the rule dmarc is kept, then let the domain be verified again." },
  );
}
