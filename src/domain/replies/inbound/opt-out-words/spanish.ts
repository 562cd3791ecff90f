import type { OptOutWords } from "./language.ts";

const MAIL =
  "(correos?( electrónicos?)?|e-?mails?|mails?|mensajes?|publicidad|spam|propaganda|ofertas?|boletín|boletines|newsletters?|información|informaciones|comunicaciones|notificaciones|cosas|nada)";
const MINE =
  "(mi (correo|e-?mail|mail|dirección|nombre|contacto|información|info)( electrónico)?|mis (datos|correos|datos personales)|nuestr[oa]s? (correos?|dirección|datos|e-?mail)|este (correo|e-?mail)|esta dirección)";
const LIST =
  "(listas?|base de datos|bases? de datos|base|boletín|newsletter|mailing|sistema|registros?|ficheros?|envíos|campañas?|lista de (correo|contactos|distribución|envíos?|difusión|suscriptores))";
const SEND =
  "(escrib…|mand…|enví…|envi…|contact…|molest…|insist…|llam…|remit…|busqu…|persig…|bombarde…|spame…)";

export const spanish: OptOutWords = {
  alone:
    "quitarme|bórrenme|bórreme|elimíname|elimínenme|elimíneme|quítenme|quíteme|sáquenme|sáqueme|eliminar mis datos|borrar mis datos|no escribir( más)?|no enviar( más)?|no insistan?|ya basta|suficiente|dejen de escribir|deja de escribir|unsubscribe|anular( suscripción)?|fuera|remuévanme|remuévame|déjenme en paz|pare|paren|salir|oposición|(la |mi )?baja|darme de baja|dar de baja|dame de baja|stop|no más|cancelar( suscripción)?|desuscribir(me)?|desuscripción|quitar|borrar|remover|eliminar|no más (correos?|e-?mails?|mensajes?|mails?)|basta|bórrame|quítame|sácame|no contactar( más)?|no molestar( más)?",
  courtesies:
    "no|no gracias|no me interesa|sin interés|saludos|ok|un saludo|señores|estimados|de la lista|por favor|gracias|porfa|ya|hola|buenos días|buenas|inmediatamente|muchas gracias|quiero|solicito",
  together: [
    "(no|ni|tampoco) & (dese…|quier…|quer…|consient…|autoriz…|acept…) & (figurar|estar|aparecer|constar|seguir|formar parte) & (lista…|base|fichero…|registro…|sistema|mailing|contactos)",
    "(tir…|destruy…|deshag…|olvid…|bot…) & (mi|mis|nuestr…) & (correo|dirección|datos|número|contacto|e-?mail|nombre)",
    "(si|otra|próxim…|vuelv…|otro) & (escrib…|mand…|correo|mensaje|envi…|contact…) & (denunci…|bloque…|abogad…|spam|report…)",
    "(que|haz|por favor|porfa|tío|hombre|oye|venga) & (me|nos) & (borr…|quit…|saqu…|elimin…|des de baja|den de baja)( …)?$",
    "(borr…|elimin…|quit…|retir…|suprim…|saqu…) & (su|sus) & (dirección|correo|datos|nombre|teléfono|número)( (por favor|de|gracias|ya)( …)?)?$",
    "(baja|eliminación|supresión|retirada|exclusión|borrado) & (lista…|base|registro…|fichero…|datos|correo|dirección|sistema) & (solicit…|pid…|pedimos|ruego|rogamos|exij…|quier…|deseo|tramit…|proced…)",
    "(agradec…|ruego|rogamos|pid…|pedimos|haga…|favor|gustaría|quisiera|quier…|solicit…|exij…|dice|dicen|encarga|parte) & (dej…|deje…|cese…|par…|no|ni|nunca|sin|evit…|abst…|ahórr…|ahorr…) & (escrib…|mand…|enví…|envi…|contact…|molest…|correos?|mensajes?|propaganda|publicidad|comunicaciones|recib…|insist…) & (más|mas|nada|nunca|nuevo|otra vez|ningún|ninguna|de|este|esta|esto|estos)",
    "(ahórr…|ahorr…|evít…) & (me|nos|los|sus|tus|vuestros|más|…me|…nos|se) & (correos?|mensajes?|e-?mails?|propaganda|molestia|publicidad)",
    "(quit…|quít…|borr…|bórr…|sac…|saqu…|sáqu…|elimin…|elimín…|retir…|suprim…|tach…) & (a la|al|a mi|a nuestr…|este|esta|el|la) & (escuela|colegio|consulta|clínica|despacho|empresa|asociación|farmacia|correo|dirección|nombre|padre|madre|jefe|doctor…|señor…|centro|tienda) & (de|del) & (listas?|base|registros?|fichero…|envíos?|sistema|contactos)",
    "(mi|nuestro|su|este|mis|nuestros) & (nombre|correo|datos|dirección|teléfono|número) & (desaparez…|desaparec…|fuera|borr…|elimin…|salga…|quit…|retir…) & (lista…|base|sistema|fichero…|registros?|ya|quiero|pido|solicito|deben)",
    "(hag…|hagan|haz|haced|tenga|tengan|ten) & (favor|bondad|amabilidad) & (no|dejar|parar|quitar…|borrar…|eliminar…|sacar…)",
    "(elimin…|borr…|bórr…|supres…|supri…|destruy…|cancel…) & (todo|toda|cuanto|cualquier) & (sobre (mí|mi|nosotros)|de (mí|nosotros)|tengan|tienen|guard…|conserv…|dispon…)",
    `(elimin…|elimín…|borr…|bórr…|quit…|quít…|sac…|saqu…|sáqu…|suprim…|supres…|retir…|remuev…|remov…|excluy…|exclu…|tach…|dar|den|des|bloque…|desapunt…|apart…) & (…me|…nos|me|nos|mi|mis|nuestr…|${MINE}) & (de|del) … ${LIST}`,
    "(elimin…|elimín…|borr…|bórr…|suprim…|supresión|cancel…|destru…|quit…|retir…) & (mis|mi|nuestr…) & (datos|correo…|e-?mail…|dirección…|contacto|información|registro|nombre)",
    "(añad…|agreg…|inclu…|pon…|met…|apunt…|inscrib…) & (lista (negra|robinson|de exclusión|de bloqueo|de supresión))",
    "(dej…|deje…|par…|pare…|ces…|cese…|detén…|deten…|basta|suspend…|interrump…|abst…|evit…|acab…|termin…|fin) & (envíos?|envi…|mand…|escrib…|correos?|e-?mails?|mails?|mensajes?|publicidad|spam|contact…|molest…|insist…|comunicaciones|recordatorios|promociones|acoso|propaganda|llam…)( (a|de|por|ya|más|me|con|esto|inmediatamente|comerciales?|publicitari…|nos|vuestr…|sus|su|tus|y|en|para|aquí|no|que|$)|$)",
    "(no|ni|nunca|jamás|tampoco) & (quier…|quer…|dese…|acept…|consient…|autoriz…|solicit…|pid…|pido|neces…) & (recib…|contact…|escrib…|mand…|enví…|envi…|molest…|correos?|mensajes?|publicidad|comunicaciones|promociones|e-?mails?|saber)( (más|mas|nada|de|su|sus|con|por|en|ni|otra|este|estos|a|comerciales|aquí|sin|$)|$)",
    "(no|nunca|jamás) & (me|nos|se me|se le|le|se nos|les|lo|la) & (contact…|escrib…|mand…|enví…|envi…|molest…|remit…|importun…|llam…|insist…) & (más|mas|nunca|jamás|nuevo|otra vez|ningún|ninguna|nada|por favor|bajo)",
    "(ningún|sin|nunca|jamás|no|revoc…|retir…) & (consentimiento|autorización) & (mi|he|dado|previo|di|mío|nuestro|expreso|para|cualquier)",
    "(olvid…|pierd…|perd…) & (mi|mis|nuestr…) & (correo|e-?mail|dirección|número|contacto|datos)",
  ],
  rights: [
    "(rgpd|lopd…|lssi|aepd|gdpr|habeas data|ley|artículo|art|arco) & (opon…|opong…|oposición|ejer…|supres…|elimin…|cancel…|exij…|exig…|revoc…|retir…|denunci…|borr…|solicit…)",
    "(opon…|opong…|oposición) & (tratamiento|uso|envío|publicidad|recibir|comunicaciones)",
  ],
  reasons: [
    "(persona|dirección|número|correo|destinatario) (equivocad…|incorrect…|errone…)|equivoc…|(correo|cuenta|buzón) (personal|particular|privad…)|particular|(nunca|jamás|no) … (suscri…|pedí|solicit…|apunt…|inscri…|autoric…)",
    "(segunda|tercera|cuarta|quinta|última|enésima|2ª|3ª|2a|3a) vez|(ya|varias veces|dos veces|tres veces) … (pid…|ped…|dij…|dicho|solicit…)|último aviso",
    "spam|rgpd|lopd|aepd|denunci…|abogad…|acoso|ilegal|basura|no deseado",
  ],
  offers: [
    "(lo dejo|dejo de|dejaré|paro|pararé|no insist…|no te … (más|molest…|escrib…)|no le … (más|molest…|escrib…)|no volver…|no os … más|te borro|le borro|te quito|me retiro|me callo|te elimino|lo dejamos)",
  ],
  yes: "(sí|si|vale|ok|claro|de acuerdo|exacto|eso|correcto|perfecto|afirmativo|bien|venga)( (por favor|gracias|hazlo|hágalo|haga|haz|eso|así|claro|mejor|prefiero|lo|te|se|agradecería|agradezco|agradecería|ruego|pido|déjalo|déjelo|quiero|no|eso es|desde luego|que|sea)){0,7}|(hazlo|hágalo|háganlo|hacedlo|haz eso)( por favor)?|(lo )?prefiero( sí| así| eso)?|déj(alo|elo)( por favor)?|sería lo mejor",
  asks: [
    "(se acab…|se terminó|ya está bien|basta) … (la propaganda|la publicidad|los correos|los mensajes|los mails|el spam|tanto correo|de correos|de mensajes)",
    "(quít…|sác…|bórr…|elimín…|quit…|saqu…|borr…|sac…|elimin…)(me|nos|enme|lo|la)( (porfa|porfi|por favor|please|ya|gracias|de (ahí|aquí|eso|todo|ese sitio|donde sea|todas partes|una vez)))+( …)?$|^(hola |por favor |porfa )*(bórr|quít|sác|elimín)(ame|eme|enme|anos|enos)( porfa| por favor| ya)*$",
    `^(ya )?basta( ya)?$|^(por favor |ya |que )*(no más|ni un|ningún|cero|basta de|fuera) … ${MAIL}( (más|por favor|gracias|a|de|ya|en)( [^ ]+){0,4})?$`,
    "(sigo|seguimos|continúo|aún|todavía) … recibiendo … (correos?|mensajes?|e-?mails?|mails?|publicidad|spam|esto|estos|vuestr…|sus)",
    "^(por favor |ya |y |que )*(cesen|cese|cesa|cesad|paren|pare|para|parad|dejen|deje|deja) (de una vez |ya |inmediatamente )?(ya|con|los|las|este|esta|estos|todo|toda)( [^ ]+){0,3}|les requ[ie]+r…|(requerimos|exijo|exigimos|ordeno|conmin…) … (cese…|dej…|elimin…|abst…)",
    "(solicit…|pid…|ruega|dese…|quier…|prefier…|agradec…) … (no|nunca) … (contact…|escrib…|enví…|molest…|recib…|mand…)|no … (ser|sea|contactad…|molestad…) (más|contactad…|molestad…)( más)?$",
    "(váy…|vete|largo|piérd…|olvíd…|olvíden…) ?(de mí|de nosotros|de una vez|por favor|$)|(déj…|dej…)…(me|nos) (en paz|tranquil…)",
    "no (autorizo|consiento|di mi consentimiento|he dado)( …){0,4} (correo|datos|dirección|e-?mail|consentimiento)",
    "(solicit…|pid…|rueg…|ruego|agradec…|quisier…) … (ser (eliminad…|borrad…|dad… de baja|excluid…)|mi eliminación|la eliminación de (mis|mi)|que (me|nos) (elimin…|borr…|den de baja|retir…|saqu…))",
    `(abst…|evit…) de … (${SEND})`,
    `no (me |nos )?(mand…|enví…|envi…) … (nada|ningún|ninguna|ningun) (más|mas|correo…|otro)?`,
    "(dar|darse|darme|darnos|dame|danos|denme|dennos|deme|denos|dadme|dadnos|den|des|demos|dé) de baja( (de|del|en|a|por|ya|esta|este|mi|mis)|$)",
    "(me|nos) (den|des|dé|dan|deis|dieran|puede… dar|podéis dar) de baja",
    "(solicito|pido|quiero|deseo|necesito|quisiera|solicitamos|pedimos) (la |mi |causar )?baja",
    "(quiero|deseo|quisiera|como|cómo|puedo|quería|queremos) … (darme|darnos|me doy|desuscribirme|cancelar (la|mi) suscripción|desapuntarme|borrarme|salir(me)? de (la|esta|su|tu|vuestra) lista)",
    `(elimin…|borr…|quit…|sac…|sáqu…|suprim…|retir…|remuev…|excluy…|tach…|quít…|bórr…|elimín…)(me|nos)?( ya| por favor)? (de|del) (la |el |su |tu |vuestr[oa] |sus |tus |vuestras |esta |este |estas )?${LIST}`,
    `(elimin…|borr…|quit…|sac…|saqu…|suprim…|retir…|bórr…|cancel…) ${MINE}`,
    `(me|nos|que me|que nos) (elimin…|borr…|quit…|saqu…|suprim…|retir…|excluy…) … (de|del) … ${LIST}`,
    "(elimin…|borr…|quít…|quit…|sáqu…|saqu…|sáca…)(me|nos)( por favor| ya| gracias)?$",
    `no (me|nos|le|os)? ?(vuelv…|sig…|continú…) … (a )?${SEND}`,
    `no (me |nos )(quer…|dese…) … ${SEND}`,
    `no (me|nos) ${SEND} … (más|mas|nunca|nada|otra vez|de nuevo|en el futuro)`,
    `no (me|nos) (escrib…|contact…|molest…|busqu…)( …)?$`,
    `no (me|nos) (mand…|envi…|enví…|remit…) (más )?(${MAIL})$`,
    `no ${SEND} (más|mas|nunca)|no insist…`,
    `(no|ni) (quier…|dese…|dese[oa]mos|queremos|necesit…|me interesa) … (recibir|recibiendo|que me|que nos|más|ser contactad…) … (${MAIL}|contacten|escriban|manden|envíen|llamen|vuestr…|suy…)`,
    `no (quier…|dese…|queremos) (recibir|más ${MAIL})( |$)( más| nada| de ustedes| vuestr…| correos| suy…)*`,
    `(dej…|par…|ces…|basta)( ya)? de (enviar…|escribir…|mandar…|contactar…|molestar…|spamear…|bombardear…|llamar…|enviarme|mandarme|${MAIL})`,
    `^(por favor )?no más ${MAIL}( por favor| gracias)*$`,
    "cancel… … (suscripción|mis datos|mi registro)|cancelación de (mis|la suscripción|mi)",
    "(ejerzo|ejercer) … (derecho|oposición|supresión)|me opongo",
    "(déj…|dej…)(me|nos|n?me) en paz",
  ],
  other: [
    "papel(es)?",
    "(nuestros|a los|mis|los|vuestros|sus) clientes|herramienta|software|plataforma|derecho al olvido",
    "de dónde|dónde (ha…|sac…|consig…)",
    "no (me )?(borr…|elimin…|quit…|saqu…|sáqu…|cancel…|suprim…)|en cualquier momento|suscripción al",
    "(problemas?|contrato|plan antiguo|proveedor…|envíos,? ¿?vuestra|factura|campaña|pedido…|columna)",
    "(queremos|quiero|nos gustaría) … (dejar|parar) de",
    "(copia|cc|reunión|evento|invitados|cita|agenda|hilo|convocatoria|contrato|logo|imagen|página|párrafo|adjunto|webinar|calendario|versiones?|dudas)",
    "lista de (espera|invitados|precios|tareas|participantes|asistentes)",
    "(usuarios|clientes|destinatarios|suscriptores|contactos|gente|leads|ellos|la gente)( …){0,4} (baja…|dan|dar…|dej…|elimin…|piden|quieren)",
    "se (dan|da|darían|dieron|puede… dar) de baja",
    "(enlace|link|botón|página|tasa|proceso|gestión|formulario) de (baja|cancelación)|las bajas",
    "(est…|sigue|sigo|encuentr…) de baja|baja (médica|por|maternal|laboral|paternal)",
    "no (hace falta|es necesario|hay que|necesit…) que|no dej…|sin (darme|que me)|no (me|nos) (des|den|dé) de baja",
    "no he (recibido|tenido)|no hemos recibido|no recib…|no me llega…",
    "(más|mas) (bajo|baja|barato)",
    "dej… de (preocupar…|llover|pensar|trabajar|existir)",
  ],
  narrower: [
    "hasta|antes de|por ahora|de momento|este (mes|año)|esta semana|hoy|mañana|la semana",
    "tantos?|tantas?|tan (a menudo|seguido)|en pdf|adjuntos|facturas",
  ],
  elsewhere: [
    "escríb… a mí|(se ha|ya no|está) … (ido|trabaja|jubilad…|jubiló)|ahora (lo |me )?(llevo|encargo)|su sustitut…|me he hecho cargo",
    "mejor|en su lugar|en vez|llám…(me|nos)|llam…(me|nos)|por teléfono|(por|al) (whatsapp|móvil)|otro correo|otra dirección",
  ],
  hints: [
    "(menos|no tan) (frecuen…|seguido|a menudo|correos|mensajes)|con (una|un) vez (al|cada)|(una vez|1 vez) al (mes|trimestre|año)|otra vez (usted…|tú|vosotros)|(harto|hartos|harta|cansad…|pesad…)|(solo|sólo|únicamente) (si|cuando|para)",
    "de baja|desuscri…|la baja",
    `(no|deja… de) … (escrib…|mandar…|mand…|envi…|contact…) … (más)?`,
    "spam|rgpd|lopd|agpd|no solicitad…|acoso",
    "(quít…|sác…|bórr…|elimín…|quit…|saqu…|borr…)(me|nos|enme) ",
    "de dónde (ha…|sac…|obtuv…) mi",
  ],
};
