import { INVISIBLE } from "../clean-text.ts";
import { fold } from "../normalize-text.ts";
import type { Check } from "./check.ts";

export const MAX_SUBJECT = 200;
export const BODY_LENGTH = { min: 20, max: 10_000 };

/** One line that says something, unless it continues a thread. */
export const isNoSubject: Check = ({ subject }, { request }) =>
  request.continuesThread
    ? subject !== ""
    : subject.trim() === "" ||
      subject.length > MAX_SUBJECT ||
      /[\r\n\u0085\u2028\u2029\v\f]/.test(subject);

export const isNoBody: Check = ({ body }) => {
  const { length } = body.trim();
  return length < BODY_LENGTH.min || length > BODY_LENGTH.max;
};

/** Emoji are joined by them, and words of Arabic and Indian scripts are spelled with them. */
const NEEDED =
  /\p{Extended_Pictographic}[\ufe0f\u200d]+|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{M}])[\u200c\u200d]/gu;

export const hasInvisible: Check = ({ text }) => text.replace(NEEDED, "").search(INVISIBLE) !== -1;

const HOLES = [
  /[{}]/,
  /[[［【](?!https?:)[^[\]［］【】\n]{1,60}[\]］】]/,
  /\b[xX]{3,}\b|_{3,}|\.{6,}|\?{4,}|#{3,}/,
  /\blorem ipsum\b/i,
  /(?<![\p{L}\p{N}])(?:%|\$|#|\*\||__)[a-zA-Z][a-zA-Z0-9_]{2,40}(?:%|#|\|\*|__|(?<=_[a-zA-Z0-9]{1,20})\b)/u,
  /\b(?:TODO|TBD|FIXME|N\/A)\b/,
  /\b[A-Z]{2,20}_[A-Z_]{2,40}\b/,
  /\((?:your |the |first |last |full )?(?:name|company|title|recipient|sender)\)/i,
  /\b(?:FIRST|LAST|FULL|COMPANY|RECIPIENT|SENDER|CUSTOMER|CONTACT|INSERT|YOUR)? ?(?:NAME|RECIPIENT|FIRSTNAME|LASTNAME|SURNAME)\b/,
  /\b(?:first|last|full|company|lead|sender|contact|user|customer|recipient|job)_[a-z_]{2,40}\b/,
  /\b(?:insert|your|recipient'?s?|sender'?s?|company|first|last|lead) (?:name|company|title) here\b/i,
  /\b(?:undefined|NaN|\[object Object\])(?=[\s,.!]|$)/,
];

/** A placeholder that the model left to be filled in. */
export const hasPlaceholder: Check = ({ text }, { own }) =>
  HOLES.some((hole) => {
    const [found] = hole.exec(text) ?? [];
    return found !== undefined && !(/^[[［]/.test(found) && own.includes(fold(found)));
  });

const MARKUP = [
  /<\s?[a-z!/?][^\n]{0,100}/i,
  /&(?:[a-z]{2,8}|#x?[0-9a-f]{1,6});/i,
  /!?\[[^\]\n]{0,200}\] ?\(/,
  /\*\*[^*\n]{1,200}\*\*|^#{1,6} |```|^\|.*\|$/m,
  /\b(?:javascript|vbscript|data|mailto|tel|sms|callto|skype|whatsapp|tg|intent|file|blob|cid):(?=[^\s])/i,
];

/** Tags, entities, Markdown, and addresses that are code: a draft is plain text. */
export const hasMarkup: Check = ({ text }) => {
  const plain = text.normalize("NFKC");
  return MARKUP.some((pattern) => pattern.test(plain));
};
