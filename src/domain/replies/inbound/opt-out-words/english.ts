import type { OptOutWords } from "./language.ts";

const MAIL =
  "(e-?mails?|mails?|messages?|spam|newsletters?|offers?|pitch(es)?|solicitations?|solicitation|communications?|correspondence|contact|follow[- ]?ups?|outreach|sends?|reminders|nudges|letters|mailings?|mailshots?|marketing|advertis…|adverts|ads|promotions?|approaches|cold (e-?mails?|calls?|pitches|outreach)|sales (e-?mails?|mails?|letters?|pitch(es)?|messages?|calls?|stuff)|junk|crap|nonsense|rubbish|bullshit|sequences?|check-ins?|pings?|touchpoints?|bumps?)";
const SENDING =
  "(e-?mailing|mailing|contacting|writing|messaging|spamming|bothering|soliciting|harassing|pestering|texting|following up|reaching out|bombarding|hounding|badgering|nagging|chasing|pinging|disturbing|approaching|targeting|nudging|annoying|stalking|bugging)";
const SEND =
  "(e-?mail|mail|contact|write|message|bother|disturb|solicit|spam|text|approach|reach out|follow up|get in touch|pester|harass|ping|chase|nudge|target|bug)";
const MINE =
  "(me|us|(my|our|this|the whole|the entire|the following|my whole|our whole) (name…|e-?mails?|address|addresses|e-?mail address(es)?|details|data|domain…|contact…|info…|personal (data|details|information)|inbox|mailbox|account|company|firm|office|organi[sz]ation|team|entry|records?|number|account)|this (one|person)|the above (address|e-?mail))";
const LIST =
  "((mailing|e-?mail|e-?mailing|contacts?|distribution|marketing|send|sending|outreach|newsletter|spam|prospect…|sales|target|call|mail|blast) )?(list|lists|database…|data ?base|crm|records|system|systems|files|books|sequence…|outreach|campaigns?|mailings?|mailshots?|distribution|e-?mails|cadences?|automation|address book|mailer|marketing|rotation|funnel|pipeline|radar)";
const NOT =
  "(do not|don't|dont|never|not to|no longer|must not|may not|shall not|should not|shouldn't|mustn't|won't you|not)";
const AGAIN =
  "(again|any ?more|any longer|any further|further|in (the )?future|ever|another|from (now|here) on|henceforth)";
const LAW =
  "(gdpr|dpa|ccpa|cpra|can[- ]?spam|casl|pecr|tcpa|popia|pdpa|pipeda|spam act|privacy (act|law|regulations?)|data protection|article|art|regulations?|ico)";

