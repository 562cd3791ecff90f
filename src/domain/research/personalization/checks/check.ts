import { type Marks, shownData } from "../build-prompt.ts";
import type { DraftRequest, Facts } from "../draft.ts";
import { cleanText } from "../clean-text.ts";
import { type Addresses, addressesIn } from "./addresses.ts";
import { fold, wordsOf } from "../normalize-text.ts";

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

/** A text of a stranger, under the name by which a person knows it. */
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
  /** The customer's own words, folded: profile, template and prompt. What stands there, a draft may say. */
  own: string;
  ownAddresses: Addresses;
  /** The words of strangers, as the model was shown them: lead and research. */
  foreign: readonly Foreign[];
}

/** True for a draft that must not be sent. Each check is one rule, independent of the rest, in time linear in the text. */
export type Check = (draft: Read, given: Given) => boolean;

export function givenOf(request: DraftRequest, marks: Marks): Given {
  const { sender, template, prompt } = request;
  const own = [
    ...Object.values(sender),
    ...(template === null ? [] : [template.subject, template.body]),
    prompt.text,
  ]
    .map(cleanText)
    .join("\n");
  return {
    request,
    marks,
    own: fold(own),
    ownAddresses: addressesIn(own),
    foreign: foreignOf(request),
  };
}

function foreignOf(request: DraftRequest): Foreign[] {
  const { lead, research } = shownData(request);
  // Circled and full-width letters are letters.
  const plain = (text: string) => text.normalize("NFKC");
  const columns = {
    name: "column names",
    text: plain(Object.keys(lead).join("\n")),
    isPage: false,
  };
  const fields = Object.entries(lead).map(([name, text]) => ({
    name,
    text: plain(text),
    isPage: false,
  }));
  const sources = Object.entries(research).map(([name, text]) => ({
    ...{ name, text: plain(text), isPage: name === "website" },
  }));
  return [columns, ...fields, ...sources, ...commentsIn(request)];
}

const COMMENT = /<!--([^]{3,600}?)-->/g;
const MAX_COMMENTS = 20;

/** What stands in a text for no reader: a model is not shown it, and a letter that says it did not find it by chance. */
const commentsIn = ({ lead, research }: DraftRequest): Foreign[] =>
  [
    ...Object.entries(lead),
    ...research.sources.map(({ name, summary }) => [name, summary] as const),
  ]
    .filter(([, text]) => text.includes("<!--"))
    .flatMap(([name, text]) =>
      [...text.slice(0, 20_000).matchAll(COMMENT)].slice(0, MAX_COMMENTS).map(([, comment]) => ({
        ...{ name: `a comment in ${name}`, text: comment!.normalize("NFKC"), isPage: false },
      })),
    );

/** Facts of a lead that name a person or a company. */
export const namesOf = (lead: Facts): string[] =>
  Object.entries(lead)
    .filter(([key]) => /name|company|organi[sz]ation|title|role/i.test(key))
    .map(([, value]) => value.slice(0, 300));
