import { storable } from "#src/platform/storable.ts";
import {
  type DomainRecord,
  keysOf,
  type RecordSettings,
  type RecordStatus,
  type SendingDomain,
  type WantedRecord,
  wantedRecords,
} from "../domain-records.ts";
import { judgeDkim } from "./dkim-record.ts";
import { findDmarc, isAligned } from "./dmarc.ts";
import { type Lookup, recordsOf, rememberLookups } from "./lookup.ts";
import { evaluateSpf } from "./spf.ts";
import { isSpf } from "./spf-terms.ts";

interface Seen {
  status: RecordStatus;
  found: string[];
}

interface Setting {
  lookup: Lookup;
  sending: SendingDomain;
  settings: RecordSettings;
  /** Hosts of the addresses that send in the domain's name: itself, and names below it. */
  senders: string[];
}

type Look = (wanted: WantedRecord, setting: Setting) => Promise<Seen>;

const UNKNOWN: Seen = { status: "unknown", found: [] };
/** Strangers' records are kept only so far. */
const MOST_FOUND = 10;
const LONGEST_FOUND = 1000;

/** Looks for each of the domain's records. Never throws: what DNS does not answer is `unknown`. */
export async function checkDomain(
  lookup: Lookup,
  sending: SendingDomain,
  settings: RecordSettings,
  senders: string[] = [],
): Promise<DomainRecord[]> {
  const setting = { lookup: rememberLookups(lookup), sending, settings, senders };
  return Promise.all(
    wantedRecords(sending, settings).map(async (wanted) => {
      const { status, found } = await LOOKS[wanted.purpose](wanted, setting);
      const shown = found
        .slice(0, MOST_FOUND)
        .map((text) => storable(text.slice(0, LONGEST_FOUND)));
      return { ...wanted, status, found: shown };
    }),
  );
}

/** Looks at the records of the wanted name and type, if DNS answers. */
const byRecords =
  (judge: (found: string[], wanted: WantedRecord, setting: Setting) => RecordStatus): Look =>
  async (wanted, setting) => {
    const found = recordsOf(await setting.lookup(wanted.host, wanted.type));
    return found === null ? UNKNOWN : { found, status: judge(found, wanted, setting) };
  };

const isExpected = (found: string[], { expected }: WantedRecord): RecordStatus =>
  found.length === 0 ? "missing" : found.includes(expected) ? "ok" : "mismatch";

/** The host in an MX record's data, `10 mx.example.zz.` */
const mailHostOf = (data: string): string =>
  data.trim().split(/\s+/).at(-1)!.replace(/\.$/, "").toLowerCase();

const LOOKS: Record<WantedRecord["purpose"], Look> = {
  /** Each workspace has a token of its own; other workspaces' tokens may stand beside it. */
  ownership: byRecords((found, wanted) =>
    isExpected(
      found.map((text) => text.trim()),
      wanted,
    ),
  ),
  dkim: byRecords((found, { host }, { sending }) => {
    const key = keysOf(sending).find((each) => each.host === host)!;
    return judgeDkim(found, key.kind, key.publicKey);
  }),
  spf: lookAtSpf,
  dmarc: lookAtDmarc,
  /** A null MX (RFC 7505) says that the domain takes no mail: replies would be lost. */
  mx: byRecords((found) =>
    found.length === 0
      ? "missing"
      : found.every((text) => /^\d+ \.?$/.test(text))
        ? "mismatch"
        : "ok",
  ),
  /** Any preference will do; a second host would take some of the bounces. */
  return_path: byRecords((found, { expected }) => {
    const hosts = new Set(found.map(mailHostOf));
    if (hosts.size === 0) return "missing";
    return hosts.size === 1 && hosts.has(mailHostOf(expected)) ? "ok" : "mismatch";
  }),
  tracking: byRecords(isExpected),
};

async function lookAtSpf({ host }: WantedRecord, { lookup, settings }: Setting): Promise<Seen> {
  const texts = recordsOf(await lookup(host, "TXT"));
  if (texts === null) return UNKNOWN;
  const found = texts.filter(isSpf);
  const report = await evaluateSpf(lookup, host);
  switch (report.kind) {
    case "none":
      return { status: "missing", found };
    case "several":
      return { status: "multiple", found };
    case "unknown":
      return { status: "unknown", found };
    case "broken":
      return { status: "mismatch", found: [...found, `(${report.reason})`] };
    case "valid": {
      const { spfInclude } = settings;
      const isOurs = spfInclude === null || report.includes.includes(spfInclude);
      const fits = report.authorises && !report.open && isOurs;
      return { status: fits ? "ok" : "mismatch", found };
    }
  }
}

/** Passes when receivers find one policy, and the domain's signatures are aligned with each sender. */
async function lookAtDmarc(_: WantedRecord, { lookup, sending, senders }: Setting): Promise<Seen> {
  const own = await findDmarc(lookup, sending.domain);
  if (own.kind === "unknown") return UNKNOWN;
  if (own.kind === "none") return { status: "missing", found: [] };
  if (own.kind === "several") return { status: "multiple", found: own.texts };
  if (own.kind === "broken") return { status: "mismatch", found: own.texts };
  const found = [own.policy.text];
  const signing = { domain: sending.domain, organization: own.organization };
  for (const domain of senders) {
    const report = await findDmarc(lookup, domain);
    if (report.kind === "unknown") return { status: "unknown", found };
    if (report.kind !== "found") continue;
    const from = { domain, organization: report.organization };
    if (!isAligned(from, signing, report.policy.dkim))
      return {
        status: "mismatch",
        found: [...found, `(mail from ${domain} is not aligned with ${sending.domain})`],
      };
  }
  return { status: "ok", found };
}
