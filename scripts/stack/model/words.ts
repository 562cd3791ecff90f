/** Sentence plans of one language; what stands in braces is filled in. */
export interface Words {
  greetings: string[];
  greetingsToAll: string[];
  /** Of title and company, of one of them. */
  roles: string[];
  companies: string[];
  titles: string[];
  details: string[];
  quotes: string[];
  common: string[];
  offers: string[];
  asks: string[];
  calendars: string[];
  closings: string[];
  subjects: string[];
  plainSubjects: string[];
  /** What speaks of this language. */
  marks: RegExp;
}

export const LANGUAGES = ["en", "de", "fr", "es"] as const;
export type Language = (typeof LANGUAGES)[number];

export const WORDS: Record<Language, Words> = {
  en: {
    greetings: ["Hi {name},", "Hello {name},", "Dear {name},"],
    greetingsToAll: ["Hello,", "Good day,"],
    roles: [
      "As {title} at {company} you see this from both sides, so I will be brief.",
      "I am writing to you because you are {title} at {company}.",
      "You work as {title} at {company}, which is why this note goes to you.",
    ],
    companies: [
      "I have been reading about {company}, and one thought stayed with me.",
      "The work of {company} is the reason for this note.",
      "I took a closer look at {company} before writing to you.",
    ],
    titles: ["As {title} you will know this question well.", "I am writing to you as {title}."],
    details: [
      "One detail stood out to me: {value} ({key}).",
      "What I noted before writing is this: {value} ({key}).",
    ],
    quotes: [
      "This is what I found about you: “{quote}”",
      "One sentence of what I read stayed with me: “{quote}”",
    ],
    common: [
      "There is one thing that we share: {word}.",
      "We also have something in common, and that is {word}.",
    ],
    offers: ["{value}", "To say it in one line: {value}"],
    asks: [
      "Would it be worth a short conversation?",
      "Is that a question for you at the moment?",
      "Does this sound useful, or is it not the right time?",
    ],
    calendars: ["My calendar is here: {link}", "If you like, choose a time: {link}"],
    closings: ["Best regards", "Kind regards", "All the best"],
    subjects: ["A question for {company}", "{company}: a short question", "An idea for {company}"],
    plainSubjects: ["A short question", "One idea, in three sentences"],
    marks: /\b(the|and|you|your|with|for|that|this|we|our|are|is|have|would)\b/gi,
  },
  de: {
    greetings: ["Hallo {name},", "Guten Tag {name},"],
    greetingsToAll: ["Guten Tag,", "Hallo,"],
    roles: [
      "Sie sind {title} bei {company}, deshalb schreibe ich Ihnen kurz.",
      "Ich schreibe Ihnen, weil Sie bei {company} als {title} arbeiten.",
    ],
    companies: [
      "Ich habe mir {company} vor dieser Mail genauer angesehen.",
      "Die Arbeit von {company} ist der Grund für diese Zeilen.",
    ],
    titles: ["Als {title} kennen Sie diese Frage gut.", "Ich schreibe Ihnen als {title}."],
    details: ["Eine Einzelheit ist mir aufgefallen: {value} ({key})."],
    quotes: ["Das habe ich über Sie gefunden: „{quote}“"],
    common: ["Eines haben wir gemeinsam: {word}."],
    offers: ["{value}", "In einem Satz: {value}"],
    asks: ["Wäre das ein kurzes Gespräch wert?", "Ist das für Sie gerade eine Frage?"],
    calendars: ["Hier ist mein Kalender: {link}"],
    closings: ["Viele Grüße", "Mit freundlichen Grüßen"],
    subjects: ["Eine Frage an {company}", "{company}: eine kurze Frage"],
    plainSubjects: ["Eine kurze Frage", "Eine Idee in drei Sätzen"],
    marks: /\b(der|die|das|und|ist|nicht|wir|Sie|Ihnen|mit|für|ein|eine|auf|bei|zu)\b/g,
  },
  fr: {
    greetings: ["Bonjour {name},"],
    greetingsToAll: ["Bonjour,"],
    roles: ["Je vous écris parce que vous êtes {title} chez {company}."],
    companies: ["J'ai regardé de plus près ce que fait {company} avant de vous écrire."],
    titles: ["Je vous écris en tant que {title}."],
    details: ["Un détail m'a frappé : {value} ({key})."],
    quotes: ["Voici ce que j'ai trouvé sur vous : « {quote} »"],
    common: ["Nous avons une chose en commun : {word}."],
    offers: ["{value}", "En une phrase : {value}"],
    asks: [
      "Est-ce que cela mérite une courte conversation ?",
      "Est-ce une question pour vous en ce moment ?",
    ],
    calendars: ["Voici mon agenda : {link}"],
    closings: ["Bien cordialement", "Cordialement"],
    subjects: ["Une question pour {company}"],
    plainSubjects: ["Une courte question"],
    marks: /\b(le|la|les|et|est|vous|nous|pour|avec|une|des|dans|que|qui)\b/gi,
  },
  es: {
    greetings: ["Hola {name},"],
    greetingsToAll: ["Buenos días,"],
    roles: ["Le escribo porque usted es {title} en {company}."],
    companies: ["He mirado con atención lo que hace {company} antes de escribirle."],
    titles: ["Le escribo como {title}."],
    details: ["Un detalle me llamó la atención: {value} ({key})."],
    quotes: ["Esto es lo que encontré sobre ustedes: «{quote}»"],
    common: ["Tenemos algo en común: {word}."],
    offers: ["{value}", "En una frase: {value}"],
    asks: ["¿Merece una breve conversación?", "¿Es una pregunta para usted en este momento?"],
    calendars: ["Aquí está mi calendario: {link}"],
    closings: ["Un cordial saludo", "Saludos cordiales"],
    subjects: ["Una pregunta para {company}"],
    plainSubjects: ["Una breve pregunta"],
    marks: /\b(el|los|las|y|es|usted|nosotros|para|con|una|del|que|por|su)\b/gi,
  },
};

const NAMES: Record<string, Language> = {
  english: "en",
  german: "de",
  deutsch: "de",
  french: "fr",
  français: "fr",
  spanish: "es",
  español: "es",
};

/** A language by its name or code; null for others. */
export function languageNamed(name: string): Language | null {
  const short = name.trim().toLowerCase();
  return (
    NAMES[short] ??
    LANGUAGES.find((each) => short.slice(0, 2) === each && short.length <= 5) ??
    null
  );
}

/** The language whose little words a text has most of; English where it has none. */
export function languageOf(text: string): Language {
  const counts = LANGUAGES.map(
    (each) => text.slice(0, 5_000).match(WORDS[each].marks)?.length ?? 0,
  );
  return LANGUAGES[counts.indexOf(Math.max(...counts))]!;
}

export const fill = (plan: string, values: Record<string, string>): string =>
  plan.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
