import type { IntentWords } from "./intent-language.ts";

export const french: IntentWords = {
  yesByNo: [
    "(aucun|pas de|sans|nul) (problème|souci|inconvénient|objection|soucis|doute)|pourquoi pas|(dis|dirais|dit|disons) … (pas|jamais) non|(rien|aucune raison) … contre|pas (contre|mal|inintéressant)|rien à perdre|(hâte|impatien…)|n'y vois … (inconvénient|objection|problème)",
  ],
  later: [
    "(pour l'instant|pour le moment|actuellement|en ce moment|cette année|ce trimestre|ce mois|maintenant|aujourd'hui) … (pas|non|plus|rien|compliqué|trop|difficile|chargé)|(pas|non|rien) … (pour l'instant|pour le moment|actuellement|en ce moment|cette année|maintenant|encore|tout de suite|ce trimestre)|pas (encore|maintenant|tout de suite)|trop tôt|plus tard|(peut-être|éventuellement) (plus tard|l'an|en|un jour|après|au)|un (autre|de ces) (jour|moment)",
    "(rappel…|recontact…|reven…|relanc…|contact…|reparl…|repren…|écri…|voir|verra|voyons|recaler|faire le point|réessay…|reprendre|refaire|retour…) & (en|après|au|dans|à partir|début|fin|mi|d'ici|vers|courant|l'an|quand|lorsque|à la|le) & (janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|trimestre|semestre|rentrée|année|printemps|été|automne|hiver|vacances|fêtes|noël|pâques|mois|semaines|prochain…|plus tard|quand|lorsque|an|bilan|inventaire|saison|salon)",
    "(budget…|enveloppe|crédits|trésorerie) & (plus|pas|épuisé…|gelé…|bouclé…|clos|prochain…|consommé|dépensé|fermé|attend…)|(contrat|engag…|sous|liés?|abonnement|licence) & (jusqu…|échéance|termine|expire|court|fin)|(débordé|surchargé|sous l'eau|trop occupé|submergé|la tête sous)…?|pas le (temps|bon moment|moment)|(mauvais|pas le bon|n'est pas le|pas un bon) moment|pas (une |la |notre )?priorité|(après|pas avant|à partir de|d'ici|courant|début|fin) … (janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|la rentrée|les vacances|les fêtes|noël|l'été|trimestre|mois|année|saison|déménagement|bilan)|(l'an|l'année|le mois|le trimestre|la saison|au printemps|l'été) prochain…|dans (un|deux|trois|quatre|six|quelques|\\d+) (mois|semaines|ans)|en (pause|attente)|on verra|à la rentrée",
  ],
  no: [
    "(pas|plus|aucun|aucune|jamais|guère|peu) … (intéress…|intérêt|besoin|pertinent…|utile|nécessaire|concern…|pour nous|adapté…|suite|souhait…|envisag…|changer|d'actualité|convaincu…|notre|à l'ordre)|non( (merci|désolé|pas|sans|je|nous|ça|c'est|définitivement|toujours))*|(reste|toujours|mais|c'est|sera|est|malheureusement|hélas|quand même|un) … non|sans (façon|intérêt|suite)|désintéressé…|déclin…|refus…",
    "(déjà|avons|ai|sommes|utilis…|travaill…) … (déjà|équip…|satisfait…|prestataire|fournisseur|solution|ce qu'il faut|interne|partenaire|pourvu…|servi…|contents?|outil|système)|(faisons|fait|gérons|gère|traitons) … (nous-mêmes|interne|moi-même)|n'en (changer…|voul…|avons|avon)|(ne|n') … (cherch…|achet…|changer…|donner…|voulons|veux|avons pas)( [^ ]+)* pas|ne … pas (suite|preneur…|acheteur)|(opté|choisi|décidé|parti…) … (contre|autre|concurrent|pas|rester)|je (passe|décline)|on passe( notre tour)?",
  ],
  refer: [
    "(adress…|voy…|contact…|écri…|demand…|appel…|transf…|transmet…|transmis…|rapproch…|parl…|tourn…|orient…|renvoi…|pass…|joign…|faites) & (à|au|aux|avec|vers|le|la|mon|ma|notre|votre|par|auprès) & (collègue|directeur|directrice|responsable|service|siège|chef|patron…|monsieur|m|mme|madame|associé…|gérant…|équipe|achats|informatique|comptab…|rh|drh|dsi|épouse|mari|femme|agence|direction|assistante?|successeur|secrétariat|confrère|mairie|propriétaire|direct…)",
    "(pas|plus) … (mon (domaine|service|ressort|rayon|périmètre|rôle)|moi qui|moi (que|de)|la bonne personne|le bon (interlocuteur|contact|service|numéro)|en charge|responsable|décide|décisionnaire|compéten…|concerné)|(mauvais…|erreur de) (service|personne|interlocuteur|destinataire)|(c'est|est|s'en|gère|décide|charge|responsable de|ce sont) … (qui (gère|s'en|décide|voit|s'occupe|traite)|occupe|charge de|gère|décide)|(en|mets|met|mis) … copie|je … (transfère|transmets|fais suivre)|^(voyez|demandez|contactez|appelez|voir) (ça |cela )?(avec |à )?(?!(moi|nous|en|si|plus)( |$))[^ ]+",
  ],
  praise: [
    "(semble|paraît|a l'air|serait|est|c'est|très|trouve|ça) … (intéressant…|bien|bon|super|parfait…|génial|top|utile|pertinent…|prometteur|sympa|formidable)|^(oui|volontiers|d'accord|bien sûr|avec plaisir|parfait|super|allons-y|certainement|absolument|entendu|carrément|intéressant|très bien|banco|allez-y|bonne idée|ça marche|je veux bien|montrez)",
  ],
  want: [
    "(intéress…|intrigu…|séduit…|tenté…|curieu…|partant…|preneu…)",
    "(envo…|montr…|appel…|proposez|propos…|dites|parl…|racont…|fix…|organis…|pren…|prévoy…|planifi…|cal…|téléphon…|rappel…|discut…|voyons|essay…|test…|pass…|transmet…|donn…|fai…|venez) … (moi|nous|devis|démo|rendez-vous|rdv|essai|documentation|plaquette|brochure|exemple|tarif…|présentation|créneau|ça|cela|plus|en|demain|voir|suite|offre|lien|infos?|lundi|mardi|mercredi|jeudi|vendredi)|(aimerais|aimerions|souhait…|voudr…|veux bien|serais|serions|pourr…|peut-on|peux|pouvez) … (voir|essayer|tester|démo|savoir|rencontrer|discuter|échanger|recevoir|rendez-vous|en parler|devis|découvrir|plus|appeler|venir|présenter)|(lundi|mardi|mercredi|jeudi|vendredi|demain|semaine prochaine) … (convient|matin|après-midi|h|heures|possible|parfait|bien|libre|dispo…|à|me|va|\\d)|(démo|devis|rendez-vous|rdv|essai) … (oui|svp|possible|volontiers|avec)|(vos|quelles sont vos) disponibilités|plus d'(infos?|informations|détails)|en savoir plus|dites-m'en plus",
  ],
  ask: [
    "^(et |mais |bonjour |bonsoir |alors |euh )*(qui|que|qu'|qu'est-ce|quel|quelle|quels|quelles|où|d'où|quand|pourquoi|comment|combien|est-ce|c'est quoi|c'est combien|avez-vous|êtes-vous|vous êtes|y a-t-il|peut-on|proposez-vous|ça|cela|votre|est-il|faut-il|à quoi|en quoi)( [^ ]+){0,60}$|(tarifs?|prix|coût|combien|coûte|références|d'où)",
  ],
};

