import type { OptOutWords } from "./language.ts";

const MAIL =
  "(e-?mails?|mails?|messages?|spam|newsletters?|offers?|pitches|solicitations?|communications?|correspondence|contact|follow-?ups?|outreach)";
const SENDING =
  "(e-?mailing|mailing|contacting|writing|messaging|spamming|bothering|soliciting|harassing|pestering|texting|following up|reaching out)";
const SEND =
  "(e-?mail|mail|contact|write|message|bother|disturb|solicit|spam|text|approach|reach out|follow up|get in touch)";
const MINE =
  "(me|us|my (name|e-?mail|address|e-?mail address|details|data|domain|contact…|info…)|our (company|address|addresses|e-?mails?|domain|details|data)|this (address|e-?mail|inbox|mailbox))";
const LIST =
  "((mailing|e-?mail|contacts?|distribution|marketing|send|sending|outreach|newsletter|spam) )?(list|lists|database|data ?base|crm|records|system|files|sequence|outreach|campaigns?|mailings?|distribution|e-?mails)";
const NOT = "(do not|don't|dont|never|not to|no longer)";
const AGAIN = "(again|any ?more|any longer|any further|further|in (the )?future|ever)";

export const english: OptOutWords = {
  alone:
    "stop|unsubscribe( me| us)?|unsub|remove( me| us| my e-?mail)?|opt[- ]?out|opt me out|take (me|us) off|no more|stop it|stop this|stop (e-?mailing|spamming)|not interested,? (stop|remove|unsubscribe)|do not contact",
  courtesies: "please|pls|kindly|now|thanks|thank you|thx|hi|hello|immediately|all|asap",
  asks: [
    "(please|pls|kindly) unsubscribe$",
    "(do not|don't|not) want (you|your company|anyone) to (e-?mail|contact|write|message)",
    `(want|like|wish|need|request|ask) … ${MINE} (to be )?(deleted|removed|erased|taken off|unsubscribed|purged)`,
    `(take|get|keep) ${MINE} off … (list|lists)`,
    "(want|wanna|need) (off|out of) (this|your|the|of this|of your) … (list|lists|database|e-?mails|sequence)",
    `(refrain|desist|abstain) from … (contacting|e-?mailing|mailing|sending|writing|messaging)`,
    `${NOT} have (my|our) (permission|consent) to (e-?mail|contact|write)|i (revoke|withdraw) (my )?consent`,
    "(i|we) (unsubscribe|am unsubscribing|are unsubscribing)",
    `(do not|don't) (want|need) (your|these|any|this|more) … ${MAIL}$`,
    `(unsubscribe|unsub|opt out) ${MINE}`,
    "(please|pls|kindly|to|can you|could you) unsubscribe (please|immediately|now|asap|from (this|your|these|all|any))",
    "unsubscribe (immediately|now|asap|from (your|these|all))",
    "opt (me|us) out",
    `(remove|delete|erase|drop|exclude|strike|scrub|purge) ${MINE}( (please|thanks|thank you|now|immediately|asap|and|today|completely|permanently)| from (your|this|the|all|any) … ${LIST}| from ${LIST}|$)`,
    `(take|get|keep|leave) ${MINE} (off|out of|from) (of )?(your|this|the|all|any|these) … ${LIST}`,
    "(delete|erase|remove|purge) (all )?(my|our) … (data|details|info|information|records)",
    `(stop|quit|cease) ${SENDING}( to| with)? (me|us|my|our|this|these|people)`,
    `(stop|quit|cease) sending … (me|us|these|your|any|such|more|this|unsolicited) … ${MAIL}`,
    `(stop|quit|cease) sending ((me|us) )?(${MAIL}|these|this|stuff|things|junk|crap|anything|your … ${MAIL})`,
    `(stop|quit|cease|end) (spamming|(all|any|your|the|these|this) … ${MAIL})`,
    `(?<!(we|they|you|who|that|i|which) )${NOT} (ever )?${SEND}( out)?( to| with)? (me|us|this|my|our|here) … ${AGAIN}`,
    `(?<!(we|they|you|who|that|i|which) )${NOT} (ever )?${SEND}( out)?( to| with)? (me|us|this (address|e-?mail|inbox))(?! (off|down|up|in|at|by|the|a|an|my|our|your))`,
    `(?<!(we|they|you|who|that|i|which) )${NOT} (ever )?${SEND} … ${AGAIN}`,
    `(?<!(we|they|you|who|that|i|which) )${NOT} (ever )?send … (me|us|any|more|further) … (${MAIL}|${AGAIN}|anything)`,
    `(${NOT}|not) (want|wish|like|care|need|desire)( to)? … ((receive|get) (anything|this|these|those|your|any|more|further|such|(unsolicited )?${MAIL}|from you)|hear from|be (contacted|e-?mailed|approached|messaged|on (your|this))|any (more|further) ${MAIL}|more ${MAIL}|your ${MAIL}|these ${MAIL})`,
    `(prefer|rather|asked?|request|want) … not (to )?(be (contacted|e-?mailed|approached)|receive|get|hear) … (${MAIL}|${AGAIN}|from you|this)`,
    "(prefer|rather) not to be (contacted|e-?mailed|approached)",
    `(please |thanks |but |and )?no (more|further) ${MAIL}( please| thanks| thank you| from you| to me)`,
    `^(please |so |and |but )?no (more|further) ${MAIL}$`,
    "(want|wish|like|love|asked?|need|request|trying|tried|prefer) (to )?(be )?(removed|unsubscribed?|unsubscribe|opted out|opt out|taken off)",
    "how (do|can) (i|we) (unsubscribe|opt out|get off|stop (these|this|your))",
    "leave (me|us) alone",
    "lose my (e-?mail|address|number)",
    "(cease|stop) (all|any|further) (communication|contact|correspondence)",
    "(i|we) (hereby )?(opt out|object to)",
  ],
  other: [
    "(at any time|any ?time|my (account|subscription to))|(do not|don't|never) (remove|delete|unsubscribe|drop|take) (me|us|my|our)",
    "(i|we|we'd|i'd|we're) (want|need|plan|like|would like|try|wish|hope|decided|are going) (to )?(stop|quit|cease) (sending|e-?mailing|contacting|writing|spamming)",
    "(invoice|contract|proposal|draft|deck|legal|old plan|beta|trial|accounting|printer)",
    "nobody|no one|none of us",
    "hate to|afraid",
    "(cc|bcc|loop|thread|chain|invite|invitation|calendar|meeting|webinar|agenda|attendees?|participant…)",
    "(wait|waiting|guest|to-?do|task|price|speakers?|reading|short|attendee) ?-?list|list of|waitlist",
    "(users?|customers?|clients?|leads?|recipients?|subscribers?|prospects?|people|they|he|she|somebody|someone|anyone|everybody|who) … (unsubscribe…|opt…|stop|stops|stopped|remove…|keep|ask…|tell…|told|want…|complain…)",
    "(does|do|can|will|would|how) (your|the|it|this|a) (tool|product|platform|software|service|system|app|unsubscribe|users|team)",
    "(does|do|will) … unsubscribe … (stop|work|apply)",
    "(unsubscribe|opt-?out)s? (link|links|button|page|rate|rates|feature|header|process|flow|form|function…|in one)",
    "(don't|do not|never|no need to|needn't|not|without|rather than|instead of|before) (have to |need to |want to |yet )?(ever )?(unsubscribe|remove (me|us)|opt out|take (me|us) off|delete (me|us)|stop (sending|writing|e-?mailing|contacting))",
    "(i|we)('d| would) never … (opt|unsubscribe)",
    "we (had to|have to|need to|must|already|should|once|used to|never) … (unsubscribe…|remove|stop|opt)",
    "stop (by|over|at|in|thinking|worrying|wondering|looking|laughing|smiling)",
    "(as an?|from the) (attendee|speaker|guest|admin|member|owner|call|event|group|channel|panel)",
    "hesitate",
  ],
  narrower: [
    "until|till|not before|before (the|next|then|january|february|march|april|may|june|july|august|september|october|november|december|q\\d|monday)|for now|for the moment|this (week|month|year|quarter|time)|next (week|month|year|quarter)|on (weekends|fridays|mondays|sundays)",
    "sending … (pdfs?|attachments?|invoices?|reminders?|links?|files?|samples|printed|paper)|printed|by post",
    "so (often|much|many|frequently)|more than (once|one)|too (often|many)|every (day|week)",
  ],
  elsewhere: [
    "instead|rather (call|by|on|via|use)|(call|ring|phone|text) (me|us)|by phone|(on|via) (whatsapp|linkedin)|old address|(use|to|at|on) (my|our|the) … (address|one|e-?mail|number)",
    "(contact|write|ask|talk to|e-?mail) (my|our|the) (assistant|colleague|boss|team|office)|i will call",
  ],
  hints: [
    "unsub…|opt[- ]?out|opted out|opt out",
    "(stop|quit|cease) (sending|e-?mailing|contacting|writing|messaging|spamming)",
    "(remove|take|get) (me|us) (off|from)",
    "(report|mark|block|flag) … spam|this is spam|unsolicited|gdpr|never (signed up|subscribed|opted in|asked for)",
    `${NOT} (e-?mail|contact|write|message) (me|us)`,
    "where did you get my",
  ],
};
