import { dkimRecord } from "./dkim.ts";

export type RecordPurpose =
  | "ownership"
  | "spf"
  | "dkim"
  | "dmarc"
  | "mx"
  | "return_path"
  | "tracking";

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

export interface SendingDomain {
  id: string;
  domain: string;
  dkimSelector: string;
  dkimPublicKey: string;
}

/**
 * What to publish for a domain, in the order of setting it up. SPF, DKIM and DMARC are what large
 * receivers ask of everybody who sends in bulk (https://support.google.com/a/answer/81126).
 */
export function wantedRecords(
  { id, domain, dkimSelector, dkimPublicKey }: SendingDomain,
  { publicBaseUrl, trackingBaseUrl }: { publicBaseUrl: string; trackingBaseUrl: string },
): WantedRecord[] {
  return [
    {
      purpose: "ownership",
      type: "TXT",
      host: `_overture.${domain}`,
      expected: `overture-domain=${id}`,
      required: true,
    },
    {
      purpose: "dkim",
      type: "TXT",
      host: `${dkimSelector}._domainkey.${domain}`,
      expected: dkimRecord({ kind: "rsa", publicKey: dkimPublicKey }),
      required: true,
    },
    {
      purpose: "spf",
      type: "TXT",
      host: domain,
      expected: "v=spf1 include:<your mail provider's SPF name> ~all",
      required: true,
    },
    {
      purpose: "dmarc",
      type: "TXT",
      host: `_dmarc.${domain}`,
      expected: "v=DMARC1; p=none",
      required: true,
    },
    {
      purpose: "mx",
      type: "MX",
      host: domain,
      expected: "<the mail host that takes replies>",
      required: false,
    },
    {
      purpose: "return_path",
      type: "CNAME",
      host: `bounce.${domain}`,
      expected: new URL(publicBaseUrl).hostname,
      required: false,
    },
    {
      purpose: "tracking",
      type: "CNAME",
      host: `link.${domain}`,
      expected: new URL(trackingBaseUrl).hostname,
      required: false,
    },
  ];
}