export const english: OptOutWords = {
  alone:
    "stop|unsubscribe( me| us)?|unsub|remove( me| us| my e-?mail)?|opt[- ]?out|opt me out|take (me|us) off|no more|stop it|stop this|stop that|(just )?stop (please|pls|now|already|that|it now)|enough|desist|cease|cancel|leave me be|removal|deregister|(delete|remove|erase|bin|scrap) (it|this|that|them)|delete me|take off|out|stop (e-?mailing|spamming)|not interested,? (stop|remove|unsubscribe)|do not contact",
  courtesies:
    "please|pls|plz|kindly|now|thanks|thank you|thx|ta|cheers|regards|hi|hello|hey|immediately|all|asap|no|sorry|ok|just|mate|already|for good|today|at once|sir|madam|no thanks|no thank you|not interested",
  together: [
    `(remove|delete|erase|strike|scrub|purge|drop|cross|wipe|exclude|take|pull|knock|scratch|withdraw|suppress|opt|kick|clear|unlist|deregister) … ${MINE} & (off|from|out of|on) … ${LIST}`,
    "(add|put|place|enter|include|move|keep) & (do[- ]not[- ](e-?mail|mail|contact|call|disturb|send|spam)|dnc|no[- ]contact|suppression|suppressed|exclusion|opt[- ]?outs?|unsubscribed?|blocked|block|black ?list|blacklist)",
    `(stop|quit|cease|halt|discontinue|end|suspend|terminate|desist) & (the|these|this|your|ur|all|any|further|sending|such|of) … ${MAIL}`,
    `${NOT} & (send|forward|mail|e-?mail|drop|write) & (me|us|my|our|this) & (another( ${MAIL}| one)?$|(any ?more|more|further|future|any) … (${MAIL}|of (this|these|it))|any ?more|again)`,
    `(wish…|want…|like|prefer…|ask…|request…|need…|require…) & (nothing|no) (more|further|else|additional) & (receive|hear|get|from|contact|send)`,
    `(wish…|want…|like|prefer…|ask…|request…|require…|instruct…|insist…) & (not|no longer|never) … (be )?(contact…|e-?mail…|approached|messaged|written to|disturbed|called|bothered|solicited|write|receive|hear)`,
    `${LAW} & (i|we) (hereby |do |formally |now |also )?(object|withdraw|revoke|demand|exercise|request|require|invoke|insist|opt|am opting|am exercising|am withdrawing)`,
    `${LAW} & (no|without|never had|lack…) … consent`,
    `(erase|erasure|delete|deletion|destroy|destruction|removal) & (my|our|me|us) & (personal )?(data|details|information|records|contact…|address…|e-?mail…|name)`,
    "(erase|delete|destroy|erasure|deletion) & (all|any|everything) & (about|on|relating to|concerning|of|hold) … (me|us|mine|i)",
    `(asked|told|begged|requested|replied|written|said) & (you|already|twice|times|before|repeatedly|on) & (stop|remove…|unsubscribe…|not to|take … off|off … ${LIST}|no more|leave (me|us))`,
    `(forget|lose|burn|bin|ditch|shred) & my (e-?mail…|address|number|name|contact…|details|inbox)`,
  ],
  reasons: [
    "wrong (person|address|guy|man|woman|number|e-?mail|mailbox|inbox|contact|company|recipient|party)|not (the|who|whom) … (person|think|looking for)|(personal|private) (account|address|e-?mail|inbox|mailbox|number|mail)|(never|did not|didn't|haven't|have not) (signed? up|subscribed?|opted in|opt in|asked? for|requested?|agreed?|consented?|gave|give|given)",
    "(second|third|fourth|fifth|sixth|2nd|3rd|4th|5th|last|final|umpteenth) (time|request|warning|notice|reminder|ask)|(already|twice|times) … (asked|told|said|written|replied)|(asked|told|said|written) … (already|twice|times|before)",
    "(marked|reported|flagged|reporting|marking|blocked|blocking|report) … (spam|junk|abuse)|spam|junk|harass…|gdpr|can-?spam|casl|pecr|lawyer|solicitor|attorney|ico|unsolicited|illegal|unlawful",
    "(retired|deceased|passed away|died)|(how|where) … (got|get|found|find|have) … (this|my|our) … (adress|address|e-?mail|number)|private",
  ],
  offers: [
    "(i|we)('ll| will| can| shall| would|'d) (then |gladly |happily |of course |simply |just )?(stop|leave you|be gone|be off|go away|back off|take you off|remove you|close your file|cross you off|never|not|let you be|drop you|quit|cease|end)",
    "(i|we) (won't|will not|shall not|wouldn't) … (write|e-?mail|bother|contact|reach|follow|mail|send|trouble|message|disturb)",
    "(tell me|let me know|say so|just say|say the word|reply) … (i|we)('ll| will) (stop|leave)|(should|shall) (i|we) (stop|take you off|remove you|close)|want me to (stop|take you off|remove you|go away|leave)",
  ],
  yes: "(yes|yeah|yep|yup|ok|okay|sure|correct|right|do|exactly|indeed|absolutely|definitely|agreed|affirmative|true|great|good)( (please|pls|do|that|so|it|this|exactly|just|the latter|stop|indeed|then|by all means|yes|i would|i'd|would|like|prefer|rather|not|to|go|ahead|we|definitely|you|your|offer|take|up|on)){0,7}|please do( that| so| it| exactly that)*|(i'd|i would|we'd|we would) (rather|prefer) not( to)?( please)?|consider (yourself|this|me) told|telling you( now)?|i'm telling you( now)?|so told|i('d| would) (like|appreciate|prefer) that( please)?|that would be (great|good|best|nice|lovely|appreciated|ideal)( please)?|rather not",
  asks: [
    "(get|take|let|sign|leave) (me|us) off (this|these|it|your|the)|(make|let) (it|this|that) (be )?(the|your) (very )?last( (one|time|e-?mail|message|mail))?|(want|wants|wanted|like|need) … (cold |all |these |this |such |sales )+(e-?mails?|mail|outreach|messages?|pitches) … (shut off|stopped|blocked|ended|gone|off)",
    `${LAW} … (you (have|must|are (required|obliged))|business days|obliged|comply|complaint|violat…|breach…|illegal|unlawful|fine|fines)|(erase|delete|destroy|remove|purge) (every|all|any|each) … (record|records|data|trace|copy|copies|details|information|entry|note)`,
    "(reported|marked|flagged|reporting|marking) … (spam|junk|abuse|phishing) … (and |also )?(blocked|blocking|block)",
    "(request…|ask…|want…|wish…|demand…|like|need) … to be (deleted|removed|erased|taken off|purged|unsubscribed|opted out|left alone)|^(please )?off (your|this|the) … (list|lists|database)",
    `${NOT} follow up( (again|please|with (me|us)|any ?more|any further))*$|${NOT} (continue|keep|carry on|persist|go on) … (${SEND}|${SENDING}|sending)|(do not|don't|never|not) (give )?(my |our )?consent`,
    "(take|remove|delete|strike) (his|her|their) (name|address|e-?mail|details) … (off|from|out)|no more of (this|these|it|that|your|them)",
    `(remove|delete|take|strike|unsubscribe|get|drop|erase|scrub) (from|off) (of )?(the |this |your |ur |all |any |mailing )*${LIST}`,
    "^(please |pls |now |so |just |kindly |and )*(stop|quit|cease) (sending|writing)( (now|please|pls|thanks|already|immediately|at once))*$|unsubscribe (all|every|everyone|everybody|both|the)",
    "(i|we)('ve| have| had)? (already )?(opted out|unsubscribed|clicked unsubscribe) … (ago|last|already|before|yet|still|twice|times|but|and|on)|(still|keep|kept|again|although|though|despite|even) … (i|we)('ve| have)? (already )?(opted out|unsubscribed|asked|told)",
    `(do not|don't|dont|never) (ever )?(use|write to|contact|mail|e-?mail) (it|this|my|that|the) … (again|address|mailbox|inbox|e-?mail|number)`,
    `enough (with|of) (the|these|your|this|those) … (${MAIL}|please|already|now)|(stop|quit|cease|done|enough) (it )?(with|of) (these|those|this|that|it|all this)( (now|please|already))*$`,
    "(not|don't|dont|n't) (want|need|like) … (more|any) (more )?of (these|this|them|those|it|that|your)|(delete|remove|take|erase|unsubscribe) (me|us) (from|off) (everything|everywhere|all|anything|it|there)",
    `(make sure|ensure|see to it|be sure|take care|see that|confirm) … (not|no|never|no longer|nothing|isn't|aren't|i'm not|don't|off|removed|deleted) … (${LIST}|${MAIL}|contact…|again|further|hear|receive|any ?more|me|us)`,
    "mark (me|us|this|my|our) … (do not|dnc|opted out|unsubscribed|opt out|not to be)|(is|are|was|were) (unwelcome|not welcome|unwanted|not wanted|most unwelcome)|opt-?out (request|please)|this is (an|my) (opt[- ]?out|unsubscribe)( request| notice)?",
    `(do not|don't|dont|never|stop) send(ing)? (this|these|those|such|sales|marketing|unsolicited|cold) … (here|to (me|us|this|our|my)|(me|us)$|${MAIL})`,
    "unsubscribe (please|me|us|this|my|our)|unsubscribed?$",
    `(take|strike|cross|leave|keep|get|count|drop|sign) ${MINE} (off|out)( (now|please|thanks|thank you|today|for good|completely|everything|it|this|immediately|asap|permanently))*$`,
    "cease and desist$|^(this is |consider this |formal |a |our )*cease (and )?desist( (notice|letter|order|demand))?$|(hereby|must|shall|required to|ordered to|instructed to|demand|formally|kindly) … (cease|desist|refrain|stop)",
    `(stop|quit|cease|done) (it )?with (the|these|this|your|ur|all|any) … ${MAIL}|(stop|quit|cease) (the|these|this|your|ur|all|any) … ${MAIL}|(stop|quit|cease) ${SENDING}( (now|please|immediately|already|at once))*$`,
    `^(please |so |and |but |thanks |absolutely |ok |kindly )*no (more|further|additional|other|electronic|unsolicited|future|new|marketing)( [^ ]+){0,2} ${MAIL}( (please|thanks|thank you|from|to|at|ever|whatsoever|in|or|of) [^$]*| (please|pls|plz|thanks|thx|ever|whatsoever|today|now|ok|ever again))*$|(not another|not one more|not a single) … (${MAIL}|word|one)( from you| please)*$`,
    `still (getting|receiving|being sent|seeing|get|receive) … (these|them|your … ${MAIL}|(more |the |this |that )?${MAIL}|stuff from you|this (stuff|crap))`,
    `(no|without) … (consent|permission|authori[sz]ation) … (on file|to (e-?mail|contact|write|send|market|use|process|hold))|(withdraw|revoke|rescind|retract|withdrawing|revoking) … (consent|permission|authori[sz]ation)|(never|not|didn't|don't|did not|do not) (gave|give|given|consent|consented|agree|agreed) … (to (receive|be contacted|get|this|these|your)|consent|permission to)$`,
    "(i'm|i am|we're|we are) … (opting out|unsubscribing|withdrawing)|(i|we) (hereby |formally |now )*(demand|request|require) … (erasure|deletion|removal)|(right to (object|erasure|be forgotten)) … (exercise…|invoke…)|(exercis…|invok…) … right",
    "^(please |just |now |so |and |kindly )*(go away|get lost|buzz off|sod off|piss off|f off|fuck off|bugger off|back off|knock it off|quit it|quit this|drop it|desist|stop this|stop it|stop that|cut it out|give it a rest|give it up|pack it in|enough is enough|enough already|do not disturb|shut it off|turn it off|switch it off|make it stop|get off my back)( (now|please|already|for good|permanently|for me))*$",
    "(switch|turn|shut) (it|this|that|your (robot|bot|machine|sequence|automation)|the (robot|bot|machine)) off|off my back|out of my inbox",
    `(object|objecting|objection) to … (processing|profiling|marketing|use|storage|holding|storing|being (contacted|e-?mailed))`,
    `(don't|do not|dont|never|no longer) (want|need|wish for|care for|like|appreciate) … (your|these|this|any|those|such) … ${MAIL}`,
    `(will|would) (not|no longer) … (accept|tolerate|welcome|wish) … ${MAIL}`,

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
    "leave (me|us) (alone|in peace|be$|out of (it|this)|out$)|(i|we) want out$|(get|let) (me|us) out of (this|your|here)",
    "lose my (e-?mail|address|number)",
    "(cease|stop) (all|any|further) (communication|contact|correspondence)",
    "(i|we) (hereby )?(opt out|object to)",
  ],
  other: [
    "still (get|getting|receive|receiving|seeing) these (errors?|pages?|results?|warnings?|problems?|issues?)",
    "(he|she|they)('s| is| has| have|'ve|'re| are) … (retired|left|moved|gone|dead|no longer|away)|(blank|error|wrong|broken|same) (page|message|result…|screen|version)|in touch with",
    "(does|do|would) (your|it|you) … (partner|clients|stop|remove|sell|offer|provide|support)|(we|our (firm|company|team)) (draft|sell|build|offer|advise|handle|help)|(attachment|file|document|pdf|row|column|button|clause)",
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
    "maybe|perhaps|i dunno|not sure|until|till|not before|before (the|next|then|january|february|march|april|may|june|july|august|september|october|november|december|q\\d|monday)|for now|for the moment|this (week|month|year|quarter|time)|next (week|month|year|quarter)|on (weekends|fridays|mondays|sundays)",
    "sending … (pdfs?|attachments?|invoices?|links?|files?|samples|printed|paper)|printed|by post",
    "so (often|much|many|frequently)|more than (once|one)|too (often|many)|every (day|week)",
  ],
  elsewhere: [
    "(i've|i have|i) … (taken over|take over|taking over|replaced|inherited)|has … (left|retired|moved on)",
    "instead|(?<!(not|n't|dont|never|ever|to|stop) )((write|e-?mail|send (it|them|that|this)) (to )?(me|us) at|(write|talk|speak) to me(?! (again|any|ever|any ?more)))|rather (call|by|on|via|use)|(call|ring|phone|text) (me|us)|by phone|(on|via) (whatsapp|linkedin)|old address|(use|to|at|on) (my|our|the) … (address|one|e-?mail|number)",
    "(contact|write|ask|talk to|e-?mail) (my|our|the) (assistant|colleague|boss|team|office)|i will call",
  ],
  hints: [
    "(fewer|less) (of (these|this|your)|often|frequent…|e-?mails?|mails?)|less frequently|harass…|fed up|(maybe|perhaps) … (take|remove|stop|unsub…) |had enough|ffs|for fuck's sake|for god's sake|(sick|tired) of … (these|you|your|e-?mails?)|only (write|e-?mail|contact|mail|message|send) … (when|if|about|once)|(once|twice) a (month|quarter|year) … enough|do i know you|ridiculous|annoying|(stop|enough)$|(third|fourth|fifth) time",
    "unsub…|opt[- ]?out|opted out|opt out",
    "(stop|quit|cease) (sending|e-?mailing|contacting|writing|messaging|spamming)",
    "(remove|take|get) (me|us) (off|from)",
    "(report|mark|block|flag) … spam|this is spam|unsolicited|gdpr|never (signed up|subscribed|opted in|asked for)",
    `${NOT} (e-?mail|contact|write|message) (me|us)`,
    "where did you get my",
  ],
};
