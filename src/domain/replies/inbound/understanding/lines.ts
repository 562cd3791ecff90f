const MAX_TEXT = 1_500;
/** What companies have below their mail of secrecy and of mail that went astray, to its end. */
const FOOTER =
  /(?:^|\n)[^\n]{0,200}(confidential|(received?|erhalten|reçu|recibido|ricevuto|ontvangen|recebeu) (\p{L}+ ){0,4}(in error|by mistake|irrtümlich|par erreur|por error|per errore|per ongeluk|por engano)|intended recipient|vertraulich|confidentiel|confidencial|riservat|vertrouwelijk|konfidentiell|fortrolig|poufn|конфиденциальн|gizlidir|機密|保密)[^]*$/iu;
/** The separator of a signature, and what a program has below it. */
const BELOW_RULE = /\n--[ \n][^]*$/u;
const LONG_LINE_GOES_ON = /(?<=[^\n]{50})\n(?=\p{Ll})/gu;
/** "Leave. Me. Alone." */
const STOP_WITHIN = /(?<=(?:^|[.!?]\s)\p{L}{1,12})[.!]\s(?=\p{L}{1,12}[.!](?:\s|$))/gu;

/** The words of a reply that are judged. */
export function judgedText(visible: string): string {
  const own = visible.slice(0, MAX_TEXT).replace(/^(?:\s*\n)*/u, "");
  return own.replace(FOOTER, "").replace(BELOW_RULE, "").replace(LONG_LINE_GOES_ON, " ");
}

/** The end of a short line may be that of a sentence, or a program has wrapped it there. */
export function readingsOfLines(text: string): string[] {
  return [
    ...new Set([text, text.replace(/(?<!\n)\n(?!\n)/g, " "), text.replace(STOP_WITHIN, " ")]),
  ];
}
