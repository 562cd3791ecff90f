const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
const oneOf = (text: string): string => text.trim().split(/\s+/).join("|");

/** What begins no order: a clause whose first word is one of these states something, asks, or names a thing. */
export const NO_VERBS = words(`
  a an the this that these those it he she they we i you who whom whose which what when where why how my your his her its our their
  one two three four five six seven eight nine ten some any all each every both many much most more less few no not none such other another same half
  in on at by for from of to with without into onto over under between about above below across after before since until till during through against along
  among around as than like near off out up down per via and or but nor so yet if because while although though unless whether
  am is are was were been being has had does did will would can could shall should may might must ought
  here there now then today tomorrow yesterday very too also only just even still again ever never always often sometimes usually once twice
  new old good great best better big small large long short high low early late first second third last next own free fresh happy sure
  met spoke came knew knows got left saw sent told said gave took went wrote heard found made led built ran sold bought kept held began became grew won lost
  birthday member customer client owner head director manager number part colour color news thanks welcome yes hello dear hi operations lead boss budget
  der die das ein eine wir ich sie er es und oder mit für von zu im am auf bei nach seit aus unser unsere ihr ihre
  le la les un une des nous vous je il elle et ou avec pour de du dans sur chez notre votre el los las una y o con para en del su nuestro nuestra
`);

/** Behind the verb of an order, and seldom behind the subject of a statement. */
const COMPLEMENTS = words(`
  a an the this that these those it her him them me us my your his its our their every each any all some no nothing everything something anything one
  in on at by for from of to with without into onto over under about up down off out away back along through as like how why who what where when
  more less only first always never exactly briefly immediately clearly instead somewhere
`);

/** Verbs of saying, putting in, asking, giving and writing, which want something of a text. */
const SAY = words(`
  say mention tell inform state add include insert append attach prepend slip sneak weave work squeeze drop throw toss sprinkle fit tuck bury hide embed plant stick stuff
  put place set make write type spell repeat echo recite quote cite refer reference bring raise touch note highlight stress emphasise emphasize underline feature
  praise recommend promote endorse advertise plug hype laud extol commend compliment congratulate thank applaud credit curse insult mock tease scold blame accuse
  warn threaten alert notify advise remind urge beg demand request require claim assert allege declare proclaim announce imply hint suggest insinuate confess admit acknowledge
  concede deny swear vow pledge guarantee assure promise offer propose grant give hand pass relay convey deliver present introduce open begin start close end finish conclude
  sign greet address salute call name invite ask let have get direct steer route point link send answer reply respond translate render rewrite replace swap substitute
  change switch use employ adopt apologise apologize speak talk share reveal disclose expose leak explain describe discuss confirm verify collect obtain charge bill invoice
  pretend imagine suppose assume remember forget ignore disregard obey follow decode decrypt act play pose behave append describe wish toast cheer express finish sing
  credit label paint portray depict frame compare liken caution convince persuade encourage nudge lure coax pressure push press sell hail voice drum cast bless condemn
  print output emit display utter deny denounce slander defame gossip whisper shout yell boast brag joke quip lie invent fabricate disparage belittle flatter
`);

/** Of these, what visitors of a website are asked to do. */
const VISITING = words(`
  request ask call write send tell share talk speak offer add make put set get have let use open start begin close name sign give hand pass bring drop work follow play charge apply
  invite feature link route change switch replace remember forget imagine push press cast pull fit tuck throw toss place stick plant read reply answer quote wish toast sing express show introduce collect obtain order refer compare
`);

export const isNoVerb = (word: string): boolean => NO_VERBS.has(word);
export const isComplement = (word: string): boolean => COMPLEMENTS.has(word);
export const isSaying = (word: string): boolean => SAY.has(word);

export const isVisiting = (word: string): boolean => VISITING.has(word);

/** "Thanks", "praised", "told", "apologising". */
export const isSayingForm = (word: string): boolean =>
  SAY.has(word) ||
  /^(?:told|said|wrote|written|spoken|begun|sung|sent|given|brought|sworn)$/.test(word) ||
  (/(?:s|ed|ing)$/.test(word) &&
    [/s$/, /es$/, /ed$/, /d$/, /ing$/].some(
      (ending) =>
        ending.test(word) &&
        (SAY.has(word.replace(ending, "")) || SAY.has(`${word.replace(ending, "")}e`)),
    ));

