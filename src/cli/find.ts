import type { CampaignInFull, Overture } from "../sdk/index.ts";
import { Refusal } from "./refusal.ts";

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
export const isId = (text: string): boolean => UUID.test(text);

/** The campaign of an `external_id`, an id or, where one alone is called so, a name. */
export async function findCampaign(
  { campaigns }: Overture,
  text: string,
  include?: string,
): Promise<CampaignInFull> {
  const more = include === undefined ? {} : { include };
  // What cannot be an external_id is not asked for; one may look like an id, and is its owner's word.
  const isExternal = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/.test(text);
  const own = isExternal ? (await campaigns.list({ external_id: text }).page()).items : [];
  if (own.length === 0 && isId(text)) return campaigns.get(text, more);
  const found = own.length > 0 ? own : await named(campaigns.list({ name: text }), text);
  const { campaign_id: id } = only("campaign", text, found, (each) => each.campaign_id);
  return campaigns.get(id, more);
}

/** Of a list, what is called exactly so. */
export async function named<T extends { name: string }>(
  list: AsyncIterable<T>,
  name: string,
): Promise<T[]> {
  const found: T[] = [];
  for await (const each of list) if (each.name === name) found.push(each);
  return found;
}

export function only<T>(what: string, name: string, found: T[], idOf: (each: T) => string): T {
  const [first, second] = found;
  const quoted = JSON.stringify(name);
  if (first === undefined) throw new Refusal(`No ${what} is called ${quoted}.`);
  if (second !== undefined)
    throw new Refusal(
      `${quoted} is the name of more than one ${what}: give the id of the one you mean.`,
      ...found.map((each) => `  ${idOf(each)}`),
    );
  return first;
}
