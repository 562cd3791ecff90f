import { type Chance, createChance } from "../stack/chance.ts";
import { CULTURES, type Culture } from "../stack/search/cultures.ts";
import type { Town } from "./format.ts";
import { GIVEN_NAMES } from "./given-names.ts";

interface Habit {
  name: string;
  /** Of a hundred companies, by size. Small ones use first names, as long as no two people share one. */
  share: Record<Size, number>;
  build(given: string, family: string): string;
}

type Size = "small" | "middle" | "large";

/** People beside those looked for. */
const COLLEAGUES: Record<Size, number> = { small: 1, middle: 8, large: 30 };
const SIZES: { size: Size; share: number }[] = [
  { size: "small", share: 35 },
  { size: "middle", share: 40 },
  { size: "large", share: 25 },
];

const habit = (
  name: string,
  [small, middle, large]: [number, number, number],
  build: Habit["build"],
): Habit => ({
  name,
  share: { small, middle, large },
  build,
});

/** From what public commit histories show (docs/design/finding.md); `other` follows no rule. */
const HABITS: Habit[] = [
  habit("first.last", [32, 44, 42], (g, f) => `${g}.${f}`),
  habit("first", [26, 8, 3], (g) => g),
  habit("flast", [11, 14, 18], (g, f) => g[0] + f),
  habit("firstl", [3, 3, 4], (g, f) => g + f[0]),
  habit("firstlast", [4, 4, 3], (g, f) => g + f),
  habit("last", [4, 3, 2], (_, f) => f),
  habit("f.last", [3, 4, 5], (g, f) => `${g[0]}.${f}`),
  habit("first_last", [1, 2, 3], (g, f) => `${g}_${f}`),
  habit("last.first", [1, 4, 3], (g, f) => `${f}.${g}`),
  habit("lastf", [1, 2, 2], (g, f) => f + g[0]),
  habit(
    "other",
    [14, 12, 15],
    (g, f) => `${f.slice(0, 3)}${g.slice(0, 3)}${(g.length * 7 + f.length) % 90}`,
  ),
];

/** Hosts of which a finder has to make something, and their share. */
const HOSTS: { share: number; host: Record<string, unknown>; takesAll?: true }[] = [
  { share: 34, host: {} },
  {
    share: 14,
    host: {
      unknown_user: "550 5.4.1 Recipient address rejected: Access denied. [DB1.prod.zz]",
      delay_ms: 20,
    },
  },
  {
    share: 14,
    host: {
      unknown_user:
        "550-5.1.1 The email account that you tried to reach does not exist.\n550 5.1.1 NoSuchUser - gsmtp",
    },
  },
  { share: 6, host: { unknown_user: "550 Unrouteable address" } },
  { share: 5, host: { unknown_user: "550 5.1.1 Destinataire inconnu" } },
  { share: 5, host: { delay_ms: 250 } },
  {
    share: 4,
    host: {
      rcpt: [
        { when: { first_seen_within_ms: 1500 }, say: "450 4.2.0 <{to}>: Greylisted, try again" },
      ],
    },
  },
  {
    share: 4,
    host: {
      rcpt: [{ when: { refused_over: 4 }, say: "421 4.7.0 {host} too many errors", end: "close" }],
    },
  },
  {
    share: 3,
    host: {
      rcpt: [{ when: { refused_over: 2 }, say: "550 5.7.1 Directory harvest attack suspected" }],
    },
  },
  { share: 9, host: { rcpt: "250 2.1.5 Ok" }, takesAll: true },
  { share: 2, host: { rcpt: "554 5.7.1 Service unavailable; client [{ip}] blocked" } },
];

const DOMAINS = 75;
const PEOPLE_EACH = 4;

/** Invented companies with their hosts and people: the same on every machine. */
export function inventTown(seed = 7): Town {
  const chance = createChance(seed);
  const town: Town = { providers: [], people: [] };
  for (let at = 0; at < DOMAINS; at++) addCompany(chance, town, at);
  return town;
}

