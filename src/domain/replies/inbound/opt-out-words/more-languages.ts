import type { OptOutWords } from "./language.ts";

/** Czech, Finnish and Korean, as far as a few forms go: not measured. */
export const moreLanguages: OptOutWords = {
  spaceless: true,
  alone:
    "수신거부|구독 ?취소|수신 ?거부합니다|odhlásit|odhlaste mě|vyřaďte mě|poista minut( listalta)?|peruuta tilaus|lopeta",
  courtesies: "prosím|děkuji|kiitos|부탁드립니다|해주세요|합니다",
  together: [],
  rights: [],
  reasons: [],
  offers: [],
  yes: "(?!)",
  asks: [
    "(메일|이메일|연락)(을|은)? ?(그만|더 이상)?.{0,6}(보내지|하지) ?(마|말)",
    "(수신|구독) ?(거부|취소|해지)(를|해|하|부탁|합)",
    "(odhlaste|vyřaďte|vymažte|odstraňte) (mě|nás|můj e-?mail|mou adresu)|(už mi|dále mi) (nepište|neposílejte)",
    "(poistakaa|poista) (minut|meidät|osoitteeni)|(älkää|älä) (lähettäkö|lähetä|ottako) (minulle|enää)",
  ],
  other: ["(kopie|kopio|cc|čekací|jonotus)"],
  narrower: ["(do ledna|až|asti|까지)"],
  elsewhere: ["(raději|mieluummin|대신)"],
  hints: ["수신거부|구독|odhlás|peruuta tilaus"],
};
