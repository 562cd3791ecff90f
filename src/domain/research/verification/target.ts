import { readAddress } from "./prefilter/address.ts";

/** An address that can be asked about. */
export interface Target {
  /** As it goes on the wire: the local part as it was typed, the domain in A-labels. */
  address: string;
  domain: string;
  /** What answers are kept under. */
  key: string;
}

/** Null for what no mail host could be asked about. */
export function readTarget(text: string): Target | null {
  const read = readAddress(text);
  if (read === null) return null;
  const { local, domain } = read;
  return { address: `${local}@${domain}`, domain, key: `${local.toLowerCase()}@${domain}` };
}
