import { domainOfKey } from "#src/mime/email-key.ts";

/**
 * Domains that give addresses to the public: two people there are not of one
 * company. The largest mailbox providers by their own public lists of domains.
 */
const MAILBOX_PROVIDERS = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com live.com msn.com hotmail.co.uk hotmail.fr hotmail.de
   outlook.fr outlook.de live.co.uk live.fr yahoo.com yahoo.co.uk yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.co.in
   yahoo.co.jp ymail.com rocketmail.com aol.com icloud.com me.com mac.com gmx.de gmx.net gmx.at gmx.ch gmx.com web.de
   t-online.de freenet.de mail.com mail.ru bk.ru inbox.ru list.ru yandex.ru yandex.com ya.ru proton.me protonmail.com
   pm.me tutanota.com tuta.io zoho.com fastmail.com hey.com orange.fr wanadoo.fr free.fr sfr.fr laposte.net libero.it
   virgilio.it tiscali.it alice.it terra.com.br uol.com.br bol.com.br qq.com 163.com 126.com sina.com foxmail.com naver.com
   daum.net hanmail.net rediffmail.com seznam.cz wp.pl o2.pl onet.pl interia.pl abv.bg ukr.net comcast.net verizon.net
   att.net sbcglobal.net bellsouth.net cox.net charter.net btinternet.com sky.com virginmedia.com bigpond.com`.split(
    /\s+/,
  ),
);

/** Whether people with an address there have nothing in common but the provider. */
export const isMailboxProvider = (domain: string): boolean => MAILBOX_PROVIDERS.has(domain);

/** The domain that the address's owner shares with colleagues; null where it is a mailbox provider's. */
export function companyOf(emailKey: string): string | null {
  const domain = domainOfKey(emailKey);
  return isMailboxProvider(domain) ? null : domain;
}
