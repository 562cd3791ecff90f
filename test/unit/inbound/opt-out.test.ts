import { expect, test } from "vitest";
import { asksToStop } from "#src/domain/inbound/opt-out.ts";

test.each([
  "STOP",
  "Unsubscribe",
  "unsubscribe please",
  "Please remove me.",
  "Hi,\n\nplease unsubscribe me from your emails.\n\nAnn",
  "Take me off your list.",
  "Stop emailing me!",
  "Please stop contacting us.",
  "Do not contact me again.",
  "Don't email me anymore",
  "I'd like to be removed, thanks",
  "How do I unsubscribe from this?",
  "No more emails please",
  "Please delete my data.",
  "Bitte löschen Sie meine Daten.",
  "Bitte keine weiteren E-Mails mehr.",
  "Abmelden",
  "Bitte nehmen Sie mich aus Ihrem Verteiler",
  "Merci de me désabonner de votre liste",
  "Ne m'envoyez plus de mails",
  "Arrêtez de m'écrire",
  "Quiero darme de baja",
  "Por favor no me envíen más correos",
  "Me remova da sua lista, por favor",
  "Cancellatemi dalla lista",
  "Non scrivetemi più",
  "Verwijder mij uit uw bestand",
  "Sluta skicka mejl till mig",
  "Proszę o usunięcie mojego adresu",
  "Удалите меня из рассылки",
  "Больше не пишите мне",
  "配信停止をお願いします",
  "请不要再给我发邮件",
])("asks to stop: %s", (text) => {
  expect(asksToStop(text)).toBe(true);
});

test.each([
  "Please stop by our booth at the fair.",
  "I can't stop thinking about your offer!",
  "Not interested, thanks.",
  "Your unsubscribe link is broken, by the way.",
  "Don't unsubscribe me, I like these.",
  "We have our own opt-out process for newsletters.",
  "Could you remove the attachment and send it again?",
  "Please remove me from the CC and add Bob.",
  "Let us take this off the list of open questions.",
  "Yes, let's talk. When can we stop the old contract?",
  "We already send emails ourselves.",
  "Do not hesitate to contact me again.",
  "I did not receive any more emails about that, please resend.",
  "Bitte schicken Sie mir mehr Informationen.",
  "Non vedo l'ora",
  "I found you on the list of speakers.",
  "",
])("does not ask to stop: %s", (text) => {
  expect(asksToStop(text)).toBe(false);
});
