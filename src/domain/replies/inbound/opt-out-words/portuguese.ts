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
    "cancele|remove-me|removam-me|tirem-me|tira-me|retirem-me|apaguem-me|exclua-me|me (exclua|exclui|tira|descadastra|apaga)|apagar|eliminar|apagar (os )?(meus )?dados|já chega|parem|pare com isso|não insist(a|am)|não escrev(a|am)( mais)?|não envi(e|em) mais|unsubscribe|anular( subscrição)?|cancelar envio|opt out|basta|desinscreva-me|descadastrar(-me)?|descadastro|remover|remova(-me)?|sair|cancelar( (a )?(inscrição|subscrição|assinatura))?|parar?|stop|chega|desinscrever|desinscrição|não (enviar?|mandar?|contactar|contatar) mais( nada)?|me (remova|tire|retire|descadastre)|retirar|excluir",
  courtesies:
    "não|não obrigad[oa]|sem interesse|não tenho interesse|cumprimentos|att|ok|abraço|boa tarde|da lista|senhores|prezados|por favor|favor|obrigad[oa]|pf|já|olá|bom dia|quero|imediatamente|grat[oa]|gentileza",
  together: [
    "(não|nem|nunca) & (desej…|quer…|queremos|aceit…|autoriz…|pretend…) & (constar|figurar|estar|aparecer|ficar|fazer parte) & (lista…|base|cadastro|registos?|sistema|mailing|contactos|contatos)",
    "(jog…|deit…|destru…|livr…|descart…) & (meu|minha|meus|nosso|nossa) & (e-?mail|endereço|dados|número|contacto|contato|nome)",
    "(se|mais um|outra|próxim…) & (escrev…|mand…|e-?mail|mensagem|envi…|contact…) & (denunci…|bloque…|advogad…|spam|queixa)",
    "(apag…|elimin…|retir…|remov…|exclu…|tir…) & (dele|dela|seu|sua|deles) & (endereço|e-?mail|dados|nome|contacto|contato|número|email)( (por favor|da|de)( …)?)?$",
    "(remoção|exclusão|eliminação|retirada|cancelamento|apagamento) & (lista…|base|cadastro|registo…|dados|e-?mail|endereço|sistema|envios) & (solicit…|peço|pedimos|exij…|requeir…|quero|desejo|favor|agradec…)",
    "(agradec…|peço|pedimos|pede|solicit…|gostari…|quer…|queremos|favor|exij…|manda dizer|parte) & (deix…|par…|cess…|não|nem|nunca|sem|evit…|abst…|poup…) & (escrev…|mand…|envi…|contact…|contat…|incomod…|e-?mails?|mensagens|propaganda|publicidade|receb…|insist…) & (mais|nada|nunca|novo|outra vez|nenhum…|isso|isto|essas|esses|este|esta)",
    "(poup…) & (me|nos|…me|…nos) & (e-?mails?|mensagens|propaganda|publicidade|mais|disso|destes|desses|contactos)",
    "(tir…|retir…|remov…|exclu…|apag…|elimin…) & (a|o|este|esta|nossa|nosso|minha|meu) & (escola|clínica|empresa|farmácia|escritório|consultório|loja|igreja|e-?mail|endereço|nome|pai|mãe|chefe|doutor…|senhor…|creche) & (da|do|de|dos|das|dessa|desse) & (listas?|base|cadastro|registos?|envios?|sistema|contactos|contatos|mailing)",
    "(meu|nosso|minha|este|meus) & (nome|e-?mail|dados|endereço|número|contacto|contato) & (desapareç…|suma|fora|apag…|elimin…|sair|saia|retir…|remov…) & (lista…|base|sistema|registos?|cadastro|já|quero|peço|vossa|vossos)",
    "(deix…|par…|cess…) & (de constar|de figurar|de estar|de fazer parte|constar|figurar) & (contactos|contatos|lista|listas|base|base de dados|ficheiro…|registos|registros|cadastro)",
    "(elimin…|apag…|exclu…|remov…|delet…|destru…|eliminação|exclusão|remoção|apagamento) & (tudo|todos|todas|qualquer|quaisquer) & (sobre (mim|nós)|a meu respeito|guardam|têm|tenham|possuem|conservam|meus dados)",
    `${REMOVE} & (…me|…nos|me|nos|meu|minha|nosso|nossa|meus|nossos|o meu) & (da|do|de|das|dos|dessa|desta|desse|deste|vossa|vossos) … (${LIST}|ficheiros?)`,
    `${REMOVE} & (meu|meus|minha|nosso|nossos|nossa) & (e-?mail|mail|endereço|contacto|contato|dados|cadastro|registo|registro|nome|número|inscrição|informações)`,
    "(remoção|exclusão|eliminação|apagamento|retirada|cancelamento|apag…|elimin…|exclu…|delet…) & (meus|meu|minha|nossos|nosso) & (dados|e-?mail|endereço|contacto|contato|cadastro|nome|inscrição)",
    "(coloq…|adicion…|inclu…|ponh…|inser…) & (lista (negra|robinson|de exclusão|de bloqueio|de não)|não (perturbe|contactar|contatar))",
    "(pare|parem|parar|parando|deix…|cess…|interromp…|suspend…|abst…|chega|basta|fim|evit…|termin…) & (envio|envios|envi…|mand…|escrev…|e-?mails?|emails?|mensage…|publicidade|propaganda|spam|contact…|contat…|incomod…|insist…|perturb…|comunicações|lembretes|abordagens)( (a|de|por|já|mais|me|com|isto|isso|para|nos|imediatamente|comerciais|que|não|seus|vossas|e|$)|$)",
    "(não|nem|nunca|jamais) & (quer…|desej…|pretend…|gostari…|aceit…|autoriz…|consint…|ped…|peço|permit…) & (receb…|contact…|contat…|incomod…|e-?mails?|emails?|mensage…|publicidade|propaganda|envi…|escrev…|mand…|abord…)",
    "(não|nunca|jamais) & (me|nos|se|lhe|mais|voltem|volte|ser) & (contact…|contat…|envi…|mand…|escrev…|incomod…|perturb…|abord…|insist…) & (mais|novamente|nunca|jamais|nada|outra vez|de novo|nenhum…|por favor)",
    "(esqueç…|esquece…|perca…|perde…) & (meu|minha|o meu) & (e-?mail|endereço|contacto|contato|número|existência)",
    "(ped…|disse…|avis…|solicit…) & (vezes|já|vez) & (não receber|remov…|retir…|par…|deix…|sair|descadastr…|não (me )?(mand…|envi…))",
    "(nenhum|sem|nunca|não|revog…|retir…) & (consentimento|autorização) & (meu|dei|minha|dado|prévio|prévia|nosso|qualquer|para)",
  ],
  rights: [
    "(lgpd|rgpd|cnpd|anpd|gdpr|lei|artigo|art) & (opon…|opo…|oposição|exerç…|exerc…|elimin…|exclu…|apag…|revog…|retir…|exij…|exig…|queixa|denúnc…|solicit…|requeir…)",
    "(opon…|oponho…|opomo…|oposição) & (tratamento|uso|envio|marketing|receb…|utilização)",
  ],
  reasons: [
    "(pessoa|endereço|número|e-?mail|contacto|contato) errad[ao]|engan…|(e-?mail|conta|endereço) (pessoal|particular|privad…)|particular|(nunca|não) (me )?(inscrev…|pedi|solicit…|cadastr…|autoriz…|subscrev…)",
    "(segunda|terceira|quarta|quinta|última|enésima|2ª|3ª) vez|(já|duas vezes|três vezes|várias vezes) … (ped…|disse…|avis…)|último aviso",
    "spam|lgpd|rgpd|cnpd|procon|advogad…|assédio|ilegal|denunci…|lixo eletr…|queixa|reclamação",
  ],
  offers: [
    "(paro|deixo de|não (volto|insisto|incomodo|escrevo|envio|mando)|não (te|o|a|lhe|vos) … mais|retiro-…|removo|vou parar|paramos|pararei|deixarei|não voltarei|não volto)",
  ],
  yes: "(sim|ok|claro|certo|isso|exato|exatamente|correto|pode|perfeito|está bem|tudo bem|combinado|bem|afirmativo)( (por favor|obrigad[oa]|faça|faz|isso|assim|mesmo|claro|prefiro|agradeço|agradecia|pf|quero|pode|parar|ser|gostaria|façam|o|melhor|era|seria|não|receber|nada|mais|deixe|deixa|parem|pare|favor)){0,7}|(faça|faz|façam) (isso|assim|o favor)( por favor)?|prefiro( sim| isso| assim)?|agradecia( isso)?|seria (melhor|ótimo|bom)",
  asks: [
    "(par…|deix…|chega|pára) de (me |nos |lhe )?(mandar|enviar|encher|escrever) … (isso|isto|essas|esses|coisas|e-?mails?|mensagens|propaganda)?|(me|nos) (tira|tire|tirem|exclui|exclua|excluam|apaga|apague|remove|remova|removam) (disso|disto|daí|daqui|dessa|dessas|desse|de tudo|já)",
    `^(por favor |já )*(não |sem |chega de |nada de |basta de |nenhum… |nem )(… )?(mais )?${MAIL}( (mais|por favor|obrigad[oa]|para|a|de|nesta|neste)( [^ ]+){0,4})?$`,
    "(continuo|continuamos|ainda (estou|estamos)) … (receb…) … (e-?mails?|emails?|mensage…|publicidade|isto|isso|vossos|seus|estes|esses)",
    "^(por favor |já |e |agora |então )*(parem|pare|para|cessem|cesse|chega|basta)( (já|com|isto|isso|imediatamente|agora|por favor|tudo|de vez))*$|(exijo|exigimos|intimo|intimamos|notifico|notificamos) … (cess…|par…|abst…|remov…|elimin…)",
    "(pede|solicita|deseja|prefere|peço|solicito|desejo|prefiro|agradec…) … (não|nunca) … (contact…|contat…|receb…|envi…|incomod…|abord…|escrev…)",
    "(deixem|deixa|deixe)(-| )(me|nos) (em paz|sossegad…|tranquil…)|(suma daqui|vá embora|desapareç…)",
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
    "papel",
    "(nossos|aos|os|vossos|seus) clientes|ferramenta|software|plataforma|somos consultor…",
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
    "escreva(m)? (para mim|a mim)|saiu da|reformou-se|já não trabalha|assumi|agora (sou eu|trato)|substitu…",
    "em vez|ao invés|melhor|prefiro|me (lig…|cham…)|(lig…|cham…)-me|telefone-me|(no|por|pelo) whatsapp|outro e-?mail",
  ],
  hints: [
    "(menos|não tão) (frequen…|vezes|e-?mails|emails)|(só|apenas|somente) (quando|se|as|os|novidades|coisas)|(uma vez|1 vez) por (mês|trimestre|ano)|vocês de novo|(farto|farta|fartos|cansad…|chat[ao])",
    "descadastr…|desinscrev…|cancelar … inscrição",
    `não … (envi…|mand…|escrev…|contact…|contat…) … mais`,
    "(par…|deix…) de … (enviar|mandar|escrever)",
    "spam|lgpd|rgpd|não solicitad…|assédio",
    `(me |)(remov…|tir…|retir…)(-me|) d`,
    "(onde|como) (conseguiu|obteve|arranj…|conseguiram) (o )?meu",
  ],
};
