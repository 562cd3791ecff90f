import { Parser } from "htmlparser2";
import { registrable } from "#src/mime/registrable.ts";
import { type PackedReport, ReportRefused } from "./unpack.ts";

export interface Authentication {
  domain: string;
  /** Of DKIM; null where the reporter does not say. */
  selector: string | null;
  result: string;
}

/** What a reporter saw from one address in one way (RFC 9990 section 3.1.1, RFC 7489 appendix C). */
export interface ReportedSource {
  sourceIp: string;
  messages: number;
  /** What the receiver did: `none`, `pass`, `quarantine` or `reject`, in lower case. */
  disposition: string;
  /** Whether DKIM, and SPF, passed for an aligned domain. */
  dkim: boolean;
  spf: boolean;
  /** Why the receiver did not follow the policy: `forwarded`, `mailing_list`, ... */
  overrides: readonly string[];
  headerFrom: string;
  dkimResults: readonly Authentication[];
  spfResults: readonly Authentication[];
}

/** The policy that the reporter found published; what it does not say is null. */
export interface PublishedPolicy {
  domain: string;
  p: string | null;
  sp: string | null;
  np: string | null;
  adkim: string | null;
  aspf: string | null;
  /** RFC 7489; RFC 9989 has `testing` instead. */
  pct: number | null;
  testing: boolean;
}

export interface AggregateReport {
  reporter: string;
  reportId: string;
  begin: Date;
  end: Date;
  policy: PublishedPolicy;
  sources: readonly ReportedSource[];
}

/** The largest report seen has 1,000 records. */
const MAX_RECORDS = 20_000;
const MAX_RESULTS = 20;
const MAX_TEXT = 1_000;
/** An honest report is six deep. */
const MAX_DEPTH = 32;

/** Elements of a report as one flat record: what stands in `row/source_ip` is `source_ip`, whatever prefix it has. */
type Fields = Map<string, string>;
interface RecordFields extends Record<"dkim" | "spf", Fields[]> {
  fields: Fields;
  overrides: string[];
}

/**
 * Reads a DMARC aggregate report as RFC 9990 and RFC 7489 write it and as reporters do: any prefix and namespace,
 * words in any case, blanks around, elements left out or empty. In one pass, in time linear in its length.
 * Throws ReportRefused when it has no reporter, id, domain or time, or does not end.
 */
export function readAggregateReport({ text }: Pick<PackedReport, "text">): AggregateReport {
  const metadata: Fields = new Map();
  const policy: Fields = new Map();
  const sources: ReportedSource[] = [];
  const path: string[] = [];
  let record: RecordFields | null = null;
  let result: Fields = new Map();
  let words = "";
  let isWhole = false;

  const parser = new Parser(
    {
      onopentagname(name) {
        if (path.length === MAX_DEPTH) throw new ReportRefused("unreadable");
        path.push(name.replace(/^.*:/, "").toLowerCase());
        words = "";
        if (path.at(-1) === "record" && path.length === 2)
          record = { fields: new Map(), dkim: [], spf: [], overrides: [] };
        if (path.at(-2) === "auth_results") result = new Map();
      },
      ontext(piece) {
        if (words.length < MAX_TEXT) words += piece;
      },
      onclosetag(_name, isImplied) {
        const name = path.pop()!;
        const said = words.slice(0, MAX_TEXT).trim();
        words = "";
        if (path.length === 0) isWhole ||= name === "feedback" && !isImplied;
        else if (record === null) noteOutside(name, said);
        else noteInside(record, name, said);
      },
    },
    { xmlMode: true },
  );

  function noteOutside(name: string, said: string): void {
    const [root, group] = path;
    if (root !== "feedback" || said === "") return;
    if (group === "report_metadata") metadata.set(name, metadata.get(name) ?? said);
    if (group === "policy_published") policy.set(name, policy.get(name) ?? said);
  }

  function noteInside(into: RecordFields, name: string, said: string): void {
    const parent = path.at(-1);
    if (parent === "dkim" || parent === "spf") result.set(name, result.get(name) ?? said);
    else if (parent === "auth_results" && (name === "dkim" || name === "spf")) {
      if (into[name].length < MAX_RESULTS) into[name].push(result);
    } else if (parent === "reason" && name === "type") into.overrides.push(said.toLowerCase());
    else if (parent === "feedback" && name === "record") {
      record = null;
      const source = sourceOf(into);
      if (source !== null && sources.push(source) > MAX_RECORDS)
        throw new ReportRefused("too_large");
    } else if (said !== "") into.fields.set(name, into.fields.get(name) ?? said);
  }

  for (const piece of text()) parser.write(piece);
  parser.end();
  if (!isWhole) throw new ReportRefused("unreadable");
  return { ...headOf(metadata), policy: policyOf(policy), sources };
}

