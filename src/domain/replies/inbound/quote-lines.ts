/** The lines where an answered message begins, in the ways mail programs mark it. */

const WROTE =
  /(?<![\p{L}])(wrote|writes|said|schrieb|schrieben|a [ée]crit|escribi[óo]|escreveu|ha scritto|scrisse|scritto|schreef|geschreven|skrev|skreiv|kirjoitti|napisa[łl](\(a\))?|napsala?|[ií]rta|a scris|je napisa[ol]a?|yazd[ıi]|[çc]ark[ée]n|shkroi|rakst[īi]ja|ra[šs][ėe]|kirjutas)(?![\p{L}])|написала?|пишет|pisze|написав|έγραψε|写道|寫道|のメール|さんは|님이|작성|כתב|كتب/iu;
/** The end of one without a colon: the verb, or after it the address. */
const ENDS_BARE =
  /((wrote|schrieb|[ée]crit|escribi[óo]|escreveu|scritto|schreef|skrev|napisał)|(wrote|schrieb|schreef|skrev)\s[^<>]{0,80}<[^<>\s]{3,100}>)$/iu;
const DATE_OR_TIME = /\b(\d{1,2}[:.]\d{2}|\d{4})\b|\d{1,2}\s*[月월]/;
const ADDRESS = /[^\s<>()[\]@]@[^\s<>()[\].@]+\.[^\s<>()[\]@]/;
/** How attributions begin where they take several lines: a preposition, a day, or a number. */
const OPENER =
  /^(on|at|am|le|el|em|il|op|den|w dniu|dnia|dne|dňa|vào|på|på|la|à|a|in data|в|у|от|пн|вт|ср|чт|пт|сб|вс|mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|mié|jue|vie|sáb|dom|seg|ter|qua|qui|sex|gio|sab|ma|ti|ke|to|pe|su|lø|fre|lør|søn|man|tir|ons|tor|tis|lör|sön|pon|wto|śro|czw|pią|sob|nie|\p{L}{2,7}(day|tag|dag|di)|tisdag|(lun|mar|mercole|giove|vener)dì|(lunes|martes|miércoles|jueves|viernes|sábado|domingo|samedi|dimanche|sabato|domenica|mittwoch))(?![\p{L}])|^\d|^["'“„]?[\p{L} .,-]{2,60}["'”“]? ?<\S+@/iu;
/** Norwegian and Danish Thunderbird ends with a name: "Den 12.03.2026 10:15, skrev Sam Sender". */
const NAMELESS_END =
  /^(den|på|on|am|op) [\d./-]{6,10},? (kl\.? ?)?\d{1,2}[:.]\d{2}(:\d{2})?,? (skrev|wrote|schrieb|schreef) \p{L}[^.!?]{1,80}$/iu;
const MAX_ATTRIBUTION = 400;
const MAX_ATTRIBUTION_LINES = 5;

/** Where the first line stands that is not blank, from `from` on; -1 for none. */
export function nextText(lines: readonly string[], from: number): number {
  for (let at = from; at < lines.length; at++) if (lines[at]!.trim() !== "") return at;
  return -1;
}

/**
 * How many lines from `at` on are an attribution such as "On 3 May 2026, Ann wrote:"; 0 for none.
 * Programs wrap it over several lines.
 */
export function attributionLength(lines: readonly string[], at: number): number {
  let joined = "";
  for (let count = 1; count <= MAX_ATTRIBUTION_LINES && at + count <= lines.length; count++) {
    const line = lines[at + count - 1]!.trim();
    if (line === "" || line.startsWith(">") || line.length > MAX_ATTRIBUTION) return 0;
    // Zoho frames it: "---- On Thu, ... wrote ----".
    joined = `${joined} ${line.replace(/^-{2,} | -{2,}$/g, "")}`.trimStart();
    if (joined.length > MAX_ATTRIBUTION) return 0;
    const opens = OPENER.test(joined);
    if (count > 1 && !opens) return 0;
    const ends = /[:\uff1a]["'”]?\s*$/.test(joined);
    // Some programs leave the colon out.
    const bare =
      !ends &&
      opens &&
      ((DATE_OR_TIME.test(joined) && ADDRESS.test(joined) && ENDS_BARE.test(joined)) ||
        NAMELESS_END.test(joined));
    if (!ends && !bare) continue;
    const next = lines[nextText(lines, at + count)] ?? "";
    const hasDate = DATE_OR_TIME.test(joined);
    const hasAddress = ADDRESS.test(joined);
    const wrote = bare || (WROTE.test(joined) && (hasDate || hasAddress || next.startsWith(">")));
    // Without a verb: "2026-05-03 10:00 GMT+2 Ann <ann@b.zz>:".
    if (
      wrote ||
      (hasDate && next.startsWith(">") && /^\d{1,4}[./-]\d/.test(joined)) ||
      (hasDate &&
        hasAddress &&
        /[>)\]]\s*[:\uff1a]$/.test(joined) &&
        /^\W?\d|^\p{L}+\.?,? \d/u.test(joined))
    )
      return count;
    // A sentence that ends in a colon is the writer's own.
    return 0;
  }
  return 0;
}