export const spanish: IntentWords = {
  yesByNo: [
    "(ningún|sin|no hay|no es) (problema|inconveniente|pega|objeción)|por qué no|(no|nunca) … (digo|diría|diré|decir) … (que )?no|no (veo|tengo|hay) … (por qué no|inconveniente|problema|objeción|nada en contra)|nada que perder|no (está|suena) (nada )?mal|no puedo esperar|cómo no|no veo la hora",
  ],
  later: [
    "(ahora|ahora mismo|por ahora|de momento|por el momento|actualmente|en este momento|este año|este trimestre|este mes|hoy por hoy) … (no|nada|imposible|complicado|mal|tampoco|obras|liad…)|(no|nada|tampoco) … (ahora|ahora mismo|por ahora|de momento|por el momento|actualmente|en este momento|este año|este trimestre|todavía|aún)|todavía no|aún no|demasiado pronto|más (adelante|tarde)|(quizá|quizás|tal vez|igual|puede que) … (adelante|próximo|año|después|algún día|en|luego|tarde)|algún día|en otro momento|otra ocasión",
    "(vuelv…|volv…|escrib…|llám…|llam…|contact…|habl…|retom…|busc…|recuérd…|pregunt…|avis…|ponerse|pónga…|insist…|vemos|veremos|intent…|prueb…|hablamos|hablemos|revis…) & (en|después|tras|pasad…|a partir|para|hacia|cuando|próxim…|dentro|a la|a principios|a finales|luego|desde|a mediados|el) & (enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre|trimestre|semestre|año|primavera|verano|otoño|invierno|vacaciones|navidad…|reyes|pascua|semana santa|mes|meses|semanas|cuando|próximo|vuelta|temporada|cierre|feria|fiestas|adelante|inventario)",
    "(presupuesto…|fondos|dinero) & (no|agotad…|cerrad…|congelad…|próximo|hasta|sin|gastad…|ya)|(contrato|atados|permanencia|licencia|vence|comprometidos) & (hasta|vence|termina|acaba|caduca)|(muy|demasiado|súper|bastante) (liad…|ocupad…|saturad…)|(liad…|desbordad…|saturad…|hasta arriba|a tope)|(sin|no tengo|no tenemos) tiempo|(no es|mal|mala|no … buen) … (momento|época|prioridad)|buen momento|no es … prioridad|(hasta|después de|pasado|pasadas|tras|a partir de) … (enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|verano|vacaciones|navidad…|reyes|año|trimestre|fiestas|temporada)|(próximo|próxima|siguiente|que viene) (año|trimestre|mes|temporada|curso|ejercicio)|(el año|el trimestre|el mes|la temporada) (que viene|próxim…)|(dentro de|en) (un|dos|tres|cuatro|seis|unos|\\d+) (meses|mes|semanas|años|año)",
  ],
  no: [
    "(no|ningún|ninguna|nada|nunca|tampoco|poco) … (interes…|necesit…|neces…|hace falta|aplica|encaja|relevante|para nosotros|convence|procede|queremos|quiero|cambiar|requerimos|buscamos|compramos|usamos|nos hace|nos sirve|es para|lo vemos|vamos a)|no( (gracias|muchas|lo|por|nos|pero|estamos|ya|me|así))*|(sigue|pero|es|rotundo|definitiv…|siendo|la respuesta|que) … no|sin interés|declin…|rechaz…|desestim…",
    "(ya|tenemos|contamos|usamos|trabajamos|estamos) … (tenemos|contamos|cubiert…|proveedor|solución|satisfech…|contentos?|servid…|resuelto|otro|otra|alguien|sistema|usamos|trabajamos)|(lo|la|los) (hacemos|gestionamos|llevamos|resolvemos) … (nosotros|internamente|en casa|mismos)|(paso|pasamos)( de esto| gracias)?$|decidido … (no|contra)|optado … (por|otro)|hemos (elegido|firmado)|nos quedamos",
  ],
  refer: [
    "(pregunt…|habl…|contact…|escrib…|dirí…|dirig…|llam…|consult…|reenv…|pas…|envi…|enví…|mand…|trat…|deriv…|copi…|pónga…|comuní…|busc…) & (a|al|con|por|para|la|le|lo|se) & (compañer…|jef…|director…|responsable|departamento|compras|gerente|encargad…|central|sede|informática|it|rrhh|marketing|socio|socia|dueñ…|señor…|sr|sra|don|doña|marido|mujer|gerencia|oficina|equipo|contabilidad|administración|sucesor…)",
    "(no|ya no) … (mi (área|departamento|tema|competencia|función)|soy yo|soy la persona|me encargo|llevo yo|depende de mí|me corresponde|lo llevo|decido|persona (adecuada|indicada|correcta))|(departamento|persona|sección) (equivocad…|incorrect…)|(lleva|decide|gestiona|encarga|depende|corresponde|compete|maneja|ve) … (de |a |en |la |el |mi |lo )*[^ ]+|(en|con) copia|(la|lo|le|os|te) (copio|paso|reenvío|derivo)|^(habla|hable|pregunta|pregunte|contacta|contacte|escribe|escriba) (con|a|por) (?!(mí|nosotros)( |$))[^ ]+",
  ],
  praise: [
    "(suena|parece|pinta|es|sería|está|muy|se ve|tiene) … (bien|interesante|genial|perfecto|estupendo|útil|fenomenal|buena|bueno|buen|prometedor|justo)|^(sí|si|claro|vale|perfecto|de acuerdo|por supuesto|adelante|genial|estupendo|encantad…|venga|con gusto|desde luego|hecho|dale|interesante|me apunto|buena idea|bueno)",
  ],
  want: [
    "(interesa|interesad…|interés|curiosidad|encanta…|encantaría|apunto|gusta…|llama la atención|convence)",
    "(envía…|envi…|mánd…|mand…|muéstr…|muestr…|llám…|llam…|cuént…|cuent…|agend…|pás…|pas…|organiz…|prepar…|quedamos|hablamos|hablemos|concert…|reserv…|propón…|ven|venga|enséñ…|probar|prob…|háblame|dame|deme) … (me|nos|presupuesto|demo|reunión|información|propuesta|precios|más|lo|eso|cuando|mañana|cita|videollamada|catálogo|lunes|martes|miércoles|jueves|viernes|todo|detalles|ejemplo|semana)|(llám|mánd|envía|muéstr|cuént|pás|enséñ|llama|manda|enseña|cuenta)(me|nos|anos|ame)( [^ ]+)*|(quiero|queremos|quisiera|me gustaría|nos gustaría|podemos|podríamos|puedes|puede) … (ver|probar|saber|hablar|conocer|reunirnos|demo|recibir|agendar|quedar|más|llamarme|cotización|presupuesto|enviarme|verlo)|(lunes|martes|miércoles|jueves|viernes|mañana|próxima semana|semana que viene) … (bien|va|puedo|por la|a las|perfecto|libre|viene|mejor|me|\\d)|(hablamos|vemos|quedamos) (el |la |mañana|esta )|(demo|presupuesto|reunión|prueba|cotización) … (por favor|sí|gracias|claro)|más (información|detalles|info)",
  ],
  ask: [
    "^(y |pero |hola |buenas |buenos días |oye |perdona )*(quién|quiénes|qué|cuál|cuáles|dónde|de dónde|cuándo|por qué|cómo|cuánto|cuánta|cuántos|hay|tienen|tiene|tenéis|funciona|es|son|se puede|puede|pueden|incluye|ofrecen|integra|sirve|a qué|en qué|con qué|está)( [^ ]+){0,60}$|(precios?|cuesta|coste|costo|tarifas?|referencias|de dónde)",
  ],
};