/** The same in other languages, by the beginnings of their forms; behind a hyphen stands a pronoun. */
export const SAYING_ABROAD = new RegExp(
  `(?<![\\p{L}\\p{M}])(?:${oneOf(`
  schreib(?:e|en|t)? erwähnen? füge?n? hinzufügen hinzu nennen? sage?n? sag erzähl(?:e|en)? mitteilen beende?n? schließe?n? unterschreib(?:e|en)? unterzeichnen? grüße?n? lobe?n? empfiehl empfehlen
  versprich versprechen biete?n? anbieten frage?n? hinweisen setze?n? behaupten? verrate?n? ergänzen? einfügen? einbauen? bitte
  écri(?:s|vez|re) ajoute[rz]? mentionne[rz]? dis dites dire termine[rz]? commence[rz]? signe[rz]? salue[rz]? recommande[rz]? promet(?:s|tez|tre) propose[rz]? offrez offrir demandez informe[rz]? félicite[rz]? indique[rz]?
  précise[rz]? glisse[rz]? insère insére[rz] parle[z]? conclu(?:s|ez|re) raconte[rz]? annonce[rz]? inclu(?:s|ez|re) rappell?e[rz]? conseille[rz]? cite[rz]?
  escrib(?:e|a|ir) añad(?:e|a|ir) agreg(?:a|ue|ar) mencion(?:a|e|ar) diga dile dígale dígales termin(?:a|e|ar) firm(?:a|e|ar) salud(?:a|e|ar) recomiend(?:a|e) promet(?:e|a) ofre(?:ce|zca|cele|zcale|cerle) pide pida pídele pídale pregunt(?:a|e)(?:le)? saluda inform(?:a|e|ar)
  felicit(?:a|e|ar) pon ponga inclu(?:ye|ya|ir) habl(?:a|e) cuent(?:a|e)(?:le)? concluy(?:e|a) coment(?:a|e)(?:le)? avis(?:a|e)(?:le)? recuerd(?:a|e)(?:le)?
  scriv(?:i|a|ere|ete|ile|igli|etele) aggiung(?:i|a|ere|ete) menzion(?:a|i|are|ate) dille digli dica termin(?:a|i|are|ate) firm(?:a|i|are|ate) salut(?:a|i|are|ate) consigli(?:a|are)? promett(?:i|a|ere) offr(?:i|a|ire) chied(?:i|a|ile|ere) inform(?:a|i|are|ala) inserisc(?:i|a) inserire metti parl(?:a|i) concludi concluda ricord(?:a|i|ale)
  escrev(?:e|a|er) adicion(?:e|a|ar) acrescent(?:e|a|ar) mencion(?:e|a|ar) diga diz termin(?:e|a|ar) assin(?:e|a|ar) recomend(?:e|a|ar) promet(?:a|e|er) ofereç(?:a|am) oferece peça pede inform(?:e|a|ar) inclu(?:a|i|ir) coloqu(?:e|em) fal(?:e|a) avise
  schrijf voeg vermeld noem zeg vertel eindig sluit onderteken groet beveel beloof bied vraag schrijven vermelden noemen toevoegen
  skriv lägg nämn säg berätta avsluta underteckna hälsa rekommendera lova erbjud fråga tillägg tilføj nævn fortæl afslut underskriv hils anbefal tilbyd legg nevn fortell avslutt anbefal hils
  napisz dodaj wspomnij powiedz zakończ podpisz pozdrów poleć obiecaj zaproponuj poproś wstaw przekaż wymień umieść decir dizer zeggen säga sige wspomnieć napisać dodać powiedzieć napište napiš přidej zmiň řekni uveď doplň podepiš
  yaz yazın yazınız ekle ekleyin ekleyiniz söyle söyleyin bahset bahsedin belirt belirtin bitir bitirin imzala imzalayın öner önerin iste isteyin deyin
  напиши(?:те)? добавь(?:те)? упомяни(?:те)? скажи(?:те)? сообщи(?:те)? закончи(?:те)? подпиши(?:те)?(?:сь)? вставь(?:те)? пообещай(?:те)? предложи(?:те)? попроси(?:те)? укажи(?:те)? передай(?:те)? начни(?:те)? напишіть додай(?:те)? скажіть згадай(?:те)? вкажи
  γράψε γράψτε πρόσθεσε προσθέστε ανέφερε αναφέρετε πες πείτε υπόγραψε كتب اكتب اكتبي أضف أضيفي اذكر قل قولي أخبر أخبرها وقع اختم scrie adaugă menționează spune semnează încheie promite recomandă
  írd írja írj említsd említs mondd mondj fejezd írja ajánld ígérj kirjoita mainitse lisää kerro päätä allekirjoita suosittele lupaa scribe adde dicas finias tulis tambahkan sebutkan katakan sampaikan viết thêm nói hãy skrifaðu bættu nefndu segðu
  `)})(?:-(?:lui|leur|moi|le|la|les|y|vous))?(?![\\p{L}\\p{M}])|(?:書|加え|述べ|伝え|言っ|入れ|記載|記し|添え|触れ|名乗|終え|締め|署名|紹介)[\\p{L}]{0,6}(?:ください|下さい|こと|なさい|せよ|て(?=$|[。!！]))|请|請|写上|写道|添加|提到|提及|告诉|告訴|加上|注明|结尾|署名|쓰세요|써\\s?주|적어|추가|말해|언급|덧붙|लिखें|लिखो|लिखिए|जोड़|बताएं|บอก|เขียน|เพิ่ม|כתוב|כתבי|הוסף|הזכר|אמור`,
  "u",
);

