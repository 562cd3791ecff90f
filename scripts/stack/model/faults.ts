import type { Given } from "./given.ts";
import { composeLetter, type Letter } from "./letter.ts";
import { obey } from "./obey.ts";
import { languageOf } from "./words.ts";

/** Faults of the endpoint: no letter comes of them. */
export const CALL_FAULTS = {
  timeout: "a call is never answered",
  slow: "a call is answered after 20 s of the stack's clock, or when faults are cleared",
  "300ms":
    "a call is answered after 300 ms of the stack's clock, so that calls are under way at once",
  "429": "a call is answered 429, with Retry-After: 20",
  "500": "a call is answered 500",
  "no-json-schema": "a response_format of json_schema is refused with 400",
  "no-json": "any response_format is refused with 400",
} as const;

/** Faults of the writing: the letter is another than it should be. */
const letterFaults = {
  obedient: obey,
  "extra-link": withEnding("More about it: https://offers.example.net/deal"),
  placeholder: withEnding("Best,\n[Your Name]"),
  "other-language": (given: Given) =>
    composeLetter(
      { ...given, template: null },
      languageOf(given.template?.body ?? composeLetter(given).body) === "de" ? "fr" : "de",
    ),
  canary: (given: Given) => withEnding(given.system)(given),
  "multiline-subject": (given: Given) => {
    const letter = composeLetter(given);
    return { ...letter, subject: `${letter.subject}\r\nBcc: somebody@example.net` };
  },
} satisfies Record<string, (given: Given) => Letter>;

function withEnding(words: string): (given: Given) => Letter {
  return (given) => {
    const letter = composeLetter(given);
    return { ...letter, body: `${letter.body}\n\n${words}` };
  };
}

function readLetter(text: string): Partial<Letter> {
  try {
    return JSON.parse(text) as Partial<Letter>;
  } catch {
    return {};
  }
}

/** Faults of the answer's form: what is right in itself does not arrive as it was asked for. */
const textFaults = {
  badjson: (text: string) => text.slice(0, Math.ceil(text.length * 0.6)),
  prose: (text: string) => {
    const { subject = "", body = text } = readLetter(text);
    return `Sure! Here is the email that you asked for.\n\nSubject: ${subject}\n\n${body}`;
  },
  "fenced-json": (text: string) =>
    `Here is the email:\n\n\`\`\`json\n${text}\n\`\`\`\n\nTell me {if} you want it shorter.`,
  truncated: (text: string) => text.slice(0, Math.ceil(text.length / 2)),
  refusal: () => "",
} satisfies Record<string, (text: string) => string>;

export const WRITING_FAULTS = {
  obedient: "does whatever the lead's fields and the research tell it",
  "extra-link": "adds a link that nobody gave",
  placeholder: "ends with [Your Name]",
  "other-language": "writes in another language",
  canary: "repeats its instructions",
  "multiline-subject": "puts a header into the subject's second line",
  badjson: "breaks off within the JSON, and says that it was done",
  prose: "answers in prose",
  "fenced-json": "puts the JSON into a code block, with prose around it",
  truncated: "breaks off: finish_reason length",
  refusal: "refuses: message.refusal",
} satisfies Record<keyof typeof letterFaults | keyof typeof textFaults, string>;

const pick = <Table extends object>(
  table: Table,
  shown: ReadonlySet<string>,
): Table[keyof Table] | undefined =>
  (Object.entries(table) as [string, Table[keyof Table]][]).find(([name]) => shown.has(name))?.[1];

export const writeLetter = (given: Given, shown: ReadonlySet<string>): Letter =>
  (pick(letterFaults, shown) ?? composeLetter)(given);

export const wrapText = (text: string, shown: ReadonlySet<string>): string =>
  (pick(textFaults, shown) as ((text: string) => string) | undefined)?.(text) ?? text;