export const portuguese: IntentWords = {
  yesByNo: [
    "(nenhum|sem|não há|não tem) (problema|inconveniente|objeção|stress|crise)|por que não|porque não|(não|nunca) … (digo|diria|vou dizer|dizer) … (que )?não|não (vejo|tenho) … (por que não|porque não|problema|inconveniente|nada contra|a hora)|nada a perder|(nada|não é) mal|mal posso esperar|pois não",
  ],
  later: [
    "(agora|neste momento|por agora|por enquanto|de momento|atualmente|este ano|este trimestre|este mês|no momento|para já) … (não|nada|impossível|complicado|difícil|sem)|(não|nada|sem) … (agora|neste momento|por agora|por enquanto|de momento|atualmente|este ano|este trimestre|este mês|no momento|ainda|para já)|ainda não|muito cedo|mais (tarde|para a frente|pra frente|adiante)|(talvez|quem sabe) … (próximo|ano|depois|um dia|em|frente|tarde|mês)|um dia|noutra (altura|ocasião)|em outro momento|outra hora",
    "(volt…|escrev…|lig…|contact…|contat…|fal…|retom…|procur…|lembr…|pergunt…|tent…|conversamos|conversar|vemos|me chama|chama…|revemos|falamos|retorn…) & (em|depois|após|a partir|para|por volta|quando|próxim…|daqui|no|na|início|fim|final|lá para|passad…) & (janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|trimestre|semestre|ano|primavera|verão|outono|inverno|férias|natal|carnaval|páscoa|mês|meses|semanas|quando|próximo|época|fecho|feira|festas|inventário)",
    "(orçamento|verba…|dinheiro|budget) & (não|acabou|fech…|congelad…|próximo|até|sem|esgotad…|já)|(contrato|fidelização|presos|licença|vence|comprometidos) & (até|vence|termina|acaba|vigora|vai)|(muito|demasiado|super|bem) (ocupad…|atarefad…|corrid…|enrolad…)|(atolad…|sobrecarregad…|afogad…|na correria|correria)|(sem|não tenho|não temos) tempo|(não é|mau|má|não … boa|não … bom) … (momento|altura|hora|prioridade)|(só|até|depois|após|a partir) (de |do |da |das |dos |em )*(janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|férias|natal|ano|carnaval|verão|festas|trimestre)|(próximo|próxima|que vem|seguinte) (ano|trimestre|mês|semestre|época|temporada)|(ano|mês|trimestre|semestre) que vem|daqui a (um|dois|três|quatro|seis|uns|\\d+) (meses|mês|semanas|anos|ano)",
  ],
  no: [
    "(não|nenhum|nenhuma|nada|nunca|pouco|nem) … (interess…|precis…|necess…|aplica|encaixa|relevante|para nós|pra nós|convence|queremos|quero|mudar|procuramos|compramos|usamos|faz sentido|serve|é para|vamos|pretend…|há necessidade)|não( (obrigad…|muito|nos|mas|estamos|já|me|temos|é))*|(continua|mas|é|definitiv…|sendo|resposta|que) … não|sem interesse|declin…|recus…|dispens…|agradeço mas",
    "(já|temos|contamos|usamos|trabalhamos|estamos) … (temos|contamos|cobert…|fornecedor|solução|satisfeit…|contentes|servid…|resolvid…|outro|outra|alguém|sistema|usamos|trabalhamos|bem servidos|atendid…)|(fazemos|gerimos|tratamos|resolvemos) … (nós|internamente|em casa|mesmos)|(passo|passamos)( desta| obrigado)?$|decidi… … (não|contra)|optámos|optamos|escolhemos outr…|vamos ficar|ficamos com",
  ],
  refer: [
    "(pergunt…|fal…|contact…|contat…|escrev…|dirij…|dirig…|lig…|consult…|reencaminh…|encaminh…|pass…|envi…|mand…|trat…|copi…|procur…|converse|conversa) & (a|ao|à|com|por|para|o|com o|com a|pro|pra|no|na) & (colega|chefe|diretor…|director…|responsável|departamento|compras|gerente|encarregad…|central|sede|informática|ti|it|rh|marketing|sóci…|don…|senhor…|sr|sra|dr|dra|marido|mulher|esposa|gerência|escritório|equipa|equipe|contabilidade|administração|sucessor…|[^ ]+ (do|da|de) [^ ]+)",
    "(não|já não) … (minha (área|função|competência|alçada)|meu (departamento|setor|pelouro)|sou eu|sou a pessoa|trato|cuido|me compete|decido|depende de mim|pessoa (certa|indicada|correta))|(departamento|pessoa|setor) errad…|(isso|isto|quem) … (é com|trata|cuida|decide|gere|resolve|vê)|(decide|trata|cuida|gere|responsável|depende|compete) … (é |o |a |do |da |de |no |na |isso |disso )*[^ ]+|(em|com) cópia|(copio|encaminho|reencaminho|passo|repasso) [^ ]+|^(fale|fala|pergunte|pergunta|contacte|procure) (com|a|ao|o) (?!(mim|nós)( |$))[^ ]+",
  ],
  praise: [
    "(soa|parece|seria|está|muito|fica) … (bem|bom|boa|interessante|ótimo|óptimo|perfeito|útil|legal|excelente|giro|promissor)|^(sim|claro|perfeito|combinado|com certeza|pode|manda|vamos|bora|ótimo|óptimo|com gosto|certo|fechado|adoraria|interessante|legal|boa ideia|está bem|tudo bem)",
  ],
  want: [
    "(interessa|interessad…|interesse|curios…|adoraria|adorava|gostei|topo|quero sim|chamou)",
    "(envi…|mand…|mostr…|lig…|cont…|agend…|pass…|marc…|prepar…|falamos|conversamos|fal…|propo…|venha|vem|test…|experiment…|explic…) … (me|nos|orçamento|demo|demonstração|reunião|informação|informações|proposta|preços|mais|lo|isso|amanhã|hoje|segunda|terça|quarta|quinta|sexta|catálogo|detalhes|exemplo|semana|material)|(me|nos) (liga|ligue|manda|mande|envia|envie|mostra|mostre|conta|passa|passe|chama|explica)|(quero|queremos|queria|gostaria|gostaríamos|gostava|podemos|podíamos|pode|podia|hora de) … (ver|testar|experimentar|saber|falar|conhecer|reunir|demo|receber|agendar|marcar|mais|ligar|orçamento|conversar)|(segunda|terça|quarta|quinta|sexta|amanhã|próxima semana|semana que vem)(-feira)? … (bem|posso|de manhã|à tarde|às|perfeito|livre|serve|melhor|me|pode|\\d)|(demo|orçamento|reunião|teste|proposta) … (por favor|sim|obrigad…|claro)|mais (informação|informações|detalhes|info)",
  ],
  ask: [
    "^(e |mas |olá |oi |bom dia |boa tarde )*(quem|que|o que|o quê|qual|quais|onde|de onde|quando|porquê|por que|como|quanto|quantos|quantas|há|têm|tem|funciona|é|são|pode|podem|inclui|oferecem|integra|serve|em que|existe|vocês|dá)( [^ ]+){0,60}$|(preços?|custa|custo|valores?|tarifas?|referências|onde arranj…|de onde)",
  ],
};

