import { plainLetters } from "./plain-letters.ts";

/** Small words by which a language is known, in plain letters; what several share counts for each. */
const SMALL_WORDS = {
  english:
    "the a an and or is are was am be been i you we they it this that these of to for from with not no do don't have has my your our me us in on at by as can will would please if so but just any all what how who when i'm it's there here should would could about some more like need want know thanks thank hi hello now then out up been were had did get got let yes don't can't we're we've i've",
  german:
    "der die das den dem des ein eine einen und oder ist sind war ich sie wir ihr es nicht kein keine von zu fur mit mir mich uns mein meine ihre ihren bitte auf aus bei als auch wenn aber noch schon wird haben hat bin zum zur im am wie was wo mehr da nur uber danke ja nein gerne hallo guten tag kann konnen mochte",
  french:
    "le la les un une des du de et ou est sont je vous nous il elle on ne pas plus que qui pour avec mon ma mes votre vos notre nos ce cette ces dans sur au aux si mais merci me moi en par c'est j'ai bonjour sans tres oui non etes suis avez avons comme tout bien faire peut",
  spanish:
    "el la los las un una de del y o es son yo usted nosotros no que para por con mi mis su sus nuestro este esta estos en al se me nos lo le si pero mas muy como cuando gracias favor esto tengo estamos ya hay si hola buenos eso donde quien puede sin sobre esta",
  portuguese:
    "o a os as um uma de do da dos das e ou e sao eu voce nos nao que para por com meu minha seu sua nosso este esta isto isso em no na ao se me mas mais muito como quando obrigado favor estou temos ja pelo ser sim ola bom sem sobre pode quem onde isso aqui",
  italian:
    "il lo la i gli le un una di del della dei e o sono io lei voi noi non che per con mio mia miei suo vostro vostre questo questa in al da dal dalla dalle si mi ci ma piu molto come quando grazie favore ho abbiamo gia nel alla anche grazie sono siamo buongiorno senza dove chi puo hai",
  dutch:
    "de het een en of is zijn ik u jij je jullie wij we hij niet geen van voor met mij me ons mijn uw dit dat deze in op aan te om als maar nog ook bij graag meer wat hoe wie kan wil heb heeft naar er daar uit ja nee dank bedankt hallo kunt u heel we wel dan",
  swedish:
    "den det en ett och eller ar jag du ni vi han hon inte ingen inga av for med mig oss min mitt er era detta denna i pa till om som men har kan vill tack fran att sa nu ska hur vad var hos ja nej hej har fran bara mer kanske gar",
  norwegianDanish:
    "den det en et og eller er jeg du dere i vi han hun ikke ingen av af for med meg mig oss os min mitt mit din dette denne pa til om som men har kan vil takk tak fra at a jer deres hva hvad nar ved skal der ja nei nej hei hej bare mer mere fra hos",
  polish:
    "i w z na do nie ze jest sa ja pan pani panstwo my wy to ten ta te moj moje mnie mi nas nam od dla o za po jak czy ale juz sie prosze dziekuje co kto gdzie tylko mamy mam przez tym pod tak dzien dobry witam tego bardzo moze mozna bez wiecej",
  turkish:
    "bir ve bu su o ben biz siz mi mu degil icin ile de da ne var yok cok lutfen tesekkurler beni bizi bana bize sizin sizden benim bizim daha artik gibi ama sonra once kadar nasil kim hangi olarak iyi evet hayir tamam mail",
} as const;

export type LatinLanguage = keyof typeof SMALL_WORDS;
export type ReplyLanguage = LatinLanguage | "russian" | "japanese" | "chinese" | "other";

const LATIN = Object.entries(SMALL_WORDS).map(
  ([name, words]) => [name as LatinLanguage, new Set(words.split(" "))] as const,
);
/** Of fewer a language is not known. */
const ENOUGH = 3;

/** The languages that a text may be in: by its script, and in Latin letters by its small words, where it has enough of them. */
export function likelyLanguages(text: string): ReadonlySet<ReplyLanguage> {
  const likely = new Set<ReplyLanguage>(["other"]);
  if (/\p{Script=Cyrillic}/u.test(text)) likely.add("russian");
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) likely.add("japanese");
  else if (/\p{Script=Han}/u.test(text)) likely.add("chinese").add("japanese");
  const words = new Set(
    plainLetters(text)
      .replace(/[’`´]/g, "'")
      .match(/[a-z']+/g),
  );
  if (words.size === 0) return likely;
  const counts = LATIN.map(
    ([name, small]) => [name, [...words].filter((word) => small.has(word)).length] as const,
  );
  const most = Math.max(...counts.map(([, count]) => count));
  for (const [name, count] of counts) if (most < ENOUGH || count * 2 >= most) likely.add(name);
  if (most < ENOUGH) likely.add("chinese").add("japanese").add("russian");
  return likely;
}

/** The words of the languages that a text may be in, each compiled for the first such text, and not at each start. */
export function compiledOnce<Words, Compiled>(
  tables: Partial<Record<ReplyLanguage, Words>>,
  compile: (words: Words) => Compiled,
): (text: string) => Compiled[] {
  const known = new Map<ReplyLanguage, Compiled>();
  return (text) =>
    [...likelyLanguages(text)].flatMap((language) => {
      const words = tables[language];
      if (words === undefined) return [];
      const compiled = known.get(language) ?? compile(words);
      known.set(language, compiled);
      return compiled;
    });
}
