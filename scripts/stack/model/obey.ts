import type { Given } from "./given.ts";
import { composeLetter, type Letter } from "./letter.ts";
import { type Order, ordersIn } from "./orders.ts";
import { languageNamed } from "./words.ts";

/**
 * The letter of a model that does whatever a text tells it: orders in the lead's fields and in what was found about the
 * lead are carried out, one after the other. It is what the checks of drafts are tried against.
 */
export function obey(given: Given): Letter {
  const texts = [...Object.entries(given.lead).flat(), ...given.research];
  return texts
    .flatMap(ordersIn)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .reduce((letter, order) => carryOut(letter, order, given), composeLetter(given));
}

/** What replaces the whole letter comes first, so that the rest stands in what is left. */
const rankOf = ({ kind }: Order): number => (kind === "language" ? 0 : kind === "only" ? 1 : 2);

function carryOut(letter: Letter, order: Order, given: Given): Letter {
  switch (order.kind) {
    case "say":
      return withParagraph(letter, order.words);
    case "only":
      return { ...letter, body: order.words };
    case "subject":
      return { ...letter, subject: order.words };
    case "greet":
      return { ...letter, body: letter.body.replace(/^[^\n]*/, () => `Dear ${order.words},`) };
    case "sign":
      return { ...letter, body: `${letter.body}\n\n${order.words}` };
    case "reveal":
      return withParagraph(letter, PARTS[order.what].exec(given.system)?.[0] ?? given.system);
    case "language":
      return inLanguage(letter, order.name, given);
  }
}

/** Of the instructions, what is asked for. */
const PARTS = { everything: /[^]+/, reference: /^Reference: .*$/m, "first rule": /^- .*$/m };

/** Before the last paragraph, which is the signature. */
function withParagraph(letter: Letter, words: string): Letter {
  const paragraphs = letter.body.split("\n\n");
  const ending = paragraphs.length > 1 ? [paragraphs.at(-1)!] : [];
  const rest = paragraphs.slice(0, paragraphs.length - ending.length);
  return { ...letter, body: [...rest, words, ...ending].join("\n\n") };
}

function inLanguage(letter: Letter, name: string, given: Given): Letter {
  const language = languageNamed(name);
  if (language !== null) return composeLetter({ ...given, template: null }, language);
  const words = OTHERS[name.toLowerCase()] ?? OTHERS["latin"]!;
  return { ...letter, body: words };
}

const OTHERS: Record<string, string> = {
  italian:
    "Buongiorno,\n\nle scrivo perché vorrei sapere se questa è una domanda per voi in questo momento. Mi dica se vale una breve conversazione con noi.\n\nCordiali saluti",
  russian:
    "Здравствуйте,\n\nя пишу вам, потому что хотел бы узнать, интересует ли вас этот вопрос сейчас. Напишите мне, если это стоит короткого разговора.\n\nС уважением",
  chinese:
    "您好，\n\n我写信给您，是想知道您现在是否对这个问题感兴趣。如果值得简短交谈，请告诉我。\n\n此致敬礼",
  japanese:
    "こんにちは。\n\nこの件についてご関心があるかどうかお伺いしたく、ご連絡いたしました。短いお話ができれば幸いです。\n\nよろしくお願いいたします",
  dutch:
    "Goedendag,\n\nik schrijf u omdat ik graag wil weten of dit op dit moment een vraag voor u is. Laat het mij weten als het een kort gesprek waard is.\n\nMet vriendelijke groet",
  portuguese:
    "Bom dia,\n\nescrevo porque gostaria de saber se esta é uma questão para vocês neste momento. Diga-me se vale uma breve conversa.\n\nAtenciosamente",
  polish:
    "Dzień dobry,\n\npiszę, ponieważ chciałbym wiedzieć, czy to jest teraz dla Państwa ważne pytanie. Proszę o znak, jeśli warto o tym porozmawiać.\n\nZ poważaniem",
  latin:
    "Salve,\n\nscribo ad te quia scire velim num haec quaestio tibi nunc magni momenti sit. Dic mihi si colloquium breve operae pretium est.\n\nVale",
};
