import type { SeenDomainRecord } from "#db/schema/index.ts";
import { returnPathHost, trackingHost } from "#db/base/fragments/domain-keys.ts";
import { dkimRecord, type DkimKind } from "#src/mime/dkim.ts";

export type RecordPurpose = SeenDomainRecord["purpose"];
export type RecordStatus = SeenDomainRecord["status"];

/** A DNS record that the owner of a domain is to publish. */
export interface WantedRecord {
  purpose: RecordPurpose;
  type: "TXT" | "MX" | "CNAME";
  host: string;
  /** The value; for spf and mx, which depend on the mailbox's provider, the form of it. */
  expected: string;
  /** Without it the domain is not verified. */
  required: boolean;
}

/** A record to publish, and the state in which DNS last had it. */
export interface DomainRecord extends WantedRecord, SeenDomainRecord {}

export interface SendingDomain {
  id: string;
  domain: string;
  dkimSelector: string;
  dkimPublicKey: string;
  /** The second key; null for domains that were added before there was one. */
  ed25519Selector: string | null;
  ed25519PublicKey: string | null;
}

export interface RecordSettings {
  trackingBaseUrl: string;
  trackingOnDomains: boolean;
  spfInclude: string | null;
  inboundMx: string | null;
  reportsDomain: string | null;
}

/** Where receivers report on a domain; the domain is told by the report itself. */
export const reportsAddress = (reportsDomain: string): string => `dmarc@${reportsDomain}`;

/** RFC 9989 section 4.7: a policy that refuses nothing, with reports where the deployment reads them. */
const dmarcRecord = (reportsDomain: string | null): string =>
  reportsDomain === null
    ? "v=DMARC1; p=none"
    : `v=DMARC1; p=none; rua=mailto:${reportsAddress(reportsDomain)}`;

export interface PublishedKey {
  kind: DkimKind;
  host: string;
  publicKey: string;
}

/** The keys that a domain's mail is signed with. */
export function keysOf(domain: SendingDomain): PublishedKey[] {
  const { dkimSelector, dkimPublicKey, ed25519Selector, ed25519PublicKey } = domain;
  const hostOf = (selector: string) => `${selector}._domainkey.${domain.domain}`;
  const rsa = { kind: "rsa" as const, host: hostOf(dkimSelector), publicKey: dkimPublicKey };
  if (ed25519Selector === null || ed25519PublicKey === null) return [rsa];
  const publicKey = ed25519PublicKey;
  return [rsa, { kind: "ed25519", host: hostOf(ed25519Selector), publicKey }];
}

/**
 * The records to publish for a domain, in the order of setting it up. SPF, DKIM and DMARC are what large
 * receivers ask of bulk senders (https://support.google.com/a/answer/81126). The second DKIM key is for
 * receivers that verify Ed25519 and is not required.
 */
export function wantedRecords(sending: SendingDomain, settings: RecordSettings): WantedRecord[] {
  const { id, domain } = sending;
  const spf = (end: string) =>
    `v=spf1 include:${settings.spfInclude ?? "<your mail provider's SPF name>"} ${end}`;
  return [
    {
      purpose: "ownership",
      type: "TXT",
      host: `_overture.${domain}`,
      expected: `overture-domain=${id}`,
      required: true,
    },
    ...keysOf(sending).map((key) => ({
      purpose: "dkim" as const,
      type: "TXT" as const,
      host: key.host,
      expected: dkimRecord(key),
      required: key.kind === "rsa",
    })),
    {
      purpose: "spf",
      type: "TXT",
      host: domain,
      expected: spf("~all"),
      required: true,
    },
    {
      purpose: "dmarc",
      type: "TXT",
      host: `_dmarc.${domain}`,
      expected: dmarcRecord(settings.reportsDomain),
      required: true,
    },
    {
      purpose: "mx",
      type: "MX",
      host: domain,
      expected: "<the mail host that takes replies>",
      required: false,
    },
    ...(settings.inboundMx === null ? [] : returnPathRecords(domain, settings.inboundMx, spf)),
    ...(settings.trackingOnDomains
      ? [
          {
            purpose: "tracking" as const,
            type: "CNAME" as const,
            host: trackingHost(domain),
            expected: new URL(settings.trackingBaseUrl).hostname,
            required: false,
          },
        ]
      : []),
  ];
}

/**
 * Bounces come back to an address of each message's own at this host, instead of
 * to the alias. SPF looks at the host of the return path (RFC 7208 section 2.4).
 */
const returnPathRecords = (
  domain: string,
  inboundMx: string,
  spf: (end: string) => string,
): WantedRecord[] => [
  {
    purpose: "return_path",
    type: "MX",
    host: returnPathHost(domain),
    expected: `10 ${inboundMx}`,
    required: false,
  },
  {
    purpose: "spf",
    type: "TXT",
    host: returnPathHost(domain),
    expected: spf("-all"),
    required: false,
  },
];

/** The records of a domain with what was last seen of each; never looked for is unknown. */
export function withSeen(wanted: WantedRecord[], seen: SeenDomainRecord[] | null): DomainRecord[] {
  return wanted.map((record) => {
    const last = seen?.find(
      ({ purpose, host }) => purpose === record.purpose && host === record.host,
    );
    return { ...record, found: last?.found ?? [], status: last?.status ?? "unknown" };
  });
}
