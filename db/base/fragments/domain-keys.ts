import type { Db } from "../client.ts";
import { ownedBy } from "../owned.ts";
import { mailDomains, type SeenDomainRecord } from "#db/schema/index.ts";

/** A domain with its sealed signing keys, for what sends; nothing that answers a request reads it. */
export interface SigningDomain {
  id: string;
  name: string;
  selector: string;
  sealedKey: string;
  /** The second key; null when there is none, or when the last check did not find it in DNS. */
  ed25519: { selector: string; sealedKey: string } | null;
  /** Host of the envelope senders of its mail; null where bounces go to the alias itself. */
  returnPath: string | null;
  /** Host for the tracked links of its mail; null where the service's own has to do. */
  trackingHost: string | null;
}

export const returnPathHost = (domain: string): string => `bounce.${domain}`;

export const trackingHost = (domain: string): string => `link.${domain}`;

/** Links go to the domain's own host once the last check found that it leads here. */
function publishedTrackingHost(domain: string, records: SeenDomainRecord[] | null): string | null {
  const isOk = records?.some(({ purpose, status }) => purpose === "tracking" && status === "ok");
  return isOk === true ? trackingHost(domain) : null;
}

/** A return path is used once the last check found that bounces to it arrive and that SPF allows it. */
function publishedReturnPath(domain: string, records: SeenDomainRecord[] | null): string | null {
  const host = returnPathHost(domain);
  const isOk = (purpose: SeenDomainRecord["purpose"]) =>
    records?.some((seen) => seen.purpose === purpose && seen.host === host && seen.status === "ok");
  return isOk("return_path") === true && isOk("spf") === true ? host : null;
}

export async function getDomainKey(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<SigningDomain | undefined> {
  const [row] = await db
    .select({
      id: mailDomains.id,
      name: mailDomains.domain,
      selector: mailDomains.dkimSelector,
      sealedKey: mailDomains.dkimPrivateKey,
      ed25519Selector: mailDomains.ed25519Selector,
      ed25519PrivateKey: mailDomains.ed25519PrivateKey,
      records: mailDomains.records,
    })
    .from(mailDomains)
    .where(ownedBy(mailDomains, workspaceId, id));
  return row && signingDomain(row);
}

type StoredKeys = Pick<SigningDomain, "id" | "name" | "selector" | "sealedKey"> &
  Pick<typeof mailDomains.$inferSelect, "ed25519Selector" | "ed25519PrivateKey" | "records">;

/** A domain's keys and hosts, as far as its last check found their records. */
export function signingDomain(row: StoredKeys): SigningDomain {
  const { ed25519Selector, ed25519PrivateKey, records, ...rest } = row;
  return {
    ...rest,
    ed25519: publishedSecondKey(ed25519Selector, ed25519PrivateKey, records),
    returnPath: publishedReturnPath(row.name, records),
    trackingHost: publishedTrackingHost(row.name, records),
  };
}

/** Verifiers count a signature without a published key as broken, so the second key waits for its record. */
function publishedSecondKey(
  selector: string | null,
  sealedKey: string | null,
  records: SeenDomainRecord[] | null,
): SigningDomain["ed25519"] {
  if (selector === null || sealedKey === null) return null;
  const isPublished = records?.some(
    ({ purpose, host, status }) =>
      purpose === "dkim" && status === "ok" && host.startsWith(`${selector}._domainkey.`),
  );
  return isPublished === true ? { selector, sealedKey } : null;
}
