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
    "stop|désabonnement|désinscription|désabonner|désinscrire|désabonnez[- ]moi|désinscrivez[- ]moi|retirez[- ]moi|se désabonner|me désinscrire|arrêtez|plus de (mails?|e-?mails?|messages?|courriels?|pub)|stop (pub|spam|mails?)",
  courtesies:
    "merci|svp|s'il vous pla[iî]t|stp|bonjour|immédiatement|d'avance|merci de|veuillez|de suite",
  asks: [
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
    `ne? ?(m'|me |nous )${WRITE}( …){0,1} (plus|jamais)(?! (le|la|les|l'|un|une|ce|cette|votre|vos|notre))|n'${WRITE} (plus|jamais) (rien|de|d')?|ne (m'|me |nous )(contact…|sollicit…|relanc…|démarch…|dérang…|harcel…) pas`,
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
    "plutôt|au lieu|par téléphone|appelez[- ](moi|nous)|téléphonez|(par|sur) whatsapp|autre adresse|adresse (pro|perso)",
  ],
  hints: [
    "désabonn…|désinscri…",
    `ne … plus … (${WRITE}|${MAIL})`,
    "(arrêt…|cess…) … (mails?|messages?|envo…|écri…)",
    "rgpd|cnil|spam|non sollicité…|démarchage|harcèlement",
    "(retir…|enlev…|supprim…)[- ]moi",
    "où avez[- ]vous (eu|trouvé|obtenu) (mon|mes)",
  ],
};