export const italian: IntentWords = {
  yesByNo: [
    "(nessun|senza|non c'è|nessuna) (problema|problemi|inconveniente|obiezione|difficoltà|dubbio)|perché no|(non|mai) … (dico|direi|dirò|dire) … (di )?no|(non|niente|nulla) … (in contrario|contro|da perdere|da obiettare)|(niente|non è|non) male|non vedo (l'ora|perché no)|come no",
  ],
  later: [
    "(ora|adesso|al momento|per ora|attualmente|in questo momento|quest'anno|questo trimestre|per il momento|questo periodo) … (no|non|niente|impossibile|complicato)|(no|non|niente) … (ora|adesso|al momento|per ora|attualmente|in questo momento|quest'anno|questo trimestre|ancora|per il momento|subito|questo periodo)|non ancora|troppo presto|più (avanti|tardi)|(forse|magari|semmai) … (prossim…|anno|dopo|un giorno|a|in|più|poi)|un (domani|giorno)|(in|ad) (altro|altra) (momento|occasione)",
    "(risent…|ricontatt…|richiam…|chiam…|contatt…|scriv…|riscriv…|riparl…|parl…|sentiamo|aggiorn…|riprov…|ripass…|torn…|ricord…|rived…|rivedia…|valut…|riprend…) & (a|ad|dopo|in|da|dal|per|verso|quando|prossim…|fra|tra|nel|passat…|inizio|fine|metà|alla|all') & (gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre|trimestre|semestre|anno|primavera|estate|autunno|inverno|ferie|vacanze|natale|epifania|pasqua|mese|mesi|settimane|quando|prossim…|stagione|chiusura|fiera|feste|inventario|capodanno|rientro)",
    "(budget|fondi|bilancio) & (non|esaurit…|chius…|congelat…|prossim…|fino|senza|finit…|speso)|(contratto|vincolat…|legati|licenza|scad…|impegnati) & (fino|scade|termina|finisce|scadenza)|(troppo|molto|super|davvero) (impegnat…|occupat…|pres…)|(sommers…|oberat…|incasinat…|pienissim…)|(senza|non ho|non abbiamo) tempo|(non è|brutto|cattivo|non … buon) … (momento|periodo|priorità)|momento giusto|(dopo|non prima|a partire|solo|passat…) (di |da |dal |del |l'|le |la |il |dell')*(gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre|ferie|natale|epifania|estate|pasqua|feste|anno|trimestre|vacanze)|(prossim…|l'anno) (anno|trimestre|mese|stagione|prossimo|primavera|autunno|esercizio)|(fra|tra) (un|due|tre|quattro|sei|qualche|\\d+) (mesi|mese|settimane|anni|anno)|dopo (l'epifania|le ferie|le feste|l'estate)",
  ],
  no: [
    "(non|nessun|nessuna|niente|nulla|mai|poco) … (interess…|bisogn…|serve|necess…|occorre|fa per|rilevante|per noi|convinc…|vogliamo|voglio|cambiare|cerchiamo|compriamo|usiamo|adatt…|utile|intenzione|abbiamo bisogno|proseguire|pertinente)|no( (grazie|mi|ci|ma|siamo|guardi|comunque|non))*|(resta|rimane|ma|è|purtroppo|comunque|la risposta) … no|declin…|rifiut…|disinteress…|rinunci…",
    "(già|abbiamo|usiamo|lavoriamo|siamo) … (già|copert…|fornitore|soluzione|soddisfatt…|contenti|serviti|risolt…|altro|altra|qualcuno|sistema|usiamo|a posto|apposto|bene|partner)|(facciamo|gestiamo|seguiamo) … (noi|internamente|in casa|interno|soli)|(passo|passiamo)( grazie)?$|deciso … (di non|contro)|scelto … (altro|altri|diversamente)|restiamo con|ci troviamo bene|siamo a posto",
  ],
  refer: [
    "(chied…|parl…|contatt…|scriv…|rivolg…|chiam…|sent…|inoltr…|gir…|pass…|mand…|invi…|trasmett…|consult…) & (a|al|alla|all'|con|il|la|lo|per|mio|mia|nostro|nostra|con il|l') & (collega|capo|direttore|direttrice|responsabile|ufficio|reparto|acquisti|titolare|amministra…|sede|it|informatica|marketing|socio|socia|signor…|dott|dottor…|ing|moglie|marito|direzione|segreteria|team|contabilità|successore|commerciale|avv)",
    "(non) … (mia competenza|mio (settore|reparto|campo|ruolo|ambito)|sono io|sono la persona|me ne occupo|decido|di mia|dipende da me|persona giusta|referente)|(ufficio|persona|reparto) sbagliat…|(se ne|lo|la|ne|di questo|chi) … (occupa|decide|gestisce|segue|cura|vede)|(decide|gestisce|segue|occupa|competenza|responsabile) … (il |la |l'|lo |di |del |è |mio |mia |nostro )*[^ ]+|in (copia|cc)|(giro|inoltro|passo) (la|il|tutto|questa|questo|a)( [^ ]+)*|^(chieda|chiedi|senta|senti|parli|parla|contatti|contatta) (a |con |il |la )?(?!(me|noi)( |$))[^ ]+",
  ],
  praise: [
    "(sembra|pare|suona|sarebbe|molto|davvero) … (interessante|bene|bello|bella|ottimo|perfetto|utile|buona|buono|valido|promettente)|^(sì|si|certo|volentieri|va bene|d'accordo|perfetto|certamente|ottimo|assolutamente|con piacere|mandi|andiamo|facciamo|procediamo|affare fatto|interessante|buona idea|bene)",
  ],
  want: [
    "(interessa|interessat…|interesse|incuriosi…|curios…|piacerebbe|piace|entusiast…|volentieri)",
    "(mand…|invi…|mostr…|chiam…|raccont…|fiss…|organizz…|prepar…|sent…|vedi…|prov…|propon…|vien…|pass…|telefon…|faccia|fateci|mi dica|illustr…) … (pure|mi|ci|preventivo|demo|appuntamento|incontro|informazioni|offerta|prezzi|più|domani|oggi|lunedì|martedì|mercoledì|giovedì|venerdì|materiale|brochure|presentazione|vedere|sapere|listino|dettagli|una)|(mandi|invii|chiami|mostri|mandami|inviami|chiamami|mandatemi|inviatemi|mandateci) pure|(mi|ci) (chiami|mandi|invii|faccia|mostri|dica|racconti|richiami)( [^ ]+)*|(vorrei|vorremmo|voglio|mi piacerebbe|ci piacerebbe|possiamo|potremmo|potrebbe|può|posso) … (vedere|provare|sapere|parlare|conoscere|incontr…|demo|ricevere|fissare|sentir…|più|preventivo|avere|chiamar…)|(lunedì|martedì|mercoledì|giovedì|venerdì|domani|prossima settimana|settimana prossima) … (bene|va|posso|mattina|pomeriggio|alle|perfetto|liber…|mi|\\d)|(demo|preventivo|appuntamento|incontro|prova) … (volentieri|sì|grazie|certo|giovedì)|più (informazioni|dettagli|info)|maggiori (informazioni|dettagli)",
  ],
  ask: [
    "^(e |ma |salve |buongiorno |ciao |scusi )*(chi|che|cosa|che cosa|qual|quale|quali|dove|da dove|quando|perché|come|quanto|quanti|quante|c'è|ci sono|avete|ha|funziona|è|sono|si può|può|potete|include|offrite|integra|serve|in cosa|a chi|esiste|siete)( [^ ]+){0,60}$|(prezzi|prezzo|costa|costo|costi|tariff…|referenze|da dove)",
  ],
};
