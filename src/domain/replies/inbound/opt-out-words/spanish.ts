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
    "(la |mi )?baja|darme de baja|dar de baja|dame de baja|stop|no más|cancelar( suscripción)?|desuscribir(me)?|desuscripción|quitar|borrar|remover|eliminar|no más (correos?|e-?mails?|mensajes?|mails?)|basta|bórrame|quítame|sácame|no contactar( más)?|no molestar( más)?",
  courtesies:
    "por favor|gracias|porfa|ya|hola|buenos días|buenas|inmediatamente|muchas gracias|quiero|solicito",
  asks: [
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
    "no (me )?(borr…|elimin…|quit…|saqu…|sáqu…|cancel…|suprim…)|en cualquier momento|suscripción al",
    "(problemas?|contrato|plan antiguo|proveedor…|envíos,? ¿?vuestra|factura|campaña|pedido…|columna)",
    "(queremos|quiero|nos gustaría) … (dejar|parar) de",
    "(copia|cc|reunión|evento|invitados|cita|agenda|hilo|convocatoria|contrato|logo|imagen|página|párrafo|adjunto|webinar|calendario|versiones|dudas)",
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
    "mejor|en su lugar|en vez|llám…(me|nos)|llam…(me|nos)|por teléfono|(por|al) (whatsapp|móvil)|otro correo|otra dirección",
  ],
  hints: [
    "de baja|desuscri…|la baja",
    `(no|deja… de) … (escrib…|mandar…|mand…|envi…|contact…) … (más)?`,
    "spam|rgpd|lopd|agpd|no solicitad…|acoso",
    "(quít…|sác…|bórr…|elimín…|quit…|saqu…|borr…)(me|nos|enme) ",
    "de dónde (ha…|sac…|obtuv…) mi",
  ],
};
