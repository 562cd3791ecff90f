import type { About } from "./checks/orders/about-letters.ts";
import { type Stranger, withoutOrders } from "./checks/orders/left-out.ts";
import { languageOf } from "./checks/language.ts";
import { cleanText } from "./clean-text.ts";
import type { DraftRequest, Facts } from "./draft.ts";
import { fold } from "./normalize-text.ts";

/** Characters of data that a model is shown, all in all; and of what is cut, the longest is cut first. */
export const MAX_DATA = 20_000;
const MAX_KEY = 100;

/** What a letter is not written with: it could only leak. */
const WITHHELD = new Set(["email", "phone"]);

export const BLOCKS = ["sender", "template", "lead", "research"] as const;
type BlockName = (typeof BLOCKS)[number];
export type Data = Readonly<Record<BlockName, Facts>>;

/** A sentence of a stranger's text that the model is not shown. */
export interface LeftOut {
  of: "lead" | "research";
  /** The lead's field, or the source, by its name. */
  from: string;
  text: string;
  /** `hidden`: the page shows it to no reader; it is given decoded. */
  kind: Stranger["kind"] | "hidden";
}

/** Characters that tell in which language a lead is spoken of. */
const OF_LANGUAGE = 2_000;

export interface ShownData {
  data: Data;
  leftOut: readonly LeftOut[];
}

/**
 * What the model is shown, cut to `MAX_DATA`, without what orders something in a text of a stranger: a fact that is left
 * out with it costs less than a letter that obeys.
 */
export function shownData(request: DraftRequest): ShownData {
  const data = cutData(request);
  const { first_name: firstName = "", company = "" } = request.lead;
  const text = [...Object.values(data.research), ...Object.values(data.lead)].join("\n");
  const language = languageOf(text.slice(0, OF_LANGUAGE))?.language ?? "en";
  const about = { firstName: fold(firstName), company: fold(company), language };
  const lead = withoutOrdersIn("lead", data.lead, about);
  const research = withoutOrdersIn("research", data.research, about);
  return {
    data: { ...data, lead: lead.shown, research: research.shown },
    leftOut: [...commentsIn(request), ...lead.leftOut, ...research.leftOut],
  };
}

const NAMES = /name|company|organi[sz]ation|title|role/i;

function kindOf(of: LeftOut["of"], name: string): Stranger["kind"] {
  if (of === "lead") return NAMES.test(name) ? "name" : "field";
  return name === "website" ? "page" : "search";
}

function withoutOrdersIn(
  of: LeftOut["of"],
  facts: Facts,
  about: About,
): { shown: Facts; leftOut: LeftOut[] } {
  const sifted = Object.entries(facts).map(([from, text]) => {
    const kind = kindOf(of, from);
    return { of, from, kind, ...withoutOrders({ name: from, text, kind }, about) };
  });
  const shown = sifted.filter((each) => each.shown !== "");
  return {
    shown: Object.fromEntries(shown.map((each) => [each.from, each.shown])),
    leftOut: sifted.flatMap(({ from, kind, hidden, leftOut }) => [
      ...hidden.map((text) => ({ of, from, text, kind: "hidden" as const })),
      ...leftOut.map((text) => ({ of, from, text, kind })),
    ]),
  };
}

const COMMENT = /<!--([^]{3,600}?)-->/g;
const MAX_COMMENTS = 20;

/** What stands in a text for no reader: a letter that says it did not find it by chance. */
function commentsIn({ lead, research }: DraftRequest): LeftOut[] {
  const texts = [
    ...Object.entries(lead).map(([from, text]) => ({ of: "lead" as const, from, text })),
    ...research.sources.map(({ name, summary }) => ({
      ...{ of: "research" as const, from: name, text: summary },
    })),
  ];
  return texts
    .filter(({ text }) => text.includes("<!--"))
    .flatMap(({ of, from, text }) =>
      [...text.slice(0, MAX_DATA).matchAll(COMMENT)].slice(0, MAX_COMMENTS).map(([, comment]) => ({
        ...{ of, from, text: comment!.normalize("NFKC"), kind: "hidden" as const },
      })),
    );
}

/** Everything that is known, cut to `MAX_DATA`, orders among it. */
export function cutData({ sender, template, lead, research }: DraftRequest): Data {
  const pages = research.sources.map(({ name, summary }) => [name, summary] as const);
  const data = {
    sender: cleanFacts(sender),
    template: cleanFacts(template ?? {}),
    lead: cleanFacts(lead),
    research: cleanFacts(Object.fromEntries(pages)),
  };
  const shares = fairShares(
    BLOCKS.map((name) => sizeOf(data[name])),
    MAX_DATA,
  );
  const cut = BLOCKS.map((name, at) => [name, cutFacts(data[name], shares[at]!)] as const);
  return Object.fromEntries(cut) as Record<BlockName, Facts>;
}

const cleanFacts = (facts: Readonly<Record<string, string>>): Facts =>
  Object.fromEntries(
    Object.entries(facts)
      .filter(([key]) => !WITHHELD.has(key))
      .map(([key, value]) => [cleanText(key).slice(0, MAX_KEY), cleanText(value)])
      .filter(([, value]) => value !== ""),
  );

const sizeOf = (facts: Facts): number =>
  Object.entries(facts).reduce((sum, [key, value]) => sum + key.length + value.length, 0);

function cutFacts(facts: Facts, size: number): Facts {
  const entries = Object.entries(facts);
  if (sizeOf(facts) <= size) return facts;
  const shares = fairShares(
    entries.map(([key, value]) => key.length + value.length),
    size,
  );
  const cut = entries.map(([key, value], at) => {
    const length = Math.max(0, shares[at]! - key.length);
    return [
      key,
      value
        .slice(0, length)
        .replace(/[\ud800-\udbff]$/, "")
        .trim(),
    ] as const;
  });
  return Object.fromEntries(cut.filter(([, value]) => value !== ""));
}

/**
 * How much of `total` each may take that wants `sizes`: what is small is kept whole, and what is large shares the rest evenly,
 * so that no long text pushes out another.
 */
export function fairShares(sizes: readonly number[], total: number): number[] {
  const shares = sizes.map(() => 0);
  let left = total;
  const bySize = sizes.map((size, at) => ({ size, at })).toSorted((a, b) => a.size - b.size);
  for (const [rank, { size, at }] of bySize.entries()) {
    const share = Math.min(size, Math.floor(left / (bySize.length - rank)));
    shares[at] = share;
    left -= share;
  }
  return shares;
}
