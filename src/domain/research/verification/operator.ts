import { registrable } from "#src/mime/registrable.ts";
/** Who runs a mail host, as far as it changes what its replies mean and how it is asked. */
export interface MxOperator {
  /** What limits and breakers are counted by; the registrable part of the host name where the operator is not known. */
  key: string;
  /** The mail software or provider whose replies it gives; empty where unknown. Read from the host name, which any domain can choose: limits go by `key`. */
  dialect: string;
  /** `one_per_session`: refuses a second recipient of a stranger. `none`: says yes to every RCPT and judges later. */
  recipients: "many" | "one_per_session" | "none";
  /** It is known to refuse unknown users, so the random address need not be asked. */
  neverCatchAll: boolean;
}

interface Row extends MxOperator {
  suffixes: readonly string[];
}

const operator = (
  key: string,
  suffixes: readonly string[],
  traits: Partial<Omit<MxOperator, "key" | "dialect">> = {},
): Row => ({ key, dialect: key, suffixes, recipients: "many", neverCatchAll: false, ...traits });

const OPERATORS: readonly Row[] = [
  operator("google", ["google.com", "googlemail.com", "psmtp.com"]),
  // Consumers' hosts come before the tenants', whose suffix is the shorter one.
  operator("outlook", ["olc.protection.outlook.com"], {
    recipients: "one_per_session",
    neverCatchAll: true,
  }),
  operator("microsoft365", ["protection.outlook.com", "mx.microsoft"]),
  operator("yahoo", ["yahoodns.net"], { recipients: "none" }),
  operator("icloud", ["mail.icloud.com", "mail.me.com"], { neverCatchAll: true }),
  operator("proofpoint", ["pphosted.com", "ppe-hosted.com"]),
  operator("mimecast", ["mimecast.com", "mimecast.co.za", "mimecast-offshore.com"]),
  operator("barracuda", ["barracudanetworks.com", "cudamail.com"]),
  operator("zoho", ["zoho.com", "zoho.eu", "zoho.in", "zohomail.com"]),
  operator("n-able", ["antispamcloud.com"]),
];

const nameOf = (host: string): string => host.toLowerCase().replace(/\.$/, "");

const knownBy = (name: string): Row | undefined =>
  OPERATORS.find(({ suffixes }) =>
    suffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`)),
  );

/** Whether the name is one that an operator we know gives to its hosts. */
export const isOperators = (host: string): boolean => knownBy(nameOf(host)) !== undefined;

/** The operator of a mail host, by the end of its name. */
export function operatorOf(host: string): MxOperator {
  const name = nameOf(host);
  const known = knownBy(name);
  if (known === undefined) {
    const dialect = EXCHANGE_ONLINE.test(name) ? "microsoft365" : "";
    return { key: registrable(name), dialect, recipients: "many", neverCatchAll: false };
  }
  const { suffixes: _, ...traits } = known;
  return traits;
}

/** Its national clouds have names of the same make under other domains. */
const EXCHANGE_ONLINE = /\.mail\.protection\./;