/** What a letter is made of, and the people who write and read it. */
export const LETTER = new RegExp(
  `(?<![\\p{L}\\p{M}])(?:${oneOf(`
  e-?mails? mails? letters? messages? subjects? salutations? greetings? sign-?offs? signatures? signed paragraphs? sentences? phrases? wording postscript p\\.?s\\.? drafts? draft(?:ing|ed) repl(?:y|ies) texts? body
  headlines? openings? openers? closings? words? slogans? poems? verses? rhymes? haikus? limericks? readers? recipients? addressees? prospects? writers? copywriters? authors? correspondence outreach introductions? pitch(?:es)? jokes? puns? plugs?(?!\\sit) odes? songs? stor(?:y|ies) anecdotes? code-?words? watchwords? catch-?phrases? mottos? shout-?outs? remarks? apolog(?:y|ies) compliments? tributes? toasts? nods? confessions? admissions? endorsements? allusions? sender references? mentions? recommendations? farewells?
  brief(?:e|es|s)?(?!\\s(?:us|me|them|your|the)) nachricht(?:en)? betreff anrede unterschrift satz sätze absatz wort wörter worte text grußformel schluss empfänger(?:in)? leser(?:in)? mail anschreiben schreiben
  lettres? courriels? messages? objet formule phrases? paragraphes? mots? destinataires? lecteurs? lectrices? texte signature réponses? mél carta cartas correos? mensajes? asunto saludo firma frases? párrafos? palabras? destinatari[oa]s? lector(?:es|a)? texto respuestas?
  letter[ae] messaggi[o]? oggetto saluto saluti fras[ei] paragraf[io] parol[ae] destinatari[oa]? lettor[ei] testo rispost[ae] mensagem mensagens e-mails assunto saudação assinatura parágrafos? palavras? leitor(?:a|es)? resposta brieven bericht berichten onderwerp aanhef handtekening zin zinnen alinea woord woorden lezer ontvanger
  brev brevet mejl mejlet meddelande meddelandet ämne ämnesraden hälsning underskrift mening meningen stycke ord läsaren mottagaren emne hilsen sætning setning besked beskjed listu liście wiadomość wiadomości mail maila mailu temat temacie podpis zdanie zdaniu słowo słowa czytelnik odbiorca
  mektup mektuba mektubun mektubu mesaj mesajın mesajda e-posta e-postanın e-postaya konu satır cümle cümlesi kelime imza письм[оаеу] сообщени[еяю] тем[аеу] строк[аиу] подпись слов[оа] фраз[ау] предложени[ея] абзац лист[аіу]? dopis dopisu zpráv[ayu] předmět levél levélben tárgy viesti viestiin kirje kirjeeseen scrisoarea mesajul epistula epistulae epistulam surat pesan thư
  `)}|(?:subject|first|last|opening|closing|final|next) lines?|(?:something|anything|at length|a bit|a little) (?:about|on)|lines? (?:about|on|that|saying|with|of|like)|the line ["'“„«‘])(?![\\p{L}\\p{M}])|メール|手紙|件名|文章|本文|署名|邮件|郵件|信|主题|正文|이메일|메일|편지|제목|ईमेल|पत्र|อีเมล|จดหมาย|דוא"ל|מכתב|رسالة|الرسالة|البريد`,
  "u",
);