function headOf(
  metadata: Fields,
): Pick<AggregateReport, "reporter" | "reportId" | "begin" | "end"> {
  const email = metadata.get("email") ?? "";
  const reporter = metadata.get("org_name") ?? email.slice(email.lastIndexOf("@") + 1);
  const reportId = metadata.get("report_id") ?? "";
  const begin = instantOf(metadata.get("begin"));
  const end = instantOf(metadata.get("end"));
  if (reporter === "" || reportId === "" || begin === null || end === null)
    throw new ReportRefused("incomplete");
  return { reporter: reporter.slice(0, 200), reportId: reportId.slice(0, 400), begin, end };
}

/** Seconds since 1970, by some reporters milliseconds or a date in words. */
function instantOf(said: string | undefined): Date | null {
  if (said === undefined) return null;
  const number = Number(said);
  const date = new Date(
    Number.isFinite(number) ? (number > 1e11 ? number : number * 1000) : Date.parse(said),
  );
  return Number.isNaN(date.getTime()) ? null : date;
}

function policyOf(policy: Fields): PublishedPolicy {
  const said = (name: string) => policy.get(name)?.toLowerCase() ?? null;
  const domain = domainOf(policy.get("domain"));
  if (domain === "") throw new ReportRefused("incomplete");
  const pct = Number.parseInt(policy.get("pct") ?? "", 10);
  return {
    domain,
    ...{ p: said("p"), sp: said("sp"), np: said("np"), adkim: said("adkim"), aspf: said("aspf") },
    pct: pct >= 0 && pct <= 100 ? pct : null,
    testing: said("testing") === "y",
  };
}

/** Null for a record that says nothing: without an address, or of no message. */
function sourceOf({ fields, dkim, spf, overrides }: RecordFields): ReportedSource | null {
  const sourceIp = (fields.get("source_ip") ?? "").toLowerCase();
  const messages = Number.parseInt(fields.get("count") ?? "", 10);
  if (!/^[0-9a-f.:]{2,45}$/.test(sourceIp) || !(messages > 0 && messages < 1e9)) return null;
  const said = (name: string) => fields.get(name)?.toLowerCase() ?? "";
  return {
    sourceIp,
    messages,
    disposition: said("disposition") || "none",
    dkim: said("dkim") === "pass",
    spf: said("spf") === "pass",
    overrides: overrides.slice(0, MAX_RESULTS),
    headerFrom: domainOf(fields.get("header_from")),
    dkimResults: dkim.map(authenticationOf),
    spfResults: spf.map(authenticationOf),
  };
}

const authenticationOf = (fields: Fields): Authentication => ({
  domain: domainOf(fields.get("domain")),
  selector: fields.get("selector")?.toLowerCase() ?? null,
  result: fields.get("result")?.toLowerCase() ?? "",
});

/** In lower case, without the dot of the root, of an address its domain. */
const domainOf = (said = ""): string =>
  said
    .slice(said.lastIndexOf("@") + 1)
    .toLowerCase()
    .replace(/\.$/, "")
    .slice(0, 253);

/**
 * Whose server it is, as far as the report tells: the domain that it signed or sent for besides the domain of From,
 * one that passed before one that failed. Null when it vouched for no other domain.
 */
export function operatorOf({ dkimResults, spfResults, headerFrom }: ReportedSource): string | null {
  const own = registrable(headerFrom);
  const others = [...dkimResults, ...spfResults].filter(
    ({ domain }) => domain.includes(".") && registrable(domain) !== own,
  );
  const named = others.find(({ result }) => result === "pass") ?? null;
  return named && registrable(named.domain);
}
