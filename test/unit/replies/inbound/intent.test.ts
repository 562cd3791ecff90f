import { join } from "node:path";
import { expect, test } from "vitest";
import { readIntents, scoreOfIntents } from "../../../../scripts/eval-replies/intent.ts";
import { readIntent } from "#src/domain/replies/inbound/intent.ts";
import { asksToStop } from "#src/domain/replies/inbound/opt-out.ts";

const CORPUS = join(import.meta.dirname, "../../../../scripts/eval-replies");

test.each([
  ["95 % of the clear replies of the second author", "another-hand/intent/tune.json", 0.95],
  ["95 % of those of the third", "third-hand/intent/held-out.json", 0.95],
])("%s are read as they are meant, and no interest as none", (_, file, share) => {
  const { clear, clearRight, lost } = scoreOfIntents(readIntents(join(CORPUS, file)));
  expect(lost).toBe(0);
  expect(clearRight / clear).toBeGreaterThanOrEqual(share);
});

test("who wants no more mail is not interested, whatever else is said", () => {
  expect(readIntent("Sounds great, but remove me.", "stop")).toBe("not_interested");
});

test.each([
  ["", "unclear"],
  ["We are not interested, call me tomorrow.", "unclear"],
  ["We are not interested in that, but do call me about the other one tomorrow.", "interested"],
  ["Not for us, sorry.", "not_interested"],
  ["We're all set, thanks.", "not_interested"],
  ["Happy to chat, does Thursday work?", "interested"],
  ["Sure, send me a calendar link.", "interested"],
  ["Reach out again after Easter.", "not_now"],
  ["We're locked into a contract until next June.", "not_now"],
  ["You should talk to Maria in procurement.", "referral"],
  ["I've forwarded this to our CTO.", "referral"],
  ["What's the difference to Mailchimp?", "question"],
  ["Thanks, got it.", "unclear"],
  ["No budget this year.", "not_now"],
  ["Sounds interesting, tell me more.", "interested"],
  ["We build this in-house.", "not_interested"],
  ["Yes please!", "interested"],
  ["I'm not the right person for this.", "referral"],
  ["How does pricing work for nonprofits?", "question"],
  ["Who gave you my number?", "question"],
  ["Can't wait to see it.", "interested"],
  ["Ping me in six weeks.", "not_now"],
  ["Have a good weekend.", "unclear"],
  ["no need, we already have a tool for that", "not_interested"],
  ["Count me in", "interested"],
  ["I'd like a trial for two users please", "interested"],
  ["Too busy with the audit, try again in February", "not_now"],
  ["This is my co-founder's domain, copying her in.", "referral"],
  ["Klingt spannend, schicken Sie mir gern mehr Informationen.", "interested"],
  ["Wir haben bereits einen Anbieter.", "not_interested"],
  ["Bitte melden Sie sich nach den Sommerferien nochmal.", "not_now"],
  ["Bitte wenden Sie sich an Herrn Müller aus dem Einkauf.", "referral"],
  ["Was kostet das?", "question"],
  ["Danke für die Info.", "unclear"],
  ["Pas intéressé, merci.", "not_interested"],
  ["Avec plaisir, appelez-moi jeudi.", "interested"],
  ["Recontactez-moi en septembre.", "not_now"],
  ["Voyez avec mon collègue Paul.", "referral"],
  ["Combien ça coûte ?", "question"],
  ["No nos interesa, gracias.", "not_interested"],
  ["Me interesa, mándame más información.", "interested"],
  ["Llámame después del verano.", "not_now"],
  ["Habla con mi socia Carmen.", "referral"],
  ["Non siamo interessati.", "not_interested"],
  ["Certo, mi chiami domani.", "interested"],
  ["Ricontattatemi a settembre.", "not_now"],
  ["Geen interesse.", "not_interested"],
  ["Klinkt goed, bel me morgen.", "interested"],
  ["Proszę o kontakt w przyszłym roku.", "not_now"],
  ["Chętnie, proszę przesłać ofertę.", "interested"],
  ["Нам это не нужно.", "not_interested"],
  ["Давайте созвонимся в среду.", "interested"],
  ["İlgilenmiyoruz.", "not_interested"],
  ["Olur, yarın arayın.", "interested"],
  ["Ocakta tekrar görüşelim.", "not_now"],
  ["興味があります。資料を送ってください。", "interested"],
  ["必要ありません。", "not_interested"],
  ["不需要,谢谢", "not_interested"],
  ["有兴趣,发资料看看", "interested"],
  ["Inte intresserade.", "not_interested"],
  ["Ja gärna, ring mig i morgon.", "interested"],
  ["Não temos interesse.", "not_interested"],
  ["Pode ligar amanhã de manhã.", "interested"],
  ["Det lyder spændende, send mere info.", "interested"],
  ["Ikke aktuelt for oss.", "not_interested"],
  ["We don't do cold calls but this I like. When can you start?", "interested"],
  ["Nothing against it, show us.", "interested"],
  ["We have no solution yet, so a call would be great.", "interested"],
  ["Never heard of you but the idea is great. Send a proposal.", "interested"],
] as const)("%j: %s", (text, intent) => {
  expect(readIntent(text, asksToStop(text))).toBe(intent);
});
