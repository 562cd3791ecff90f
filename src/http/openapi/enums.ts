import { type Description, pascal, type Schema } from "./model.ts";

/**
 * Lists of words that many schemas share, by where each is at home. The same words elsewhere get the
 * same name; any other list is called after its schema and field.
 */
const SHARED_ENUMS: Record<string, string> = {
  CampaignLeadStatus: "CampaignLead.status",
  CampaignStatus: "Campaign.status",
  Channel: "Conversation.channel",
  DatasetStatus: "Dataset.status",
  DeliveryResult: "EmailVerification.result",
  DomainStatus: "MailDomain.status",
  DraftStatus: "PlaygroundDraft.status",
  EmailStatus: "Email.status",
  PausedReason: "Campaign.paused_reason",
  Plan: "CreditBalance.plan",
  ResearchStatus: "PlaygroundDraft.research_sources.status",
  RiskLevel: "EmailVerification.risk_level",
  StatsBy: "CampaignStats.by",
  SuppressionKind: "Suppression.kind",
  SuppressionReason: "Suppression.reason",
  TextSource: "StepRendered.text_source",
  VerificationBackend: "EmailVerification.backend",
  Weekday: "Campaign.send_days",
};

/** What is asked for and what is answered of one resource are one family, and share their words. */
const MEMBER = /(Create|Change|Input|Detail|Body|Wish)(?=\.|$)/;

interface WordList {
  /** `Campaign.paused_reason`; items of a list stand where the list does. Of parameters none. */
  path: string | null;
  schema: Schema;
  words: string[];
}

/** Gives every list of two or more words a name of its own under `components.schemas`. */
export function nameEnums({ components: { schemas }, paths }: Description): void {
  const lists = Object.entries(schemas).flatMap(([name, schema]) => listsIn(schema, name));
  const nameOf = namer(lists);
  const inParameters = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ parameters = [] }) => parameters)
    .flatMap((parameter) => ("schema" in parameter ? listsIn(parameter.schema, null) : []));
  for (const list of [...lists, ...inParameters]) {
    const name = nameOf(list);
    if (name === null) continue;
    schemas[name] = { type: "string", enum: list.words };
    refer(list.schema, name);
  }
}

function listsIn(schema: Schema, path: string | null): WordList[] {
  const words = (schema.enum ?? []).filter((word) => typeof word === "string");
  if (words.length > 1) return [{ path, schema, words }];
  const below = (name: string) => (path === null ? null : `${path}.${name}`);
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
      listsIn(each, below(name)),
    ),
    ...[schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
      .filter((each) => each !== undefined)
      .flatMap((each) => listsIn(each, path)),
  ];
}

/** The name of a list, whatever else there is: nothing new renames what was there. */
function namer(lists: WordList[]): (list: WordList) => string | null {
  const keyOf = ({ words }: WordList) => JSON.stringify(words);
  const shared = new Map(
    Object.entries(SHARED_ENUMS).flatMap(([name, home]) =>
      lists.filter(({ path }) => path === home).map((list) => [keyOf(list), name] as const),
    ),
  );
  const atHome = new Map(
    lists
      .filter(({ path }) => !MEMBER.test(path!))
      .map((list) => [pascal(list.path!), keyOf(list)]),
  );
  return (list) => {
    const { path } = list;
    const name = shared.get(keyOf(list));
    if (name !== undefined || path === null) return name ?? null;
    const ofFamily = pascal(path.replace(MEMBER, ""));
    return (atHome.get(ofFamily) ?? keyOf(list)) === keyOf(list) ? ofFamily : pascal(path);
  };
}

/** Description and default stay beside the reference. */
function refer(schema: Schema, name: string): void {
  const isNullable = [schema.type].flat().includes("null") || schema.enum?.includes(null);
  delete schema.type;
  delete schema.enum;
  const $ref = `#/components/schemas/${name}`;
  Object.assign(schema, isNullable === true ? { anyOf: [{ $ref }, { type: "null" }] } : { $ref });
}
