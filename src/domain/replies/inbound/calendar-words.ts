/** Lower case without diacritics, so that `août`, `Août` and `aout` are one word; Hangul is whole again. */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFD")
    // But for the marks that make another sound of a kana.
    .replace(/(?![\u3099\u309a])\p{M}/gu, "")
    .normalize("NFC");

/** Months in English, German, French, Spanish, Portuguese, Italian, Dutch, the Nordic languages, Polish, Czech, Russian. */
const MONTHS: readonly string[] = [
  "jan(uary|uar|ner|vier|eiro|uari|v)?|ener?o?|gen(naio)?|sty(cznia|czen|czniu)?|ledna|январ[яье]|tammikuuta",
  "feb(ruary|ruar|rero|braio|ruari)?|fev(rier|ereiro|r)?|lut(ego|y|ym)?|unora|феврал[яье]|helmikuuta",
  "mar(ch|zo|co|s|ca|zec|cu)?|marz|maerz|maart|mrt|brezna|март[ае]?|maaliskuuta",
  "apr(il|ile|ila)?|avr(il)?|abr(il)?|kwietniu|kwietnia|kwiecien|dubna|апрел[яье]|huhtikuuta",
  "may|mai|maj(a|o|u)?|mayo|maio|mei|mag(gio)?|kvetna|ма[яие]|toukokuuta",
  "jun(e|i|io|ho)?|juin|giu(gno)?|czerw(ca|iec|cu)|cervna|июн[яье]|kesakuuta",
  "jul(y|i|io|ho)?|juil(let)?|lug(lio)?|lip(ca|iec|cu)|cervence|июл[яье]|heinakuuta",
  "aug(ust|usti|ustus)?|aout|ago(sto)?|sierp(nia|ien|niu)|srpna|август[ае]?|elokuuta",
  "sep(t|tember|tembre|tiembre)?|set(tembre|embro)?|wrze(snia|sien|sniu)|zari|сентябр[яье]|syyskuuta",
  "oct(ober|obre|ubre)?|okt(ober)?|ott(obre)?|out(ubro)?|pazdziernik[au]?|rijna|октябр[яье]|lokakuuta",
  "nov(ember|embre|iembre|embro)?|listopad(a|zie)?|ноябр[яье]|marraskuuta",
  "dec(ember|embre)?|dez(ember|embro)?|dic(iembre|embre)?|des(ember)?|grud(nia|zien|niu)|prosince|декабр[яье]|joulukuuta",
];

/** From Sunday, as `getUTCDay` counts. */
const WEEKDAYS: readonly string[] = [
  "sunday|sonntag|dimanche|domingo|domenica|zondag|sondag|niedziel[ae]|воскресень[ея]|日曜日?|星期日|周日",
  "monday|montag|lundi|lunes|segunda(-feira)?|lunedi|maandag|mandag|poniedzialku?|понедельник[а]?|月曜日?|星期一|周一",
  "tuesday|dienstag|mardi|martes|terca(-feira)?|martedi|dinsdag|tirsdag|tisdag|wtor(ek|ku)|вторника?|火曜日?|星期二|周二",
  "wednesday|mittwoch|mercredi|miercoles|quarta(-feira)?|mercoledi|woensdag|onsdag|srod[ay]|сред[ауы]|水曜日?|星期三|周三",
  "thursday|donnerstag|jeudi|jueves|quinta(-feira)?|giovedi|donderdag|torsdag|czwart(ek|ku)|четверга?|木曜日?|星期四|周四",
  "friday|freitag|vendredi|viernes|sexta(-feira)?|venerdi|vrijdag|fredag|piat(ek|ku)|пятниц[ауы]|金曜日?|星期五|周五",
  "saturday|samstag|sonnabend|samedi|sabado|sabato|zaterdag|lordag|sobot[ay]|суббот[ауы]|土曜日?|星期六|周六",
];

/** The same in Turkish, whose cases are endings. */
const TURKISH_MONTHS =
  "ocak subat mart nisan may[iı]s haziran temmuz agustos eylul ekim kas[iı]m aral[iı]k".split(" ");
const TURKISH_WEEKDAYS = "pazar pazartesi sal[iı] carsamba persembe cuma cumartesi".split(" ");
const CASE = "([dt]?[ea]n?|[iı]n|y[ea]|si|gunu)?";

const withTurkish = (words: readonly string[], turkish: readonly string[]): string[] =>
  words.map((each, at) => `${each}|${turkish[at]}${CASE}`);
const months = withTurkish(MONTHS, TURKISH_MONTHS);
const weekdays = withTurkish(WEEKDAYS, TURKISH_WEEKDAYS);

const alternatives = (words: readonly string[]): string =>
  `(?<![\\p{L}])(?:${words.join("|").replaceAll("(", "(?:")})(?![\\p{L}])`;

/** Sources for expressions with the flag `u`, without groups of their own. */
export const MONTH = alternatives(months);
export const WEEKDAY = `(?:${weekdays.join("|").replaceAll("(", "(?:")})`;

const monthPatterns = months.map((names) => new RegExp(`^(${names})$`));
const weekdayPatterns = weekdays.map((names) => new RegExp(`^(${names})$`));

/** 1 to 12, or 0. Expects a folded word. */
export const monthNumber = (word: string): number =>
  monthPatterns.findIndex((each) => each.test(word)) + 1;

/** 0 (Sunday) to 6, or -1. Expects a folded word. */
export const weekdayNumber = (word: string): number =>
  weekdayPatterns.findIndex((each) => each.test(word));
