/** What a search result's title says, as the network writes it in every language: name, headline, employer. */
export interface ProfileTitle {
  name: string;
  /** The parts behind the name; the network's own name is none of them. */
  parts: string[];
  /** Search engines cut long titles. */
  isCut: boolean;
}

const SITE_NAMES = /^(linked\s?in|领英|링크드인|リンクトイン)\b/i;
const CUT = /\s*(\.\.\.|…)\s*$/;

export function readTitle(title: string): ProfileTitle {
  const whole = title.normalize("NFKC").slice(0, 500).replace(/\s+/g, " ").trim();
  const pieces = whole.split(/ [-–—|·•] |\s*[|｜]\s*/u).map((piece) => piece.trim());
  const [name = "", ...rest] = pieces.filter((piece) => piece !== "" && !SITE_NAMES.test(piece));
  const isCut = pieces.some((piece) => CUT.test(piece));
  return {
    name: name.replace(CUT, ""),
    parts: rest.map((part) => part.replace(CUT, "")).filter((part) => part !== ""),
    isCut,
  };
}
