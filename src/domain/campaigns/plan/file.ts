import type { Campaign } from "#db/campaigns/campaigns.ts";
import {
  type AskedNames,
  findNamed,
  NAMED_KINDS,
  type Named,
  type NamedKind,
} from "#db/campaigns/names.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { notFound, unprocessable } from "#src/errors.ts";
import { wireName } from "../change.ts";
import { type CampaignConfig, SETTINGS } from "../config.ts";
import { referencesOf, type StepInput, type VariantInput } from "../steps.ts";

/** Fields of a configuration that name other records. */
type Referring = "datasetId" | "aliasIds" | "connectedAccountId" | "steps";

export interface FileVariant extends Omit<VariantInput, "template_id" | "sender_profile_id"> {
  template?: string | null | undefined;
  sender_profile?: string | null | undefined;
}
export interface FileStep extends Omit<StepInput, "variants"> {
  variants?: FileVariant[] | null | undefined;
}

/** A campaign as a file has it: what it refers to stands there by its name, or by its id. */
export interface CampaignFile extends Omit<CampaignConfig, Referring> {
  externalId: string;
  dataset: string;
  /** Addresses or ids. */
  aliases: string[] | null;
  connectedAccount: string | null;
  steps: FileStep[];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const WORDS: Record<NamedKind, string> = {
  dataset: "Dataset",
  alias: "Mail alias",
  account: "Connected account",
  template: "Template",
  profile: "Sender profile",
};

const variantsOf = ({ steps }: { steps: FileStep[] }): FileVariant[] =>
  steps.flatMap(({ variants }) => variants ?? []);

function referencesIn(file: CampaignFile): Record<NamedKind, string[]> {
  const variants = variantsOf(file);
  return {
    dataset: [file.dataset],
    alias: (file.aliases ?? []).map((alias) => alias.toLowerCase()),
    account: file.connectedAccount === null ? [] : [file.connectedAccount],
    template: variants.flatMap(({ template }) => template ?? []),
    profile: variants.flatMap(({ sender_profile: profile }) => profile ?? []),
  };
}

const asked = (references: string[]): AskedNames => ({
  ids: references.filter((text) => UUID.test(text)),
  names: references.filter((text) => !UUID.test(text)),
});

const forEachKind = <T>(make: (kind: NamedKind) => T) =>
  Object.fromEntries(NAMED_KINDS.map((kind) => [kind, make(kind)])) as Record<NamedKind, T>;

/** The configuration that the file means. 404 of the kind where no record is called so, 422 NAME_AMBIGUOUS with their ids where several are; both say the name. */
export async function readFile(
  deps: Deps,
  { workspaceId }: Principal,
  file: CampaignFile,
): Promise<CampaignConfig & { externalId: string }> {
  const references = referencesIn(file);
  const found = await findNamed(
    deps.db,
    workspaceId,
    forEachKind((kind) => asked(references[kind])),
  );
  const idOf = (kind: NamedKind, text: string) => only(kind, text, found);
  const { dataset, aliases, connectedAccount, steps, ...config } = file;
  return {
    ...config,
    datasetId: idOf("dataset", dataset),
    aliasIds: aliases && aliases.map((alias) => idOf("alias", alias.toLowerCase())),
    connectedAccountId: connectedAccount && idOf("account", connectedAccount),
    steps: steps.map(({ variants, ...step }) => ({
      ...step,
      variants: variants?.map(({ template, sender_profile: profile, ...variant }) => ({
        ...variant,
        template_id: template && idOf("template", template),
        sender_profile_id: profile && idOf("profile", profile),
      })),
    })),
  };
}

function only(kind: NamedKind, text: string, found: readonly Named[]): string {
  const isId = UUID.test(text);
  const matches = found.filter(
    (each) => each.kind === kind && (isId ? each.id === text.toLowerCase() : each.name === text),
  );
  const [first, second] = matches;
  const what = WORDS[kind];
  if (first === undefined) throw notFound(what, { detail: { name: text } });
  if (second === undefined) return first.id;
  throw unprocessable(
    "NAME_AMBIGUOUS",
    `${JSON.stringify(text)} is the name of more than one ${what.toLowerCase()}: give the id of the one you mean, or rename the others.`,
    { detail: { name: text, ids: matches.map(({ id }) => id) } },
  );
}

/** The campaign's configuration as a file has it, on the wire; a record whose name others have stands there by its id. */
export type WireFile = Record<string, unknown>;

/** A campaign as it is stored, with steps whose defaults are filled in. */
type StoredConfig = Pick<Campaign, Exclude<keyof CampaignConfig, "steps"> | "externalId" | "steps">;

/** The files of campaigns of one workspace. */
export async function writeFiles(
  deps: Deps,
  { workspaceId }: Principal,
  configs: readonly StoredConfig[],
): Promise<WireFile[]> {
  const ofSteps = configs.map(({ steps }) => referencesOf(steps));
  const ids: Record<NamedKind, string[]> = {
    dataset: configs.map(({ datasetId }) => datasetId),
    alias: configs.flatMap(({ aliasIds }) => aliasIds ?? []),
    account: configs.flatMap(({ connectedAccountId }) => connectedAccountId ?? []),
    template: ofSteps.flatMap(({ templateIds }) => templateIds),
    profile: ofSteps.flatMap(({ profileIds }) => profileIds),
  };
  const found = await findNamed(
    deps.db,
    workspaceId,
    forEachKind((kind) => ({ ids: ids[kind], names: [] })),
  );
  const names = new Map(
    found.map(({ kind, id, name, isShared }) => [
      `${kind} ${id}`,
      isShared || UUID.test(name) ? id : name,
    ]),
  );
  const nameOf = (kind: NamedKind, id: string) => names.get(`${kind} ${id}`) ?? id;
  return configs.map((config) => fileOf(config, nameOf));
}

/** The settings that name other records, by their names in a file. */
const NAMED: Partial<Record<(typeof SETTINGS)[number], string>> = {
  datasetId: "dataset",
  aliasIds: "aliases",
  connectedAccountId: "connectedAccount",
};
const FIELDS = ["externalId", ...SETTINGS.map((name) => NAMED[name] ?? name), "steps"];

function fileOf(config: StoredConfig, nameOf: (kind: NamedKind, id: string) => string): WireFile {
  const values: Record<string, unknown> = {
    ...config,
    dataset: nameOf("dataset", config.datasetId),
    aliases: config.aliasIds && config.aliasIds.map((id) => nameOf("alias", id)),
    connectedAccount: config.connectedAccountId && nameOf("account", config.connectedAccountId),
    startDate: config.startDate?.toISOString() ?? null,
    steps: config.steps.map(({ variants, ...step }) => ({
      ...step,
      variants: variants.map((variant) => {
        const { sender_profile_id: profile, ...rest } = variant;
        const named = profile === undefined ? {} : { sender_profile: nameOf("profile", profile) };
        if (rest.type === "INLINE") return { ...rest, ...named };
        const { template_id: template, ...of } = rest;
        return { ...of, ...named, template: nameOf("template", template) };
      }),
    })),
  };
  return Object.fromEntries(FIELDS.map((field) => [wireName(field), values[field] ?? null]));
}
