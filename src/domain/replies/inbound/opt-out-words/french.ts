import type { OptOutWords } from "./language.ts";

const MAIL =
  "(e-?mails?|mails?|courriels?|messages?|courriers?|newsletters?|lettres?|publicités?|pubs?|offres?|spams?|relances?|sollicitations?|envois?|propositions?|démarchages?|infos?|informations?)";
const LIST =
  "(listes?|fichiers?|bases?|envois?|mailings?|newsletters?|diffusion|base de données|contacts|crm|registres?|campagnes?|système)";
const REMOVE =
  "(retir…|supprim…|enlev…|effac…|ray…|radi…|désinscri…|désabonn…|sort…|exclu…|ôt…|désabonner)";
const WRITE =
  "(écri…|contact…|sollicit…|relanc…|envoy…|adress…|démarch…|importun…|dérang…|spamm…|harcel…|embêt…)";

export const french: OptOutWords = {
  alone:
    "supprimer|supprimez[- ](moi|mes données)|effacez[- ]moi|enlevez[- ]moi|radiation|radiez[- ]moi|retirez (moi|mon adresse)|stop (e-?mails?|démarchage|tout|ça)|arrêtez (ça|tout|svp)|ça suffit|suffit|assez|cessez|unsubscribe|ne plus (me )?(contacter|écrire|envoyer|solliciter)|plus rien|plus de (messages|relances|sollicitations|courriels|contact)|se désinscrire|je me désinscris|refus|opposition|stop|désabonnement|désinscription|désabonner|désinscrire|désabonnez[- ]moi|désinscrivez[- ]moi|retirez[- ]moi|se désabonner|me désinscrire|arrêtez|plus de (mails?|e-?mails?|messages?|courriels?|pub)|stop (pub|spam|mails?)",
  courtesies:
    "non|non merci|pas intéressé…|cordialement|mercii|ok|alors|tout|madame|monsieur|salut|stop|merci|svp|s'il vous pla[iî]t|stp|bonjour|immédiatement|d'avance|merci de|veuillez|de suite",
  together: [
    "(ne|n'|pas|plus) & (souhait…|veux|voulons|veut|désir…|entend…|accept…) & (figurer|être|apparaître|rester|faire partie) & (listes?|fichiers?|bases?|contacts|mailing)",
    "(jet…|détrui…|balanc…|débarrass…) & (mon|ma|mes|notre|nos) & (adresse|coordonnées|mail|e-?mail|nom|numéro|données|contact)",
    "(si|encore|prochain…|prochaine fois) & (mail|message|écri…|relance|contact…|envo…) & (bloqu…|signal…|plainte|avocat|cnil|spam)",
    "(supprim…|effac…|retir…|enlev…|ray…) & (ses|son|leur|leurs|sa) & (coordonnées|adresse|nom|données|mail|e-?mail|numéro)( (svp|merci|de|s'il)( …)?)?$",
    "(retrait|suppression|radiation|effacement|désinscription) & (liste…|fichier…|base|adresse|coordonnées|données|nom|diffusion) & (demande…|souhait…|merci|exig…|prie|sollicit…|procéd…|veuill…)",
    "(serai…|saurai…|apprécie…|remerci…|prie…|prions|merci|veuillez|gré|reconnaissant…|aimerai…|voudrai…|demand…|exig…|souhait…|faut|faudrait|dit|dire|transmet…) & (cess…|arrêt…|stopp…|ne plus|plus rien|plus aucun…|plus jamais|épargn…|dispens…|ne pas) & (écri…|envo…|contact…|adress…|sollicit…|relanc…|mails?|e-?mails?|courriels?|messages?|courriers?|démarch…|recevoir|reçoi…|publicité|pub)( …)?$",
    "(épargn…|dispens…|fiche…|fout…|lâche…) & (moi|nous|me|lui|la|leur) & (mails?|messages?|courriels?|publicité|pub|relances?|paix|envois?|sollicitations?|de vos|vos)",
    "(retir…|supprim…|enlev…|vir…|sort…|ray…|effac…|ôt…|radi…) & (le|la|les|lui|notre|l') & (cabinet|école|étude|crèche|mairie|association|clinique|secrétariat|nom|adresse|boîte|pharmacie|boulangerie|entreprise|docteur|maître|directeur|patron) & (de|du|des) … (listes?|fichiers?|bases?|diffusion|envois?|mailing|contacts)",
    "(mon|notre|son|cette|mes|nos) & (nom|adresse|mail|e-?mail|coordonnées|données|numéro) & (disparai…|dispar…|figur… plus|supprim…|effac…|retir…|n'a rien à faire|n'ont rien à faire) & (fichiers?|listes?|base|doit|doivent|svp|merci|vos|votre|systèmes?)",
    "(vir…|sort…|dégag…|jet…|oubli…|perd…|supprim…|effac…|retir…|enlev…|ray…) & (moi|nous|cette adresse|mon adresse|notre adresse|mon nom|l'adresse|le mail|mon mail) & (de|du|des|d'|svp|merci|stp|s'il vous|adresse)",
    "(prie|prions|prié…|demande|demandons|souhaite|souhaitons|merci|veuillez|exige|entend|invite|charge) & (ne plus|ne pas|cesser|d'arrêter|arrêter|vous abstenir|de bannir) & (adress…|envoy…|écri…|contact…|sollicit…|démarch…|relanc…|recontact…|importun…|courriels?|messages?|mails?|prospection)",
    "(supprim…|effac…|détru…|suppression|effacement) & (tout|toutes|tous|l'ensemble|l'intégralité) & (me concern…|nous concern…|vous (avez|détenez|conservez|possédez)|à mon sujet|sur moi|sur nous)",
    `${REMOVE} & (moi|me|m'|nous|mon|ma|mes|notre|nos|cette adresse|mes coordonnées) & (de|du|des|d'|dans) … ${LIST}`,
    "(supprim…|suppression|effac…|effacement|retir…|retrait|détru…|ray…|radi…|enlev…|bloqu…) & (mon|ma|mes|notre|nos|toutes?|me|nous) & (adresses?|e-?mails?|mails?|données|coordonnées|informations|contacts?|noms?|fiche)",
    "(mett…|ajout…|inscri…|plac…) & (liste (noire|rouge|d'opposition|d'exclusion|de blocage)|bloctel)",
    "(arrêt…|cess…|stopp…|met… fin|mettre fin|mettre un terme|interromp…|suspend…|abst…|renonc…|fin) & (démarchage|envois?|e-?mails?|mails?|messages?|sollicitation…|relances?|courriels?|courriers?|publicit…|pub|spams?|prospection|communication…|harcèlement|newsletter|contacter|écrire|solliciter|relancer|m'|nous|rappels?)",
    "(plus|pas|jamais|aucun…) & (souhait…|veu…|voul…|désir…|voudr…|accept…|entend…|demand…) & (recevoir|reçoi…|contact…|sollicit…|démarch…|relanc…|mails?|e-?mails?|messages?|courriels?|écri…|publicités?|envois?|importun…|dérang…|harcel…|entendre)",
    "(ne|n'|n) … (plus|pas|jamais) & (m'|me|nous|moi|la|lui|le) … & (écri…|contact…|sollicit…|relanc…|envoy…|adress…|démarch…|importun…|dérang…|harcel…|embêt…|recontact…|contacter)",
    "(oubli…|perd…|jet…) & (mon|mes|notre) & (adresse|e-?mail|mail|numéro|coordonnées|contact)",
    "(aucun|pas|sans|jamais|retir…|révoqu…) & (consent…|autoris…|accord) & (mon|ma|mes|je|donné|notre|préalable|vous)",
  ],
  rights: [
    "(rgpd|cnil|lcen|loi|article|art|données personnelles) & (oppos…|retir…|exerc…|demand…|exig…|supprim…|effac…|effacement|consent…|plainte)",
    "(oppose|opposons|opposition) & (traitement|prospection|utilisation|démarchage|profilage|envoi|à ce que|usage)",
  ],
  reasons: [
    "(mauvais…|fausse) (personne|adresse|destinataire|numéro|interlocut…)|tromp… (de|d')|(adresse|boîte|compte|particulier) (perso…|privé…)|particulier|(jamais|pas) … (inscrit…|demandé|abonné…|accepté|consenti)",
    "(deuxième|troisième|quatrième|cinquième|dernière|énième|2e|3e|4e|2ème|3ème) (fois|demande|avertissement|relance)|(déjà|plusieurs fois|encore) … (demandé|dit|écrit)",
    "spam|indésirable|rgpd|cnil|avocat|plainte|harcèlement|illégal|signalé",
  ],
  offers: [
    "(j'arrête|je m'arrête|j'arrêterai|je m'arrêterai|j'en resterai|j'en reste|je cesse…|je vous laisse…|je vous retire…|je vous supprime…|je n'insiste…|nous (arrêt…|cess…))|je ne vous … (plus|pas)|vous ne recevrez plus|n'entendrez plus",
  ],
  yes: "(oui|ok|d'accord|exactement|tout à fait|volontiers|parfait|bien|exact|affirmatif|faites|s'il)( (oui|merci|volontiers|faites|fais|le|ainsi|comme|ça|cela|svp|je|veux|bien|préfère|préférerais|préférons|s'il|vous|te|plaît|plait|arrêtez|arrête|allez-y|nous|en|effet|absolument|mieux|plutôt|aimerais|autant)){0,7}|(faites|fais)[- ](le|ça|comme ça|ainsi)( (svp|merci|s'il vous plaît))?|je préfère( (oui|ça|cela|merci))*|ce serait (bien|mieux|parfait|gentil)",
  asks: [
    "(d'arrêter|de cesser|de stopper)( (tout|ça|cela|svp|vos|ces|les|avec)( [^ ]+){0,3})?$",
    `^(s'il vous plaît |svp |merci |et |donc )*(plus|stop|aucun…|pas d'autres?|pas de nouveaux?) … ${MAIL}( (svp|merci|s'il|à|de|sur|dans|en|ici|désormais|dorénavant)( [^ ]+){0,4})?$`,
    "mise? en demeure|je (vous )?(interdis|somme|défends)|^(arrêtez|arrête|cessez|assez|suffit|basta|ça suffit)( (maintenant|tout|ça|cela|svp|immédiatement|enfin|tout de suite|avec ça|merci))*$",
    `(reçois|recevons|reçoit) (encore|toujours) … (ces|vos|de|des) … ${MAIL}`,
    `(prie|prions|demande|demandons|souhaite|invite) … (de )?(ne plus|ne pas|cesser|arrêter) … ${WRITE}|(plus|pas) être … (contact…|sollicit…|démarch…|relanc…|dérang…)`,
    "(foutez|fichez|laissez|foutre|fous|fiche|laisse)[- ](moi|nous|lui) … (paix|tranquille…)|lâchez[- ](moi|nous)|allez[- ]vous[- ]en|du balai",
    "(veux|voulons|souhait…) pas que vous (me|m'|nous) ?(écri…|contact…|sollicit…|relanc…|envoy…)",
    "(foutez|fichez|laissez|foutre)[- ](moi|nous) (la paix|tranquille…)|(la )?paix avec vos (mails?|messages?)",
    `^stop (aux?|les|à vos|vos|ces|la|le) … ${MAIL}`,
    "je (me désabonne|me désinscris|souhaite (me désabonner|me désinscrire))",
    `(évit…|abst…) … de (me|nous|m') ?${WRITE}`,
    `n'envoyez plus( rien| de ${MAIL}| svp|$)`,
    `(désabonn…|désinscri…)[- ](moi|nous)`,
    `(me|nous|m') ?(désabonner|désinscrire|radier|retirer|enlever|supprimer|effacer|rayer|sortir|ôter) … ((de|du|des) … ${LIST}|svp|merci|s'il vous plait)`,
    "(me|nous) (désabonner|désinscrire|radier)",
    `(retir…|supprim…|enlev…|effac…|ray…|radi…|sort…)[- ](moi|nous)( (de|du|des) … ${LIST}|$| (svp|merci|immédiatement|s'il))`,
    `(m'|nous )(enlever|effacer|ôter|exclure|inscrire plus) … ${LIST}`,
    `${REMOVE} … (mon (adresse|e-?mail|mail|nom|contact)|mes … (coordonnées|données|informations)|notre (adresse|e-?mail)|nos (coordonnées|données))`,
    `ne (plus|pas|jamais) (me |nous |m'|plus )?${WRITE} …( ${MAIL}| à l'avenir| de nouveau| svp|$)`,
    `ne (plus|jamais) (me |nous |m')${WRITE}`,
    `ne? ?(m'|me |nous )${WRITE}( …){0,1} (plus|jamais)(?! (le|la|les|l'|un|une|ce|cette|votre|vos|notre))|(?<!(je|on|nous|il|elle|ils|elles|qui) )n'${WRITE} (plus|jamais) (rien|de|d')?|ne (m'|me |nous )(contact…|sollicit…|relanc…|démarch…|dérang…|harcel…) pas`,
    `(souhait…|veux|voulons|désir…|voudr…) (plus|pas)( …){0,2} (recevoir|être (contact…|sollicit…|démarch…|relanc…|importun…|dérang…)|avoir de vos|vos ${MAIL}|de ${MAIL})`,
    `(arrêt…|cess…|stopp…) … (de|d')( ?(me|nous|m'))? ?${WRITE}`,
    `(arrêt…|cess…|stopp…) … (tout|toute|tous|toutes|vos|ces|les|le|votre|ce) … ${MAIL}`,
    "inutile de (me|nous) (relancer|recontacter|contacter|écrire|rappeler)",
    `^(merci )?plus (de|d'|aucun) ?${MAIL}( svp| merci| s'il vous plait)*$`,
    "(me|m'|nous) laisse[rz]? tranquilles?|laissez[- ](moi|nous) tranquilles?",
    "(comment|souhait…|veux|voudrais|voulons|demande) … (se |me |m'|nous |à être )?(désabonner|désinscrire|désabonné|désinscrit|retiré|radié)",
    "(m'oppose|nous opposons|oppose) à (l'utilisation|tout|la)",
    "ne pas (me|nous) (recontacter|contacter|relancer|solliciter)",
  ],
  other: [
    "entendre parler|papier",
    "(nos|aux|vos|leurs) clients|outil|logiciel|plateforme|nous (proposons|vendons|conseillons)",
    "ne (me )?(supprim…|retir…|enlev…|effac…|désabonn…|désinscri…) pas|à tout moment|compte",
    "(facture|compta…|commande|réservation|production|concurrent…|appeler|papier)",
    "(équipe|nous|on) … (souhait…|veu…|voul…) … (arrêter|cesser|plus) … (envoyer|écrire|démarcher)",
    "(copie|cc|boucle|fil|invitation|réunion|rendez-vous|événement|participants|invités|agenda|webinaire|pièce jointe|logo|paragraphe|contrat|devis|image)",
    "liste d'attente|liste des|liste d'invités",
    "(utilisateurs|clients|destinataires|abonnés|contacts|gens|prospects|lecteurs|ils|elles|on|collègues?)( …){0,4} (désabonn…|désinscri…|arrêt…|se|veulent|retir…)",
    "(taux|lien|bouton|page|formulaire|gestion|fonction…) (de |d')?(désabonnement|désinscription)",
    "n'arrêt…|n'arrêt… pas|ne … (désabonn…|désinscri…|retir…|supprim…) (surtout |donc )?pas|sans (me|nous)",
    "nous (avons|allons|devons) … (arrêté|arrêter|supprimé|cessé)|je n'ai (pas|plus)|je ne reçois|nous ne recevons",
    "(ne|n') … plus (attendre|travailler|utiliser|de ce)",
    "arrêt…[- ]vous",
  ],
  narrower: [
    "avant|jusqu…|pour l'instant|pour le moment|ce mois|cette (semaine|année)",
    "aussi (souvent|nombreux)|trop (souvent|de)|en pdf|en format",
  ],
  elsewhere: [
    "(?<!ne )(écrivez|contactez|adressez)[- ](moi|vous)|(est|a) (parti…|quitté|retraité…)|reprends|son remplaçant",
    "plutôt|au lieu|par téléphone|appelez[- ](moi|nous)|téléphonez|(par|sur) whatsapp|autre adresse|adresse (pro|perso)",
  ],
  hints: [
    "(moins|un peu moins) (souvent|de|d')|trop de (mails|messages)|encore vous|(marre|ras[- ]le[- ]bol|pénible|lassant|lourd)|(une fois|1 fois) par (mois|trimestre|an)|(seulement|uniquement|que) (si|quand|les|pour)|d'où (tenez|sortez|avez)",
    "désabonn…|désinscri…",
    `ne … plus … (${WRITE}|${MAIL})`,
    "(arrêt…|cess…) … (mails?|messages?|envo…|écri…)",
    "rgpd|cnil|spam|non sollicité…|démarchage|harcèlement",
    "(retir…|enlev…|supprim…)[- ]moi",
    "où avez[- ]vous (eu|trouvé|obtenu) (mon|mes)",
  ],
};
