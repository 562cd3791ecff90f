import type { Marks } from "../build-prompt.ts";
import type { DraftRequest, Facts } from "../draft.ts";
import { cleanText } from "../clean-text.ts";
import { type Addresses, addressesIn } from "./addresses.ts";
import { fold, wordsOf } from "../normalize-text.ts";
import { linksBegun, linksOfColumns, wordsOfTemplate } from "./own-template.ts";
import { type LeftOut, type ShownData, shownData } from "../shown-data.ts";

/** What a model wrote for one lead. */
export interface Written {
  /** "" where it continues a thread. */
  subject: string;
  body: string;
}

/** The same, in the forms in which the checks compare it. */
export interface Read extends Written {
  /** Subject and body as a reader sees them. */
  text: string;
  folded: string;
  /** Of the folded text. */
  words: readonly string[];
  addresses: Addresses;
}

export function readWritten({ subject, body }: Written): Read {
  const text = `${subject}\n${body}`;
  const folded = fold(text);
  return { subject, body, text, folded, words: wordsOf(folded), addresses: addressesIn(text) };
}

/** A text of a stranger as the model was shown it, under the name by which a person knows it. */
export interface Foreign {
  name: string;
  text: string;
  /** A website, on which orders are given to all visitors. */
  isPage: boolean;
}

/** What a draft is held against. */
export interface Given {
  request: DraftRequest;
  marks: Marks;
  /** The customer's own words, folded: profile, template (without what leads fill in) and prompt. What stands there, a draft may say. */
  own: string;
  ownAddresses: Addresses;
  /** The words of strangers, as the model was shown them: lead and research. */
  foreign: readonly Foreign[];
  /** What of these texts the model was not shown, because it orders something. */
  leftOut: readonly LeftOut[];
}

/** True for a draft that must not be sent. Each check is one rule, independent of the rest, in time linear in the text. */
export type Check = (draft: Read, given: Given) => boolean;

export function givenOf(
  request: DraftRequest,
  marks: Marks,
  shown: ShownData = shownData(request),
): Given {
  const { sender, prompt } = request;
  const own = [
    ...Object.values(sender).map(cleanText),
    wordsOfTemplate(request),
    cleanText(prompt.text),
  ].join("\n");
  const addresses = addressesIn(own);
  return {
    request,
    marks,
    own: fold(own),
    ownAddresses: {
      ...addresses,
      links: [...addresses.links, ...linksBegun(request), ...linksOfColumns(request)],
    },
    foreign: foreignOf(shown),
    leftOut: shown.leftOut,
  };
}

function foreignOf({ data: { lead, research } }: ShownData): Foreign[] {
  const columns = { name: "column names", text: Object.keys(lead).join("\n"), isPage: false };
  const fields = Object.entries(lead).map(([name, text]) => ({ name, text, isPage: false }));
  const sources = Object.entries(research).map(([name, text]) => ({
    ...{ name, text, isPage: name === "website" },
  }));
  return [columns, ...fields, ...sources].map((each) => ({
    ...each,
    // Circled and full-width letters are letters.
    text: each.text.normalize("NFKC"),
  }));
}

/** Facts of a lead that name a person or a company. */
export const namesOf = (lead: Facts): string[] =>
  Object.entries(lead)
    .filter(([key]) => /name|company|organi[sz]ation|title|role/i.test(key))
    .map(([, value]) => value.slice(0, 300));
