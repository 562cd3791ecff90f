/** Czech, Finnish and Korean, in plain letters, as far as a few forms go: nothing is trained and nothing measured. */
const ASKS =
  /(메일|이메일|연락)(을|은)? ?(그만|더 이상)?.{0,6}(보내지|하지) ?(마|말)|(수신|구독) ?(거부|취소|해지)|(odhlaste|vyradte|vymazte|odstrante) (me|nas|muj e-?mail|mou adresu)|odhlasit|(uz mi|dale mi) (nepiste|neposilejte)|(poistakaa|poista) (minut|meidat|osoitteeni)|(alkaa|ala) (lahettako|laheta|ottako) (minulle|enaa)|peruuta tilaus/u;
const NARROWER =
  /kopie|kopio|(?<!\p{L})cc(?!\p{L})|cekaci|jonotus|do ledna|asti|까지|radeji|mieluummin|대신/u;

export const asksInMoreLanguages = (plain: string): boolean =>
  ASKS.test(plain) && !NARROWER.test(plain);
