import type { OptOutWords } from "./language.ts";

const MAIL =
  "(e-?mails?|mails?|mensage(m|ns)|correios?|spam|publicidade|propaganda|propostas?|ofertas?|newsletters?|informações|comunicações|contactos?|contatos?|nada)";
const MINE =
  "((o |os )?(meu|meus|nosso|nossos) (e-?mail|endereço|contacto|contato|dados|cadastro|registo|registro|nome|e-?mails)|(a )?(minha|nossa) (inscrição|empresa)|este e-?mail|este endereço)";
const LIST =
  "(listas?|base de dados|bases? de dados|banco de dados|base|cadastro|mailing|newsletter|sistema|registos?|registros?|contactos|contatos|envios?|campanhas?)";
const REMOVE = "(remov…|retir…|tir…|exclu…|apag…|elimin…|delet…|descadastr…|cancel…|risqu…)";
const SEND =
  "(envi…|mand…|escrev…|contact…|contat…|incomod…|insist…|perturb…|lig…|procur…|abord…|import…|remet…)";

export const portuguese: OptOutWords = {
  alone:
    "descadastrar(-me)?|descadastro|remover|remova(-me)?|sair|cancelar( (a )?(inscrição|subscrição|assinatura))?|parar?|stop|chega|desinscrever|desinscrição|não (enviar?|mandar?|contactar|contatar) mais( nada)?|me (remova|tire|retire|descadastre)|retirar|excluir",
  courtesies:
    "por favor|favor|obrigad[oa]|pf|já|olá|bom dia|quero|imediatamente|grat[oa]|gentileza",
  asks: [
    "(solicit…|peço|pedimos|requeir…|exij…) … (remoção|exclusão|eliminação|retirada|cancelamento) (do|dos|da|de) (meu|meus|minha|nosso|nossos) … (dados|e-?mail|endereço|cadastro|nome)",
    "não (entr…|volt…) (mais )?(a )?(entrar )?(em contato|em contacto)( …){0,2}( mais| novamente| comigo|$)|não entre… mais em (contato|contacto)",
    `não (me|nos) (voltem|volte|tornem) a ${SEND}`,
    "(agradec…|agradeço|peço) … (que )?(retir…|remov…|apag…|elimin…) … (o )?(meu|nosso) (e-?mail|email|endereço|nome|contacto)",
    "(abst…|evit…) … de (me |nos )?(envi…|contact…|contat…|escrev…)",
    `(me |nos )${REMOVE} … (da|do|de|dessa|desse|desta|deste|das|dos) … ${LIST}`,
    `${REMOVE}-?(me|nos) … (da|do|de|dessa|desse|desta|deste|das|dos) … ${LIST}`,
    `${REMOVE} ${MINE}`,
    "(me |nos )(descadastr…|desinscrev…|remov…|exclu…)( por favor| já)?$",
    "(descadastr…|remov…|retir…|exclu…|desinscrev…|elimin…|apag…)-(me|nos)( por favor| já)?$",
    `(quero|desejo|gostaria|quer…|peço|solicito|pretendo|favor|pedimos) … (cancel…|sair|remov…|descadastr…|exclu…|apag…|retirad…) … (inscrição|subscrição|assinatura|${LIST}|meus dados|cadastro|me )`,
    "(quero|desejo|gostaria) … (ser (removid…|retirad…|excluíd…|descadastrad…)|me descadastrar|descadastrar-me|sair (da|desta|dessa|de) … (lista|mailing))",
    `não (quero|queremos|desejo|desejamos|pretendo|pretendemos|gostaria) … (receber|ser contactad…|ser contatad…|ser incomodad…|mais ${MAIL}|que me (envi…|contact…|escrev…|mand…|contat…))`,
    `não (me |nos |voltem a |volte a )?${SEND}(-me|-nos)? … (mais|novamente|nunca|outra vez|no futuro|de novo|nada)`,
    `(que )?não (me|nos) (contact…|contat…|escrev…|incomod…|perturb…)( por favor)?$`,
    `(par…|deix…|cess…|basta|chega) de (me |nos |lhe )?(envi…|mand…|escrev…|contact…|contat…|incomod…|perturb…|spam…|remet…)`,
    `(par…|chega|basta) (com|de) … ${MAIL}`,
    `^(por favor )?(não )?(sem )?mais ${MAIL} não|^chega de ${MAIL}|^sem mais ${MAIL}`,
    "(me|nos) deix… em paz|deix…-(me|nos) em paz",
    "como (faço|posso) … (cancelar|descadastrar|sair|remover)",
    "revogo|oponho-me",
  ],
  other: [
    "não (me )?(apag…|remov…|exclu…|tir…|retir…|cancel…|elimin…)|a qualquer momento|conta",
    "(queremos|quero|gostaríamos de|estamos a) (remov…|parar|deixar de|limp…) (… ){0,2}(contat…|contact…|enviar|mandar)|nossa lista|inválid…|boleto|campanha|plano",
    "(cópia|cc|reunião|evento|convidados|convite|agenda|contrato|logo|logotipo|imagem|parágrafo|anexo|página|webinar|versão|jurídica)",
    "lista de (espera|convidados|preços|tarefas|participantes)",
    "(usuários|utilizadores|clientes|destinatários|assinantes|contatos|contactos|pessoas|leads|eles)( …){0,4} (descadastr…|sair|saem|cancel…|pedem|remov…|par…)",
    "(link|botão|página|taxa|processo|formulário|opção) de (descadastr…|remoção|cancelamento)|o descadastro",
    "não (precisa|é preciso|é necessário|há necessidade)|não deix…|não par…|sem (me|que me)",
    "não (recebi|recebemos|tenho recebido|consigo|mandamos|enviamos)|deixei de receber",
    "par… (de se|de pensar|na|no|em)|não quero (mais )?(esperar|perder)",
  ],
  narrower: [
    "até|antes de|por enquanto|por agora|este (mês|ano)|esta semana|hoje|ainda",
    "tantos?|tantas?|com tanta frequência|em pdf|anexos",
  ],
  elsewhere: [
    "em vez|ao invés|melhor|prefiro|me (lig…|cham…)|(lig…|cham…)-me|telefone-me|(no|por|pelo) whatsapp|outro e-?mail",
  ],
  hints: [
    "descadastr…|desinscrev…|cancelar … inscrição",
    `não … (envi…|mand…|escrev…|contact…|contat…) … mais`,
    "(par…|deix…) de … (enviar|mandar|escrever)",
    "spam|lgpd|rgpd|não solicitad…|assédio",
    `(me |)(remov…|tir…|retir…)(-me|) d`,
    "(onde|como) (conseguiu|obteve|arranj…|conseguiram) (o )?meu",
  ],
};
