import { readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { domainToASCII } from "node:url";
import { z } from "zod";
import {
  farmFile,
  type FarmDomain,
  type FarmHost,
  type FarmProvider,
  OUTCOMES,
  type Outcome,
  type Split,
} from "./format.ts";

/** A host under the name that DNS has for it. */
export interface NamedHost extends FarmHost {
  name: string;
  /** Addresses in lower case that have a mailbox. */
  mailboxes: Set<string>;
  /** Domains for which it takes mail. */
  domains: Set<string>;
}

export interface NamedDomain extends FarmDomain {
  /** As DNS has it (A-label). */
  name: string;
  records: string[];
}

/** An address and what is true of it. */
export interface Expectation {
  address: string;
  expect: Outcome;
  isRole: boolean;
  isDisposable: boolean;
  provider: string;
  split: Split;
}

export interface FarmTable {
  hosts: NamedHost[];
  domains: NamedDomain[];
  expectations: Expectation[];
}

const OWN_FOLDER = path.join(import.meta.dirname, "hosts");

/** The repository's own table. */
export const ownFarmFiles = (): string[] =>
  readdirSync(OWN_FOLDER)
    .toSorted()
    .map((file) => path.join(OWN_FOLDER, file));

/** Reads tables of the documented format; throws with the file's name and every fault in it. */
export function readFarm(files: string[] = ownFarmFiles()): FarmTable {
  return toTable(files.flatMap((file) => readFarmFile(file, readFileSync(file, "utf8"))));
}

export function readFarmFile(file: string, text: string): FarmProvider[] {
  const parsed = farmFile.safeParse(readJson(file, text));
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
  return parsed.data.providers;
}

function readJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** Throws when a name or an address stands twice, and when a provider is on both sides of the split. */
export function toTable(providers: FarmProvider[]): FarmTable {
  const domains = providers.flatMap((one) =>
    Object.entries(one.domains).map(([name, domain]) => nameDomain(one, name, domain)),
  );
  const hosts = providers.flatMap((one) =>
    Object.entries(one.hosts).map(([name, host]) => nameHost(one, name, host)),
  );
  const expectations = providers.flatMap((one) =>
    Object.entries(one.domains).flatMap(([name, domain]) => expectationsOf(one, name, domain)),
  );
  refuseTwice("host", [...hosts.map(({ name }) => name), ...hosts.flatMap((one) => one.aliases)]);
  refuseTwice(
    "domain",
    domains.map(({ name }) => name),
  );
  refuseTwice(
    "address",
    expectations.map(({ address }) => address),
  );
  refuseBothSplits(providers);
  return { hosts, domains, expectations };
}

const wholeAddress = (local: string, domain: string) =>
  local.includes("@") ? local : `${local}@${domain}`;

function nameDomain(provider: FarmProvider, written: string, domain: FarmDomain): NamedDomain {
  const byDefault = Object.keys(provider.hosts).map(
    (host, index) => `MX ${(index + 1) * 10} ${domainToASCII(host)}`,
  );
  return { ...domain, name: domainToASCII(written), records: domain.records ?? byDefault };
}

/** What is listed as valid is a mailbox of the provider's hosts: the truth is written once. */
function nameHost(provider: FarmProvider, written: string, host: FarmHost): NamedHost {
  const domains = Object.entries(provider.domains);
  const mailboxes = domains.flatMap(([domain, { valid }]) =>
    valid.map((local) => mailboxKey(wholeAddress(local, domain))),
  );
  return {
    ...host,
    name: domainToASCII(written),
    mailboxes: new Set(mailboxes),
    domains: new Set(domains.map(([domain]) => domainToASCII(domain))),
  };
}

/** Hosts compare addresses without regard to case, and domains by their A-labels. */
export function mailboxKey(address: string): string {
  const at = address.lastIndexOf("@");
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`.toLowerCase();
}

function expectationsOf(
  { provider, split }: FarmProvider,
  name: string,
  domain: FarmDomain,
): Expectation[] {
  return OUTCOMES.flatMap((expect) =>
    domain[expect].map((local) => ({
      address: wholeAddress(local, name),
      expect,
      isRole: domain.role.includes(local),
      isDisposable: domain.disposable,
      provider,
      split,
    })),
  );
}

function refuseTwice(what: string, names: string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`the ${what} ${twice} stands twice`);
}

function refuseBothSplits(providers: FarmProvider[]): void {
  const splits = new Map<string, Split>();
  for (const { provider, split } of providers) {
    if ((splits.get(provider) ?? split) !== split)
      throw new Error(`${provider} is on both sides of the split`);
    splits.set(provider, split);
  }
}
