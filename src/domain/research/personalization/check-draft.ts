import { type Check, type Given, readWritten, type Written } from "./checks/check.ts";
import * as contact from "./checks/contact.ts";
import * as form from "./checks/form.ts";
import * as language from "./checks/language.ts";
import * as leaks from "./checks/leaks.ts";
import * as letter from "./checks/letter.ts";
import { takenOrder } from "./checks/orders.ts";

/**
 * Each check with what it says, to the customer and to the model, which gets to see its own fault and never the words that
 * made it one: those may be an order.
 */
const CHECKS = {
  subject: [form.isNoSubject, "The subject is not one line of 1 to 200 characters."],
  body: [form.isNoBody, "The body has not between 20 and 10,000 characters."],
  invisible: [form.hasInvisible, "The text has characters that nobody can see."],
  look_alikes: [language.hasLookAlikes, "A word mixes letters of two alphabets."],
  placeholder: [form.hasPlaceholder, "The text has a placeholder that nobody filled in."],
  markup: [form.hasMarkup, "The text has HTML, Markdown or an address that is code."],
  link: [contact.hasForeignLink, "The text has a web address that nobody gave."],
  email: [contact.hasForeignEmail, "The text has an email address that nobody gave."],
  handle: [contact.hasForeignHandle, "The text has an account name (@name) that nobody gave."],
  number: [
    contact.hasForeignNumber,
    "The text has a telephone or account number that nobody gave.",
  ],
  code: [contact.hasForeignCode, "The text has a long code or key that nobody gave."],
  mark: [leaks.hasMark, "The text gives the prompt's reference away."],
  rule_text: [leaks.hasRuleText, "The text repeats its own instructions."],
  machine_talk: [
    leaks.isMachineTalk,
    "The text speaks as a machine, or of prompts and instructions.",
  ],
  second_letter: [letter.hasSecondLetter, "The text has mail headers or a quoted mail."],
  greeting: [letter.greetsAnother, "The text greets somebody who is not the lead."],
  signature: [letter.signsAsAnother, "The text is signed by somebody who is not the sender."],
  attachment: [letter.speaksOfAttachment, "The text speaks of an attachment, and there is none."],
  secrets: [letter.asksForSecrets, "The text asks for passwords, accounts or payments."],
  language: [language.isOtherLanguage, "The text is in another language than it should be."],
  order: [
    (draft, given) => takenOrder(draft, given) !== null,
    "The text repeats what the data orders its writer to say.",
  ],
} as const satisfies Record<string, readonly [Check, string]>;

export type CheckName = keyof typeof CHECKS;
export const CHECK_NAMES = Object.keys(CHECKS) as CheckName[];

/** The checks that a draft does not pass; none for one that may be sent. */
export function faultsOf(written: Written, given: Given): CheckName[] {
  const draft = readWritten(written);
  return CHECK_NAMES.filter((name) => CHECKS[name][0](draft, given));
}

export const inWords = (name: CheckName): string => CHECKS[name][1];

const MAX_QUOTED = 200;
const quoted = (text: string): string =>
  JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);

/** The faults as a person is told them: of an order, with the sentence that it led to and where it came from. */
export function reasonOf(faults: readonly CheckName[], written: Written, given: Given): string {
  const taken = faults.includes("order") ? takenOrder(readWritten(written), given) : null;
  const order =
    taken === null
      ? []
      : [
          `${quoted(taken.said)} was taken over from ${taken.from}, as an order: ${quoted(taken.order)}.`,
        ];
  return [...order, ...faults.map(inWords)].join(" ");
}