const FROM =
  "from|von|de|da|van|fra|från|od|kimden|feladó|lähettäjä|de la|от|від|发件人|發件人|寄件者|差出人|보낸 ?사람|από|מאת|من";
const OTHER =
  "sent|date|to|cc|subject|reply-to|importance|gesendet|datum|an|betreff|kopie|envoyé( le)?|à|objet|sujet|copie à|message du|date d'envoi|enviado( el| em)?|enviada( em)?|fecha|para|asunto|assunto|data|inviato|a|oggetto|verzonden|aan|onderwerp|sendt|til|emne|skickat|till|ämne|wysłano|do|temat|odesláno|komu|předmět|lähetetty|vastaanottaja|aihe|gönderilme|tarih|kime|konu|elküldve|címzett|tárgy|trimis|către|subiect|отправлено|дата|кому|тема|надіслано|发送时间|发送日期|收件人|主题|寄件日期|收件者|主旨|日時|送信日時|宛先|件名|보낸 ?날짜|날짜|받는 ?사람|제목";
const fromLine = new RegExp(`^[\\s*_]*(${FROM})[\\s*_]*[:\uff1a]`, "iu");
const otherLine = new RegExp(`^[\\s*_]*(${OTHER})[\\s*_]*[:\uff1a]`, "iu");

/** Whether a block of header lines as Outlook puts it above an answered message begins at this line. */
export function isHeaderBlock(lines: readonly string[], at: number): boolean {
  const first = lines[at]!;
  const startsWithFrom = fromLine.test(first);
  if (!startsWithFrom && !otherLine.test(first)) return false;
  let others = 0;
  let sender = startsWithFrom && /\S/.test(first.replace(fromLine, "") + (lines[at + 1] ?? ""));
  let unlabelled = 0;
  for (const line of lines.slice(at + 1, at + 9)) {
    if (otherLine.test(line)) others++;
    else if (fromLine.test(line)) sender = true;
    else if (line.trim() === "" || ++unlabelled > 3) break;
  }
  // "De:" and "A:" are words too: more labels are asked where no address helps.
  const hasAddress = lines.slice(at, at + 6).some((line) => ADDRESS.test(line));
  return sender && others >= (hasAddress ? 1 : 3) + (startsWithFrom ? 0 : 1);
}

const ORIGINAL =
  /^[\s>]*[-_*=]{2,}\s*(original|ursprüngliche|ursprungliche|message d'origine|message transféré|mensaje|mensagem|messaggio|oorspronkelijk|doorgestuurd|forwarded|weitergeleitete|begin forwarded|reply|opprinnelig|oprindelig|ursprungligt|vidarebefordrat|videresendt|alkuperäinen|wiadomość|oryginalna|původní|исходное|пересылаемое|original-nachricht|antwort|转发|原始|原始邮件|元のメッセージ|원본)[^\n]{0,60}$/iu;
const FORWARD =
  /^\s*(begin forwarded message|anfang der weitergeleiteten|début du message (réexpédié|transféré)|inizio messaggio inoltrato)\b.*[:\uff1a]?\s*$/iu;
/** Orange and SFR name the day above the labels: "Message du 12/03/26 10:15". */
const DATED = /^\s*message du\s*[:\uff1a]?\s*\d{1,2}\/\d{1,2}\/\d{2,4}/iu;
const RULE = /^\s*[_*=]{8,}\s*$|^\s*-{12,}\s*$/;
/** Where support desks ask to write above. */
const REPLY_ABOVE =
  /^[\s#*>=-]*(please )?(type|write|reply|respond|enter)( your (reply|response|answer))? (above|over) (this|the|—)? ?line|^\W*(reply|antwort|répondre|odpověď) (above|oberhalb|au-dessus)/iu;

function isHeaderBlockSoon(lines: readonly string[], at: number): boolean {
  const next = nextText(lines, at + 1);
  return next !== -1 && next - at <= 3 && isHeaderBlock(lines, next);
}

/** Whether everything from this line on is the answered message. */
export function startsAnswered(lines: readonly string[], at: number): boolean {
  const line = lines[at]!;
  if (ORIGINAL.test(line) || FORWARD.test(line) || REPLY_ABOVE.test(line)) return true;
  if (DATED.test(line) && (/\sde\s?:/i.test(line) || isHeaderBlockSoon(lines, at))) return true;
  if (RULE.test(line)) return isHeaderBlockSoon(lines, at);
  return isHeaderBlock(lines, at);
}
