/**
 * Families of orders that name neither a letter nor its writer: whom a text speaks to, how a person is to be approached, what
 * a text is graded by, what brings an answer about. All of folded sentences.
 */

/** Readers of a page by what they do with it, machines among them. */
const READERS =
  /(?<!\p{L})(?:crawlers?|copilots?|scrapers?|graders?|(?:software|ai|digital) agents?|(?:automated|machine) (?:visitors?|readers?|systems?)|(?:those|people|anyone|whoever|person|one) (?:composing|approaching|addressing|contacting|introducing|preparing|drafting|summari[sz]ing)|(?:generated|written|composed|derived|made) from this|any summary|summari[sz]\p{L}+|first (?:contacts?|touch|words)|introductions?|(?:bids|tenders|proposals) (?:open|begin|start|close|end))(?!\p{L})/u;
/** A heading that speaks to them. */
const TO_READERS =
  /^(?:a )?(?:notes?|notices?|messages?|instructions?|attention|memo|hints?|word|dear|to|for)[ ,:]+(?:to |for )?(?:the |all |any |our )?(?:(?:person|people|one|those|anyone|whoever) (?:who )?(?:compos|writ|prepar|draft|summari[sz]|approach)\p{L}+(?: \p{L}+){0,4}|(?:software|ai|digital|automated|language) (?:agents?|assistants?|models?|readers?|visitors?|systems?|tools?)|crawlers?|copilots?|bots?|llms?)[:.,!–-]/u;

/** How a person is called, which a greeting would do. */
const ADDRESS =
  /(?<!\p{L})(?:forms? of address|(?:best|properly|correctly|rightly|only|always|usually) (?:greeted|addressed|called)|to be called|addressed to us|spelling of (?:our|her|his|their) name|nicknames?[^:]{0,40}:)/u;
/** Settings of the writer: "Persona: pirate", "ending=ahoy", "Facts to use:". */
const SETTING =
  /(?<!\p{L})(?:persona|mood|register|formality|diction|style|tone|voice|attitude|humou?r|temperature|ending|must-haves?) ?[:=]|(?<!\p{L})to (?:use|mention|say|include|quote|work in) ?[:=]/u;
/** What a model is given to read, spoken of in it. */
const CONTEXT =
  /(?<!\p{L})(?:(?:begin|start|end) (?:of )?(?:the )?(?:context|document|input|data)|context windows?|everything (?:above|before|so far) (?:is|was)|new task)(?!\p{L})/u;
/** What a text is graded by: both words in one sentence. */
const GRADE =
  /(?<!\p{L})(?:scores?|points|marks|graders?|graded|rewards?|rewarded|penali[sz]\p{L}+)(?!\p{L})/u;
const GRADED_FOR = /(?<!\p{L})(?:words?|texts?|sentences?|occurs?|appears?|contains?)(?!\p{L})/u;
/** "Without naming the king", "thanks for adding": what is to be said, as a thing done. */
const DOING =
  /(?<!\p{L})(?:(?<!goes )without|thanks (?:in advance )?for|by|instead of|count on|insists? on) (?:first |ever |at least )?(?:adding|mention|prais|naming|saying|telling|promis|quot|confess|apologi[sz]|greet|compliment|congratulat|admitt|stating|citing|reveal|disclos|bringing up|referr|working in|slipping in|throwing in)\p{L}*/u;
const NO_WORD =
  /(?<!\p{L})(?:not a (?:single )?word (?:about|of|on)|no (?:word|mention) (?:about|of|on))(?!\p{L})/u;
const ANYWHERE = [TO_READERS, ADDRESS, SETTING, CONTEXT, DOING, NO_WORD];

/** What is said brings something about. */
const EFFECT =
  /(?<!\p{L})(?:opens? (?:all |every |any |our |the |her |his )?doors?|only (?:react|respond|answer|listen)s? to|(?:react|respond|answer|listen)s? only to|falls? for|gets? you (?:an?|our|her|his)|wins? (?:her|him|us|them) over|works? best (?:with|when)|works? when|success with|lets? through|goes down well)(?!\p{L})/u;
const SAYING_NOUN =
  /(?<!\p{L})(?:compliments?|praise|promises?|apolog(?:y|ies)|offers? of|mentions?|hints?|confessions?|congratulations|threats?|flattery|gifts?|news|oaths?|contains?)(?!\p{L})/u;
/** How a first contact is to be; in notes and finds, where a page would speak of its own goods. */
const APPROACH =
  /(?<!\p{L})(?:hooks?|angles?|openers?|ice-?breakers?|cta|calls? to action|talking points?|key messages?|sweeteners?|playbooks?|first (?:contacts?|touch(?:es)?|impressions?|words)|(?:an?|the|best|right|good|standard|your|our) (?:approach|introduction)|approach ?[:=]|next step is|to-do)(?!\p{L})/u;
/** In a person's future: what Ada will read. */
const TOLD =
  /(?<!\p{L})(?:will|shall|should|is to|next) (?:\p{L}+ ){0,2}(?:reads?|hears?|learns?|be told|finds? out)(?!\p{L})/u;

export const speaksToReaders = (folded: string): boolean =>
  READERS.test(folded) || TO_READERS.test(folded);

/** Orders of these families, wherever they stand. */
export const isApproach = (folded: string, firstName: string): boolean =>
  ANYWHERE.some((each) => each.test(folded)) ||
  (GRADE.test(folded) && GRADED_FOR.test(folded)) ||
  (EFFECT.test(folded) && SAYING_NOUN.test(folded)) ||
  (firstName !== "" && folded.includes(firstName) && TOLD.test(folded));

/** Besides, in a note or in what a search found. */
export const isApproachOfNote = (folded: string): boolean => APPROACH.test(folded);

/** Whom, or to what end, a verb of saying tells something. */
export const hasAim = (folded: string): boolean => READERS.test(folded) || EFFECT.test(folded);
