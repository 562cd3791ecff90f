import { between, fraction, type State } from "./books.ts";
import type { Manners } from "./model.ts";

export interface Person {
  /** The public identifier. */
  slug: string;
  /** The network's own id of the person. */
  id: string;
  firstName: string;
  lastName: string;
  headline: string;
  location: string;
  profileUrl: string;
}

const HOUR = 3600;
const SLUG = /^[\p{L}\p{M}\p{N}_.~-]{1,100}$/u;
const ID_PREFIX = "ACoAA";

/** What the first words of a public identifier say of its person. */
const TRAITS = {
  /** There is no such profile. */
  nobody: {},
  /** Takes neither invitations nor messages. */
  unreachable: {},
  /** Connected already with the member who looks. */
  friend: {},
  accepts: { accepts_after: 6 * HOUR },
  quick: { accepts_after: 300, told_after: 60 },
  late: { accepts_after: 10 * 24 * HOUR },
  declines: { accepts_after: null },
  answers: { answers_after: 1200 },
  silent: { answers_after: null },
} as const satisfies Record<string, Manners>;
type Trait = keyof typeof TRAITS;

const isTrait = (word: string): word is Trait => Object.hasOwn(TRAITS, word);

/** The traits in front, and the words after them. */
function wordsOf(slug: string): { traits: Trait[]; rest: string[] } {
  const words = slug.split("-").filter((word) => word !== "");
  const end = words.findIndex((word) => !isTrait(word));
  const count = end === -1 ? words.length : end;
  return { traits: words.slice(0, count).filter(isTrait), rest: words.slice(count) };
}

const has = (slug: string, trait: Trait) => wordsOf(slug).traits.includes(trait);
export const isUnreachable = (slug: string) => has(slug, "unreachable");
export const isFriend = (slug: string) => has(slug, "friend");

export const idOf = (slug: string) => `${ID_PREFIX}${Buffer.from(slug).toString("base64url")}`;

const looksLikeId = (identifier: string) => identifier.startsWith(ID_PREFIX);

/** "" for an id that was never given out. */
function slugOfId(id: string): string {
  const slug = Buffer.from(id.slice(ID_PREFIX.length), "base64url").toString("utf8");
  return idOf(slug) === id ? slug : "";
}

/** The person of an id or a public identifier; null where there is none. */
export function findPerson(identifier: string): Person | null {
  const slug = looksLikeId(identifier)
    ? slugOfId(identifier)
    : identifier.normalize("NFC").toLowerCase();
  return SLUG.test(slug) && !has(slug, "nobody") ? personOf(slug) : null;
}

/** Whom an id means; a public identifier is none. */
export function findById(id: string): Person | null {
  return looksLikeId(id) ? findPerson(id) : null;
}

const ROLES = ["Head of Sales", "Founder", "Software Engineer", "VP Marketing", "Consultant"];
const EMPLOYERS = ["Nordlicht", "Quarry & Sons", "Halden Systems", "Ember Works", "Lumen Freight"];
const PLACES = ["Berlin", "Lyon", "Austin", "Porto", "Malmö"];

/** Somebody with this public identifier: the same on every machine. */
export function personOf(slug: string): Person {
  const { rest } = wordsOf(slug);
  const names = rest.filter((word) => !/\d/.test(word)).map(capitalised);
  const [firstName = capitalised(rest[0] ?? slug), ...others] = names;
  const pick = (list: string[], what: string) => list[between(0, list.length, slug, what)] ?? "";
  return {
    slug,
    id: idOf(slug),
    firstName,
    lastName: others.join(" "),
    headline: `${pick(ROLES, "role")} at ${pick(EMPLOYERS, "employer")}`,
    location: pick(PLACES, "place"),
    profileUrl: `https://www.linkedin.com/in/${encodeURIComponent(slug)}`,
  };
}

export const nameOf = (slug: string) => {
  const { firstName, lastName } = personOf(slug);
  return `${firstName} ${lastName}`.trim();
};

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const ANSWERS = [
  "Thanks for reaching out. Yes, that is of interest: could you send me some times next week?",
  "Good timing, we were just talking about this. What would a first step look like?",
  "Thank you, but we are well served at the moment. Maybe next year.",
  "Happy to talk. Who else of your customers is in our field?",
];

/** What a person does with an invitation and with a message of this member. */
export function mannersOf({ books }: State, owner: string, slug: string): Required<Manners> {
  const roll = (what: string) => fraction(owner, slug, what);
  const invented: Required<Manners> = {
    accepts_after: roll("accepts") < 0.45 ? between(HOUR, 96 * HOUR, owner, slug, "when") : null,
    answers_after: roll("answers") < 0.4 ? between(HOUR, 36 * HOUR, owner, slug, "then") : null,
    answer: ANSWERS[between(0, ANSWERS.length, slug, "answer")] ?? "",
    told_after: between(0, 8 * HOUR, owner, slug, "told"),
  };
  const traits = wordsOf(slug).traits.map((trait): Manners => TRAITS[trait]);
  return Object.assign(invented, ...traits, books.manners.get(slug) ?? {});
}