function addCompany(chance: Chance, town: Town, at: number): void {
  const culture = CULTURES[at % CULTURES.length]!;
  const domain = `company${at}.zz`;
  const { host, takesAll } = byShare(chance, HOSTS);
  const { size } = byShare(chance, SIZES);
  const habits = HABITS.map((each) => ({ ...each, share: each.share[size] }));
  const ownHabit = byShare(chance, habits);
  const mailboxes = new Set<string>();
  const names = new Set<string>();
  const newName = () => {
    for (;;) {
      const given = chance.pick(GIVEN_NAMES[culture.country]!);
      const family = familyName(chance, culture);
      // Two of one name cannot be told apart by a search by name.
      if (names.has(`${given} ${family}`)) continue;
      names.add(`${given} ${family}`);
      return { given, family };
    }
  };
  const hire = (): { given: string; family: string; email: string; kind: string } => {
    const { given, family } = newName();
    for (;;) {
      // Seven of ten people of a company have its habit.
      const { name, build } = chance.happens(0.72) ? ownHabit : byShare(chance, habits);
      const local = build(
        writtenGiven(chance, given, culture),
        writtenFamily(chance, family, culture),
      );
      if (mailboxes.has(local)) continue;
      mailboxes.add(local);
      return { given, family, email: `${local}@${domain}`, kind: name };
    }
  };
  for (let count = 0; count < COLLEAGUES[size]; count++) hire();
  for (let count = 0; count < PEOPLE_EACH; count++) {
    const isThere = chance.happens(0.88);
    const { given, family, email, kind } = isThere
      ? hire()
      : { ...newName(), email: null, kind: "not_there" };
    const title = chance.happens(0.05) ? "Dr. " : "";
    town.people.push({
      first_name: title + given,
      last_name: family,
      domain,
      email,
      kind: takesAll ? "takes_all" : kind,
      split: culture.split,
    });
  }
  town.providers.push({
    provider: domain,
    split: culture.split,
    hosts: { [`mx.${domain}`]: host },
    domains: { [domain]: { valid: [...mailboxes] } },
  });
}

function byShare<Item extends { share: number }>(chance: Chance, items: readonly Item[]): Item {
  let left = chance.next() * items.reduce((sum, { share }) => sum + share, 0);
  return items.find(({ share }) => (left -= share) < 0) ?? items[0]!;
}

function familyName(chance: Chance, culture: Culture): string {
  const [starts, ends] = culture.halves.map((text) => text.split(" "));
  return chance.happens(0.12)
    ? chance.pick(culture.family)
    : chance.pick(starts!) + chance.pick(ends!);
}

/** How people of the country write their names in addresses, one in some way and one in another. */
function writtenGiven(chance: Chance, given: string, culture: Culture): string {
  const written = inAddress(chance, given, culture);
  const [first = ""] = written.split("-");
  return chance.happens(0.5) ? written.replaceAll("-", "") : chance.happens(0.6) ? written : first;
}

function writtenFamily(chance: Chance, family: string, culture: Culture): string {
  const words = inAddress(chance, family, culture).replaceAll("'", "").split(" ");
  const isParticle = words.length > 1 && /^(van|de|ten|di|della|t|der)$/.test(words[0]!);
  if (isParticle) return chance.happens(0.7) ? words.join("") : words.at(-1)!;
  if (words.length > 1) {
    const one = culture.country === "BR" ? words.at(-1)! : words[0]!;
    return chance.happens(0.6) ? one : words.join("");
  }
  return chance.happens(0.5) ? words[0]! : words[0]!.replaceAll("-", "");
}

const WRITTEN_OUT: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue", å: "aa", ß: "ss", ł: "l" };

function inAddress(chance: Chance, name: string, { country }: Culture): string {
  const out = country === "DE" ? chance.happens(0.75) : false;
  const spelled = name
    .toLowerCase()
    .replace(/[äöüå]/g, (l) => (out ? WRITTEN_OUT[l]! : l))
    .replace(/[ßł]/g, (l) => WRITTEN_OUT[l]!);
  return spelled.normalize("NFD").replace(/\p{M}/gu, "");
}
