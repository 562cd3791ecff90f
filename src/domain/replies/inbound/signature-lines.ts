/** Lines that mail programs and habits put below what was written. */

const SENT_FROM =
  /^\s*(sent (from|via|with|using) (my |the )?|get outlook for|télécharger outlook|outlook für|obtener outlook|envoyé (à partir d|de|depuis)|von meinem|gesendet (von|mit|über)|diese nachricht wurde von|enviado (desde|a partir d|do|de|con|com)|inviato da|verstuurd (vanaf|met|via)|verzonden (vanaf|met|via)|skickat från|sendt fra|lähetetty|wysłane z|wysłano z|odesláno z|отправлено (с|из)|надіслано|iphone ?から送信|发自我的|從我的|나의 .* 보냄|gönderildi)/iu;
const SIGN_OFF =
  /^\s*((with )?(best|kind(est)?|warm(est)?|many|with) ?(regards|wishes|thanks)?|regards|br|brgds|rgds|cheers|sincerely( yours)?|yours( (sincerely|truly|faithfully))?|thank(s| you)( (again|in advance|so much|and (best|kind) regards))?|all the best|take care|mit (freundlichen|besten|lieben|herzlichen) gr(ü|ue)(ß|ss)en|(freundliche|beste|liebe|viele|schöne|herzliche) gr(ü|ue)(ß|ss)e|mfg|lg|vg|(bien )?cordialement( vôtre)?|bien à vous|sincères salutations|bonne journée|(un )?(cordial(es)? )?saludos?( cordiales)?|atentamente|un abrazo|(com os )?(melhores )?cumprimentos|atenciosamente|att|abraços?|(cordiali|distinti) saluti|un saluto|(met )?vriendelijke groet(en)?|hartelijke groet|groet(en|jes)?|(med )?vänlig(a)? hälsning(ar)?|mvh|(med )?venlig hilsen|(med )?vennlig hilsen|ystävällisin terveisin|(z poważaniem|pozdrawiam)|s pozdravem|с уважением|üdvözlettel|saygılarımla|よろしくお願い(いた|致)?します|此致|敬上)\s*[,.!–-]*\s*$/iu;
/** "-Ann Lee", alone at the end. */
const DASHED_NAME = /^\s*[-–—] ?\p{Lu}[\p{L}.'-]+( \p{Lu}[\p{L}.'-]*){0,2}\s*$/u;
// A separator does not begin with the hyphen that a word may hold: else each is tried as both.
const NAME =
  /^\s*(?!\p{Ll}+ \p{Ll})[*_]*[\p{L}][\p{L}.'’-]*([ ,|/&][ ,|/&-]*[\p{L}(][\p{L}.'’)-]*){0,5}[*_]*\s*(?<![\p{L}]{3}[.!])$/u;
const MAX_SIGNATURE_LINES = 14;
/** Below a delimiter it may have more. */
const MAX_DELIMITED_LINES = 30;
/** A longer line is no name and no formula, whose patterns take more than the square of it. */
const MAX_LINE = 90;

/**
 * Where the signature begins in lines without quotes: at the delimiter of RFC 3676 section 4.3, at a
 * mail program's own line, or at a closing formula with little behind it. `lines.length` for none.
 */
export function signatureStart(lines: readonly string[]): number {
  const texts = lines.flatMap((line, at) => (line.trim() === "" ? [] : [at]));
  const first = texts[0] ?? -1;
  // What more lines follow on is no signature.
  const from = Math.max(first, texts.at(-MAX_DELIMITED_LINES - 2) ?? 0, 0) + 1;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.trim() === "") continue;
    const rest = lines.slice(at + 1).filter((each) => each.trim() !== "");
    if (/^\s*(--|––|—|__|\*\*)\s*$/.test(line)) {
      // A name above the delimiter belongs to it.
      const above = lines.slice(0, at).findLastIndex((each) => each.trim() !== "");
      return above > first && DASHED_NAME.test(lines[above]!) ? above : at;
    }
    if (isSentFrom(line) && rest.length <= 4) return at;
    if (line.length > MAX_LINE) continue;
    if (DASHED_NAME.test(line) && rest.length === 0 && lines[at - 1]!.trim() === "") return at;
    if (SIGN_OFF.test(line) && isBlock(rest)) return at;
  }
  return lines.length;
}

/** What stands below a closing formula: a name first, then short lines, links and addresses. */
const isBlock = (rest: readonly string[]): boolean =>
  rest.length > 0 &&
  rest.length <= MAX_SIGNATURE_LINES &&
  rest[0]!.length <= MAX_LINE &&
  NAME.test(rest[0]!) &&
  rest.every((each) => /https?:|@|www\./.test(each) || (each.length < 110 && !/\?\s*$/.test(each)));

const DEVICE =
  /^\W*(sent (from|via|with|using)|enviado (desde|d[eo]|com?n?)|envoyé (de|depuis)|von meinem|gesendet (von|mit)|inviato da|verstuurd vanaf|verzonden (vanaf|met))( [^\s,]+){0,5}? \S*(phone|ipad|galaxy|android|blackberry|mobile|tablet|outlook|mail|gerät|handy)/iu;

/** "Sent from my desk, which is easier" is a sentence. */
function isSentFrom(line: string): boolean {
  const text = line
    .slice(0, 1_000)
    .trim()
    .replace(/<[^>]*>/g, "");
  if (text.length > 90 || !SENT_FROM.test(text)) return false;
  return DEVICE.test(text) || (!/[,;]\s|\.\s+\p{L}/u.test(text) && !/\p{L}{3,}\.$/u.test(text));
}
