import type { RefusalCategory } from "./categories.ts";

export type Words = readonly (readonly [RefusalCategory, readonly RegExp[]])[];

/**
 * A resolver that had no answer for now: the names that RFC 1035 and `getaddrinfo` give it, and mail
 * systems' words for it. It stands beside "not found", and beside 5.4.4 once a queue has expired.
 */
export const RESOLVER_TROUBLE: readonly RegExp[] = [
  /\bserv ?fail\b|\beai again\b|host name lookup failure/,
  /\b(dns|name ?servers?|name service|resolvers?|resolution|lookup)\b( \S*[^\s.!?]){0,8} (server failure|temporar\w*|try again|timed? ?-?out|did not complete|not responding|unreachable|(general|temporary) failure)/,
  /(temporar\w*|transient|vorübergehend\S*|temporär\S*)( \S*[^\s.!?]){0,4} (name resolution|dns|lookup|resol\w+|name ?server|namensauflösung)/,
  /(host|domain|name|record)s? (was |is )?(not (found|resolved)|lookup failed)[,;:]? ?\(?(please )?try again/,
  /\bresolv\w*( \S*[^\s.!?]){0,6} (at (this|the) (time|moment)|temporar\w*|server failure)/,
];

/**
 * Words of SMTP replies and notices, in lower case with single spaces, in the order they are looked
 * for. They are the vocabulary of RFC 3463 and of the mail systems' own tables of replies, loosely
 * joined; none is the wording of one message. These name the fault precisely enough to win over a
 * status code.
 */
export const PRECISE_WORDS: Words = [
  [
    "ip_blocked",
    [
      /\b(ptr|rdns|reverse (dns|lookup|hostname|ip)|dnsbl|rbl)\b|\bhelo\b|\behlo\b/,
      /(spamhaus|spamcop|sorbs|uceprotect|abuseat|barracudacentral)\b/,
      /(black|block|deny)list(ed)? (by|at|in|on|for|:)|(host|ip|server|client|network)( \S+){0,4} (black|block)list/,
      /(my|your|client)( \S+)? (name|host|hostname|ip|server|ip address)( \S+){0,3} (was |is |been )?(rejected|blocked|banned|refused|denied)/,
      /(can.?not|unable to|could not|does not|failed to) (find|resolve|lookup|verify|reverse)( \S+){0,3} your (\S+ )?(host|ip|address|name|domain)/,
      /\[?\b\d{1,3}(\.\d{1,3}){3}\]? (is |was |has been )?(\S+ly )?(blocked|listed|banned|blacklisted|blocklisted)/,
      /\bip (name|address)? ?(lookup|not found|does not resolve)|name does not exist for your|host \S+ rejected/,
    ],
  ],
  ["network", RESOLVER_TROUBLE],
  [
    "rate_limited",
    [
      /at a rate that|mail too quickly|too many( \S+){0,4} (hour|minute|day|connection|session)s?\b/,
      /(rate|sending|connection|frequency) limit( \S+){0,3} (exceed|reach)|(frequency|rate) limited/,
    ],
  ],
  [
    "relay_trouble",
    [
      /insufficient system (storage|resources?)|\bqueue file\b|(mail|message|delivery|outbound|deferred|spool) queue( \S+){0,3} (full|limit\w*|exceed\w*|error)/,
      /\bqueue (is )?full\b|server configuration (error|problem)/,
    ],
  ],
  [
    "mailbox_full",
    [
      /(over|exceed\w*|out of|reach\w*|beyond|insufficient)( \S+){0,6} (quota|storage|disk ?space|mailbox (size|limit))/,
      /\b(mail ?box|folder|mail ?drop|account|user|inbox|recipient\S*)('s)?( \S+){0,4} (is |are |was )?(currently |temporarily )?(full\b|over ?quota)/,
      /quota ?(has been |is |was )?(exceed|full|reached|violat|used up)|\bover ?quota\b|disk ?quota|mailbox_full/,
      /(mail ?box|storage|disk) (space )?(limit|quota|size)( \S+){0,3} (exceed|reached)|mail ?box( \S+){0,2} exceed/,
      /(not enough|insufficient|no) (\S+ )?(storage|disk ?space|space|room)\b|too (much|many) (mail|data|messages) (in|stored|on)/,
      /postfach( \S+){0,4} voll|bo[iî]te( \S+){0,5} pleine|buz[oó]n( \S+){0,5} llen|caixa( \S+){0,5} cheia|casella( \S+){0,5} piena|vol(le)? (mailbox|postvak)|переполнен|容量.{0,12}(超|オーバー)|いっぱい|已满/,
    ],
  ],
  [
    "too_big",
    [
      /(message|mail|e-?mail|body|data|attachment|content|header|file)s?( \S+){0,4} too (big|large|long)\b|line too long/,
      /(message|mail|header)( \S+){0,2} (size|length)( \S+){0,4} (exceed|limit|greater|larger|too)/,
      /(exceed\w*|over|larger than|above|greater than)( \S+){0,4} (maximum|message|mail)( \S+){0,3} (size|length)/,
      /zu gro(ß|ss)|trop (gros|volumineux)|demasiado grande|muito grande|слишком (большо|велик)/,
    ],
  ],
  [
    "disabled",
    [
      /(account|user|mail ?box|recipient|address|domain|mail ?drop)\b( \S+){0,6} (\w+ly )?(disabled?|suspended|deactivated|inactive|locked|frozen|not active|no longer active|not activated|dormant|expired|inaccessible)\b/,
      /\b(disabled|suspended|deactivated|inactive|locked|frozen|inactivated) (\S+ )?(account|user|mail ?box|recipient|address|domain)/,
      /konto( \S+){0,4} (gesperrt|deaktiviert)|compte( \S+){0,4} (désactivé|suspendu|inactif)|(cuenta|usuario|buzón)( \S+){0,4} (desactivad|suspendid|inactiv)[oa]|conta( \S+){0,4} (desativada|suspensa|inativa)|заблокирован/,
      /(konto|postfach|mailbox|adresse)( \S+){0,4} (stillgelegt|geschlossen|nicht mehr aktiv)|(account|casella|utente)( \S+){0,4} (disattivat|sospes|inattiv)[oa]|(account|postvak|mailbox)( \S+){0,4} (gedeactiveerd|uitgeschakeld|opgeheven)|konto( \S+){0,4} (nieaktywne|wyłączone|zablokowane|inaktiverat|avaktiverat|deaktiveret)|отключен|停用/,
    ],
  ],
  [
    "moved",
    [
      /(user|recipient|mail ?box|account|address)( \S+){0,3} (has |have )?(moved|relocated)\b|user not local|not our user/,
      /(no longer|not any ?more|not any longer) (\S+ )?(in use|use[sd]?|using|valid|with (us|the|this)|at this|employed|works?|on (this )?server|on server)/,
      /has left (the|our|this) (company|firm|organi[sz]ation|school|university|employ|business)|(new|changed) (e-?mail )?address (is|to)|address(es)?( (has|have|was))?( been)? (changed|replaced)|has been replaced by/,
      /please (try|use|update)( \S+){0,4} ((new|forwarding) (e-?mail )?address|<?\S+@\S+)|変更(され|し)/,
    ],
  ],
  ["recipient_filter", [/recipient preferences|(user|recipient)('s)? (has )?(blocked|chosen not)/]],
  [
    "sender_rejected",
    [
      /(bad|invalid|unknown|unresolvable|un-?rout[e]?able|unverified|forged|spoofed|fake|empty|null) (\S+ )?(sender|return.?path|envelope from|mail from)/,
      /\b(sender|from:?|return.?path|mail from|envelope from)('s)?( \S+){0,2} (address|domain|mailbox|host)?( \S+){0,6} (rejected|does(n't| not) exist|not exist|not found|unknown|unverif\w*|cannot be verified|could not be verified|not valid|invalid|must (be|resolve|exist)|must have|verify failed|not allowed|is not permitted|no mx|null mx|not owned|empty|denied|blocked|refused)/,
      /sender (\S+ )?(verif\w*|callout) ?(fail|error|denied)?|sender verif|(domain|host) of (the )?sender|not owned by user|batv|(absender|expéditeur|expediteur|emetteur|émetteur|remitente|mittente|remetente|afzender|nadawc|avsändare|afsender|avsender|lähettäj|odesílatel|отправител)\S*( \S+){0,5} (\S*(ungültig|unbekannt|abgelehnt|inconnu|desconocid|desconhecid|gesperrt|invalid|refus|rejet|rechazad|bloquead|rifiutat|sconosciut|rejeitad|geweigerd|ongeldig|onbekend|odrzucon|nieznan|avvis|ogiltig|okänd|ukendt|ukjent|hylät|neznám|odmítnut|отклон|запрещ|неизвест|in[ae]?xist|inesist|no existe|não existe|n.existe|nu exist|ei löydy|nincs|yok\b|δεν υπάρχει))|(αποστολέ|expeditor|gönder|feladó)\S*( \S+){0,5} (δεν υπάρχει|nu exist|necunoscut|bulunamad|yok\b|nincs|ismeretlen)|(email|from) address is not verified/,
    ],
  ],
  [
    "relay_denied",
    [
      /relay(ing)?( \S+){0,6} (denied|prohibited|not (permitted|allowed|possible)|disallowed|refused|rejected|disabled|access)/,
      /(unable|not (permitted|allowed|authorized)|cannot|can't|we do(n't| not)|refus\w+|no|not|as a|using) (to )?(me as )?(a )?relay|relay(ing)? (from|by|attempt|is)|not (a|an) (\S+ )?(gateway|relay|open)\b(?! (user|recipient|account|address))/,
      /rcpthosts|in my list of allowed|bad recipient domain/,
    ],
  ],
  [
    "authentication",
    [
      /\b(dmarc|dkim|spf|arc seal)\b|sender policy framework/,
      /(mail|message|sender|e-?mail)( \S+){0,4} (is |are )?(unauthenticated|not authenticated|fail\w* (\S+ )?authentication)/,
      /(authentication|alignment) (check|checks|requirements?|information|failed|failure|did not pass|results?)/,
      /not( \S+){0,3} authorized to send|(invalid|wrong|unauthori[sz]ed) (ip|host|server)( \S+){0,3} send|unauthenticated (e-?)?mail/,
    ],
  ],
  [
    "no_mail_accepted",
    [
      /null ?mx|no (smtp|mail) service|not (an? )?(mail|smtp) server|cname lookup failed/,
      /does(n't| not) accept (\S+ )?(e-?mail|mail|messages|smtp)( \S+){0,2}$/,
      /(domain|host|system|server|site|machine)( \S+){0,4} (does(n't| not)|do not|never|won't|will not) (accept|receive|handle|take)s? (any )?(e-?mail|mail)\b/,
      /system not accepting (network )?messages|mail (receiving|receipt) (is )?disabled|mail (for|to) (this|that) (domain|host) is not accepted/,
      /\bmx( \S+){0,3} (is |are )?(empty|null|invalid|illegal)|(nothing but|only) (\S+ )?(illegal|invalid|null) mx/,
      /no mx (found|for|record)|find a mail exchanger|best-preference mx|smtp protocol returned a permanent error/,
    ],
  ],
  ["no_domain", [/\bhost unknown|unknown host\b|no such (host|domain)|nxdomain/]],
  [
    "no_such_user",
    [
      /(user|recipient|mail ?box|account|address|addressee|alias|person|mail ?drop|member|customer|name|inbox|local.?part|adresse|list|group)(es|s)?('s)?( \S+){0,8}? (is |was |were |are |be )?(unknown|not (be )?(found|known|exist\w*|listed|recogni[sz]ed|valid|available here|a known|resolved?|registered|local|present)|non.?exist\w*|(does|do|did)( ?n.t| not) (exist|appear|have|match)|invalid|undefined|unallocated|(has been |was |were )?(removed|deleted|closed|terminated)|couldn.t be found|(could|can) ?not be (found|resolved)|wasn.t found|isn.t found)/,
      /\b(no|not a|unknown|invalid|non.?existent|unrouteable|unroutable|undeliverable|no such|not such|not our|bad destination|bad|wrong|illegal|unresolvable|ambiguous|can.?t accept|cannot accept) (\S+ )?((virtual|local|valid|known|gateway|e-?mail|mail|destination|alias|to|user.?name) )?(user|mail ?box|recipient|account|address(ee)?|alias|person|mail ?drop|id|customer|name|mail user|local.?part)s?\b/,
      /(no|does not have an?) (\S+ )?(account|mailbox|user|e-?mail address|person|one) (\S+ )?(here|by that|with that|by this|with this|named|called|of that|at this|found)|does(n.t| not) have an? (\S+ )?(\S+ )?account/,
      /no mailbox( here)?|no one at this|(invalid|unknown|illegal)( \S+){0,2} user ?id|(recipient|address) rejected\.?$|rejected recipients?\b|doesn.t live here|missing home/,
      /requested action not taken: mailbox unavailable(?! reject)|^(smtp; ?)?(5\d\d[ -])?(5\.\d\.\d )?(<?\S+@\S+ )?(mailbox unavailable|does(n.t| not) exist)\.?$/,
      /final (e-?mail )?(delivery|destination)|not (an? )?((active|existing|deliverable) (mail ?box|address|account|user)|(user|mail ?box|recipient) (of|on|at|in) (this|our|the)\b)|recipient (is )?not (accepted|ok)\b/,
      /(address|mail ?box|account|user)( \S+){0,3} no longer (accept|receive|exist)\w*|(person|user|recipient)( \S+){0,6} is not here\b/,
      /not (listed|registered|known) (in|at|on) (\S+ )?(domino|public|address|directory|name|gateway|this (site|host|server|system))|bad-?rcpt-?to|badrecipientto|not in my (list of )?valid|envelope recipient( \S+){0,3} (denied|in my)/,
      /(address(es)?|recipient)( \S+){0,2} rejected ?: (access denied|user unknown|undeliverable|unverified|unknown)|rejected: cannot be resolved/,
      /resolver\.adr\.(recip\w*notfound|ex\w*notfound|ambiguous)|recipient ?not ?found|recipnotfound|couldn.t be found (by|at)|wasn.t found at/,
      /can.?not find (\S+ )?(user|mailbox|recipient|person|account)|cannot be delivered to this (user|address)|(verification|callout)( \S+){0,4} (fail|not exist)/,
      /check( \S+){0,5} (recipient's|the|e-?mail|address)( \S+){0,4} (typo|spelling)|unknown to (this|our)/,
      /(nieznan|neznám|onbekend|okänd|ukendt|ukjent|tuntematon|ismeretlen|bilinmeyen)\S* (\S+ )?(\S*(użytkownik|odbiorc|uživatel|příjemc|gebruiker|ontvanger|användare|mottagare|bruger|modtager|mottaker|käyttäj|vastaanottaj|címzett|felhasznál|kullanıcı|alıcı))|(ontvanger|gebruiker|mottagare|användare|modtager|mottaker|vastaanottaja|odbiorca|użytkownik|příjemce|alıcı|kullanıcı)\S*( \S+){0,3} (onbekend|okänd|ukendt|ukjent|tuntematon|nieznan|neznám|bulunamadı|bilinmiyor)|findes ikke|finnes ikke|neexistuje|nem létezik|ei ole olemassa|nu există|nie istnieje|nie ma takiego (użytkownik|odbiorc|konta|adres)|wurde nicht gefunden|introuvable|no encontrad|não encontrad|non trovat|existiert nicht|kein(en)? (solche[rn]? )?(benutzer|empfänger|postfach)|n.existe pas|no existe|não existe|non esiste|bestaat niet|finns inte|не существует|не найден|存在しな|見つかりません|リストにありません|[宛あ]て?先(が|は)?不明|不存在|unbekannt|inconnu|desconocid|desconhecid|sconosciut/,
      /(usuari|buz[oó]n|cuenta|casilla|caixa|conta|destinat|utente|casella|utilisateur|compte|bo[iî]te|adresse|mailbox|recipient|user)\S*( \S+){0,3} (inexist(ent|ant)|inesistent)[ea]?\b|n.existe plus|gibt es( \S+){0,2} nicht|nu exist[aă]\b|не зарегистрирован|нет такого (пользователя|адреса|ящика)|δεν υπάρχει|άγνωστος (χρήστης|παραλήπτης)|geen (gebruiker|postvak|postbus|mailbox)|nincs ilyen (felhasználó|cím|postafiók)|ei löydy|brak takiego (użytkownika|odbiorcy|adresu|konta)|böyle bir (kullanıcı|alıcı|adres) yok|존재하지 않|없는 (사용자|계정)/,
      /not in (the |our )?(\S+ )?directory\b|(do(es)? not|don't) know (this|that|any|such)( an?)? (user|recipient|person|mail ?box|address)|nobody (here )?(by|with|of) that name|no inbox\b/,
    ],
  ],
  [
    "no_domain",
    [
      /\b(host|domain|name|mx|site|server|system|node)(name)?( \S+){0,6}? (unknown|not (be )?(found|known|exist\w*|resolved?|valid)|does(n.t| not) exist|non.?exist\w*|invalid|unresolv\w*|must exist|(could|can) ?not be (found|resolved|located)|lookup fail)/,
      /\b(unknown|no such|invalid|bad|unresolvable|illegal|non-?existent) (\S+ )?(host|domain|site|node|system)|nxdomain|all host address lookups failed/,
      /(couldn.t|could not|unable to|can.?not|can.t) (find|resolve|locate|route)( \S+){0,5} (host|domain|mx|mail exchanger|mail server|to)|unrouteable (mail )?domain/,
      /no match(es)? (to|for) (\S+ )?(name ?server|dns) quer|no (a|mail|mx or \S+) (record|exchanger|host|route)|(dns|mx)( \S+){0,5} (no (such )?(data|records?|host|domain)|nonexistent|does not exist|not found)|domain (is )?(expired|not registered)/,
    ],
  ],
];

/** These are looked for when the status code says nothing, or is missing. */
export const VAGUE_WORDS: Words = [
  ["virus", [/\b(virus|malware|trojan|infected|phish(ing)?)\b|ウイルス/]],
  [
    "greylisted",
    [
      /gr[ae]y.?list|gr[ae]ulist|list[ea] ?(grise|gris|grigia|cinza)|grålist|szar\S+ list|try again later( \S+){0,4} (minute|second)|temporarily (deferred|rejected)( \S+){0,3} (new|first)/,
    ],
  ],
  [
    "recipient_filter",
    [
      /(recipient|user|addressee|member|owner|mailbox)s?( \S+){0,6} (has |have |does not |doesn.t |not |only )?(reject\w*|refus\w*|block\w*|accept\w* (\S+ )?(mail|messages)|accepting|restrict\w*)/,
      /(rejected|refused|blocked|filtered) by (the |its )?(recipient|user|addressee|owner|mailbox)|(message|mail)( \S+){0,3} filtered|(mailbox|user|inbox) (rule|filter)/,
      /(not|only)( \S+){0,4} (allowed|permitted|authori[sz]ed|permission) to (send|post|submit|e-?mail)|white.?list|members? only|posting|moderat/,
    ],
  ],
  [
    "rate_limited",
    [
      /(rate|sending|connection|hourly|daily|message)( \S+){0,4} (limit|too (high|fast|many|quickly))|throttl|unusual(ly)? (rate|high|volume)/,
      /too (many|fast|frequent|quick)\w*\b(?! (hops|received))|exceed\w*( \S+){0,4} (limit|rate)/,
    ],
  ],
  [
    "timeout",
    [
      /(time|timed) ?-?out|(retry|retries|queue|delivery|message|warning|maximum)( \S+){0,4} (time|timeout|age|expired|exceeded|too long|life ?time)/,
      /connection (was |is |has been )?(refused|lost|dropped|reset|closed|died|interrupted|broken|failed)$|connection (refused|reset|lost|timed|died)( by peer)?( |$)(?!from|because|due)/,
    ],
  ],
  [
    "ip_blocked",
    [
      /(black|block|deny|reject|spam).?list|\b(dns[bw]l|cbl|senderbase)\b|reputation|dynamic(ally)?( \S+){0,3} (ip|address|host|pool)/,
      /\b(ip|host|server|client|connection|network|address)\b( \S+){0,8} (blocked|banned|listed|denied|refused)/,
      /(access|connection|connections|mail|session)( \S+){0,6} (denied|refused|rejected|dropped|not (allowed|accepted)|blocked)( \S+){0,3} (from|due|because|for)/,
    ],
  ],
  ["spam", [/\b(spam\w*|uce|ube|unsolicited|junk ?mail|bulk ?mail)\b/]],
  [
    "content",
    [
      /(content|attachment|body|header|subject|character|mime|url|link|charset|8.?bit|format|syntax)s?( \S+){0,6} (reject\w*|not (allowed|permitted|accepted|supported)|refus\w*|block\w*|invalid|prohibited|forbidden|malformed|illegal|violat\w*|restrict\w*|bad)/,
      /(reject\w*|block\w*|prohibited|illegal|invalid|malformed|bad|missing|duplicate\w*) (\S+ )?(\S+ )?(content|attachment|header|body|extension)|rfc ?(2|5|8)[38]?[12]2/,
    ],
  ],
  [
    "timeout",
    [
      /(been|remained|was|is) (in|on) (the |my |our )?queue|gave up|given up|giving up|expired|too long/,
      /(connect\w*|delivery|session)( \S+){0,6} (refused|lost|dropped|reset|closed|fail\w*|interrupted|broken)/,
      /(could not|couldn.t|can.?not|unable to|failed to|not able to|wasn.t able to)( \S+){0,4} (connect|establish|reach|contact)|(not|stopped|isn.t|hasn.t) (\S+ )?(respond|answer)\w*|no (answer|response|reply)|(not |un)reachable/,
      /(will|has)( \S+){0,2} (not be retried|keep trying|been delayed)|delayed|превышен/,
    ],
  ],
  [
    "loop",
    [
      /loop|too many (hops|received)|hop ?count|already( \S+){0,3} (delivered|been)|(forward|redirect)\w* (\S+ )?(too many|cycle)/,
    ],
  ],
  [
    "network",
    [
      /(no route|network|dns|name server|resolver|host lookup|name service|temporary lookup|tls|certificate|starttls|ssl|handshake)( \S+){0,4} (fail|error|unreachable|problem|required|down|to host|refused|temporar)/,
      /try (again )?later/,
    ],
  ],
  [
    "system",
    [
      /(system|local|internal|server|configuration|resource|i\/o|disk|database|software|program|mailer|command|process|insufficient|temporar\w*|unexpected|ldap|alias\w*)( \S+){0,4} (error|fail\w*|problem|died|crash\w*|unavailable|unable|busy|shortage|exhausted|condition|not available|exit\w*)/,
      /can.?t (create|open|write)|unable to (create|open|write|execute|run|lookup)|service (is )?(temporarily )?(unavailable|not available)/,
    ],
  ],
  [
    "policy",
    [
      /polic(y|ies)|prohibit\w*|not (allowed|permitted|authori[sz]ed|accepted)|administrative\w*|access (is )?denied|permission|security|unacceptable|den(y|ied)|reject\w*|refus\w*|block\w*|forbidden/,
    ],
  ],
  ["no_such_user", [/recipients?( \S+){0,2} (was|were|is|are) undeliverable/]],
];