/** That something has to be, is the custom, or is so of all letters. */
export const DUTY =
  /(?<!\p{L})(?:must|should|shall|ought|ha(?:s|ve) to|needs? to|had better|(?:is|are) (?:to|asked|expected|required|obliged|advised|requested|encouraged|supposed|customary|mandatory|appreciated|used to|good form|good manners|usual|polite)|be sure|make sure|expected|required|customary|mandatory|compulsory|obligatory|tradition|custom|habit|etiquette|would(?:n't| not) (?:hurt|harm|go amiss)|(?:is|are|be) (?:most )?welcome|always|never|muss|müssen|soll(?:te|ten|en)?|bitte|doit|doivent|devrai(?:t|ent)|faut|il convient|veuillez|prière|merci de|debe[ns]?|debería[ns]?|hay que|tiene[ns]? que|por favor|devono?|dovrebbe(?:ro)?|bisogna|per favore|deve[mr]?|deveria|é preciso|moet(?:en)?|graag|dient|gelieve|måste|bör|skal|powinien|powinna|powinno|należy|proszę|prosimy|gerekir|lütfen|gerekli|zorunlu|должн[аоы]?|нужно|следует|необходимо|пожалуйста|треба|kell|pitää|trebuie)(?!\p{L})|ください|必ず|べき|务必|必须|應該|应该|必須|请|請/u;

/** "Please", which asks for something by itself. */
export const PLEASE_ABROAD =
  /(?<!\p{L})(?:bitte|veuillez|prière|merci (?:de|d')|por favor|per favore|graag|gelieve|proszę|prosimy|lütfen|пожалуйста|snälla|vennligst|venligst|kérjük|παρακαλώ|vă rugăm|prosím)(?!\p{L})|ください|请|請|주세요/u;

/** People at their letters, and what they do. */
export const WRITING =
  /(?<!\p{L})(?:writ(?:e|es|ing|ten)|contact(?:s|ing)|reply(?:ing)?|replies|approach(?:es|ing)|reach(?:es|ing)? out|get(?:s|ting)? in touch|mention(?:s|ed|ing)?|tell(?:s|ing)?|told|(?<!'s )say(?:s|ing)?|(?:un)?said|unmentioned|left out|stat(?:e|es|ed|ing)|schreib\p{L}*|écri\p{L}*|contact\p{L}+|escrib\p{L}+|scriv\p{L}+|escrev\p{L}+|schrijv\p{L}+|skriv\p{L}*|pisz\p{L}*|yaz\p{L}*|пиш\p{L}*)(?!\p{L})/u;

/** What letters do, where a text says of letters what they do. */
export const LETTERS_DO =
  /(?<!\p{L})(?:e-?mails?|mails?|letters?|messages?|subjects?(?: lines?)?|salutations?|greetings?|sign-?offs?|signatures?|openings?|closings?|sentences?|paragraphs?|lines?|drafts?|repl(?:y|ies)|pitch(?:es)?|correspondence|suppliers?|vendors?|sellers?|newcomers|strangers|bidders?|writers?|senders?|readers?|recipients?|introductions?|p\.?s\.?)(?!\p{L})[^.!?,;:"]{0,60}?(?<!\p{L})(?:(?:is|are|gets?) (?:\p{L}+ )?(?:signed|sent|addressed|written|opened|closed|read|headed|answered|begun|ended|followed|preceded|welcome|liked|best|called|titled|named|supposed)|carr(?:y|ies)|reads?|(?:begin|start|open|end|close|finish|conclude|sign)s?|contains?|includes?|mentions?|states?|names?|bears?|features?|needs?|wants?|wishes|appreciates?|loves?|likes?|prefers?|says?|quotes?|uses?|goes|go|will|thanks?|praises?|promises?|offers?|cites?|confirms?|learns?|hears?|knows?|comes?|belongs?|reaches|go(?:es)? unread|ha(?:s|ve) the (?:words?|phrase|line|name)|has to)(?!\p{L})|(?<!\p{L})(?:with|by|on|in|has|have|the word|the words|include|exact) (?:the )?(?:exact |following |magic )?(?:words?|phrase|sentence) ["']?\p{L}|(?:^|[\n.!?;,] ?)(?:the )?(?:\p{L}+ )?(?:subject(?: line)?|salutation|greeting|sign-?off|signature|closing|opening|opener|headline|p\.?s\.?|code-?word|catch-?phrase|(?:opening|closing|first|last|final|required|mandatory|standard) (?:line|sentence|words?|phrase|paragraph)) ?(?:[:=]|(?:is|reads|must be|shall be) )|to be (?:called|addressed|greeted|titled|named|saluted)(?!\p{L}| (?:before|after|at|on|back|in|by|only|again|first)\b)|(?:begin|start|open|end|close|finish|conclude|sign)s?(?: off)?(?: with| by| as| on)? ?:|(?<!\p{L})(?:e-?mails?|mails?|letters?|messages?|offers?|proposals?|pitch(?:es)?|bids?|introductions?|vendors?|suppliers?|sellers?|strangers|newcomers|bidders?|applicants?|correspondents?|visitors|senders?)(?: (?:to|from|in|for) (?:the )?\p{L}+)? (?:that|which|who|whose|in which|where|without|containing|bearing|unless)(?!\p{L})|(?<!\p{L})to be (?:included|mentioned|said|added|quoted|used|stated|repeated|inserted)(?!\p{L})|(?<!\p{L})only (?:(?:\p{L}+ ){1,2}(?:that|which|who)|considered|answered|read|accepted|if|when|those)(?!\p{L})|(?<!\p{L})(?:tag-?line|slogan|footer|header|intro|outro|title) ?=|(?<!\p{L})(?:every|each|all|any|no) (?:\p{L}+ )?(?:e-?mails?|mails?|letters?|messages?|repl(?:y|ies)|drafts?|correspondence|outreach)(?!\p{L})|(?:(?:like|love|expect|hope)s? to (?:read|hear|see)|wants? to (?:read|hear|see) (?:that|the (?:words?|phrase|line|name)|["']))(?!\p{L})|(?:the|this|that) (?:line|words?|phrase|sentence|name) ?:|^(?:please |then )?(?:do|follow|copy|imitate|heed|obey|take) (?:so|likewise|the same|as (?:he|she|they|told)|(?:that|this|his|her|their|the) (?:advice|example|lead|tip|hint))(?!\p{L})|(?:what|that|which|is|are) (?:is |are )?(?:titled|headed|entitled|labelled|marked)(?!\p{L})|(?:opening|closing|first|last|final) (?:line|sentence|paragraph|words?|phrase) (?:in which|where|that|which|now|then|makes?|tells?|reveals?|announces?|admits?|confess\p{L}*|asks?|gives?)|(?:every|each|all|any|no) (?:offers?|proposals?|bids?|texts?)\b[^.!?]{0,40} (?:must|ha(?:s|ve) to|should|shall|needs? to|mentions?|says?|names?|states?)\b|nobody (?:writes|contacts|approaches)|(?:mention|hint|word|remark|line|joke) (?:of|about|on) [^.!?]{3,60} (?:opens|helps|works|wins|pays|does wonders|is welcome)\b|the writer (?:introduces|presents|poses|confess\p{L}*|admits?|states?|claims?|says?|tells?|promises?|apologi[sz]es?)|(?:belongs?|goes|fits|has its place|is to be found|must not be missing) (?:in|into|to|at the (?:end|top|start) of) (?:each|every|any|all|the|your|such) (?:\p{L}+ )?(?:offers?|e-?mails?|mails?|letters?|messages?|drafts?|pitch|proposals?|texts?)|whatever (?:else )?(?:you|it|they|one) (?:send|write|say|answer|offer)s?|worth (?:writing|mentioning|saying|talking|repeating|quoting|telling)|(?:the )?only (?:subject|topic|theme|thing)|nothing (?:about|but|on) /u;

/** Words of sales, dates and courtesy: who takes them from a note has said nothing that others wanted said. */
export const ORDINARY = words(`
  webinar demo trial trials plan plans case study studies brochure price prices pricing offer offers offering call calls meeting meet talk talks phone month months week weeks day days today tomorrow monday tuesday wednesday
  thursday friday saturday sunday january february easter christmas march april june july august september october november december morning afternoon evening minutes minute hour hours team teams report reports reporting company companies
  business customer customers client clients question questions help work working works time times year years like know look looking good great best kind regards dear hello thanks thank please send write read shows show find
  interested interest example website site link mail email letter people person next last first also make makes made need needs about your ours more some than then just very well want wants would could should might soon once workshop seminar training course audit sheet newsletter checklist guide catalogue sample reference references setup discount not but can all any now how why who get got let had has him his did off out put see set she too use was way yes yet been were there their them into over under such they from this that what when will
   only even back may summer winter spring autumn here there think thought tell told mention mentioned word words note short brief quick year ago much many every each away little long free
`);

/** "Plant Manager", "Grant Thornton": small letters behind each capital. */
export const AS_NAME =
  /^(?:\p{Lu}[\p{Ll}'’.-]+|of|and|&|for|the)(?: (?:\p{Lu}[\p{Ll}'’.-]+|of|and|&|for|the))*$/u;
