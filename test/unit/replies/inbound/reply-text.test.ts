import { expect, test } from "vitest";
import { visibleReply, visibleText } from "#src/domain/replies/inbound/reply-text.ts";
import { classified } from "./mails.ts";

const QUOTED = "> Hello Ann,\n> shall we talk?\n> Sam";

test.each([
  "On Thu, Jul 30, 2026 at 9:00 AM Sam Sender <sam@sender.zz> wrote:",
  "On 30 Jul 2026, at 09:00, Sam Sender <sam@sender.zz>\nwrote:",
  "On Thursday, July 30, 2026 at 9:00 AM Sam Sender from the Sales Department\n<sam@sender.zz> wrote:",
  "Am Do., 30. Juli 2026 um 09:00 Uhr schrieb Sam Sender <sam@sender.zz>:",
  "Am 30.07.2026 um 09:00 schrieb Sam Sender:",
  "Le jeu. 30 juil. 2026 à 09:00, Sam Sender <sam@sender.zz> a écrit :",
  "El jue, 30 jul 2026 a las 9:00, Sam Sender (<sam@sender.zz>) escribió:",
  "Em qui., 30 de jul. de 2026 às 09:00, Sam Sender <sam@sender.zz>\nescreveu:",
  "Il giorno gio 30 lug 2026 alle ore 09:00 Sam Sender <sam@sender.zz> ha scritto:",
  "Op do 30 jul 2026 om 09:00 schreef Sam Sender <sam@sender.zz>:",
  "Den tors 30 juli 2026 kl 09:00 skrev Sam Sender <sam@sender.zz>:",
  "to 30. heinäk. 2026 klo 9.00 Sam Sender (sam@sender.zz) kirjoitti:",
  "czw., 30 lip 2026 o 09:00 Sam Sender <sam@sender.zz> napisał(a):",
  "чт, 30 июл. 2026 г. в 09:00, Sam Sender <sam@sender.zz>:",
  "2026年7月30日(木) 9:00 Sam Sender <sam@sender.zz>:",
  "Sam Sender <sam@sender.zz> 于2026年7月30日周四 09:00写道：",
  "---- On Thu, 30 Jul 2026 09:00:00 +0200 Sam Sender <sam@sender.zz> wrote ----",
  "W dniu 30.07.2026 o 09:00, Sam Sender pisze:",
  "2026-07-30 9:00 GMT+02:00 Sam Sender <sam@sender.zz>:",
])("what follows is quoted: %s", (attribution) => {
  expect(visibleText(`Yes, gladly.\n\n${attribution}\n\n${QUOTED}\n`)).toBe("Yes, gladly.");
  // Without marks the quote has no end.
  expect(visibleText(`Yes, gladly.\n\n${attribution}\n\nHello Ann,\nshall we talk?`)).toBe(
    "Yes, gladly.",
  );
});

test.each([
  "From: Sam Sender <sam@sender.zz>\nSent: Thursday, July 30, 2026 9:00 AM\nTo: Ann\nSubject: Question",
  "Von: Sam Sender <sam@sender.zz>\nGesendet: Donnerstag, 30. Juli 2026 09:00\nAn: Ann\nBetreff: Frage",
  "De : Sam Sender <sam@sender.zz>\nEnvoyé : jeudi 30 juillet 2026 09:00\nÀ : Ann\nObjet : Question",
  "De: Sam Sender\nEnviado el: jueves\nPara: Ann\nAsunto: Pregunta",
  "Da: Sam Sender <sam@sender.zz>\nInviato: giovedì\nA: Ann\nOggetto: Domanda",
  "Van: Sam Sender\nVerzonden: donderdag\nAan: Ann\nOnderwerp: Vraag",
  "*From:* Sam Sender [mailto:sam@sender.zz]\n*Sent:* Thursday\n*To:* ann@lead.zz\n*Subject:* Question",
  "差出人: Sam <sam@sender.zz>\n送信日時: 2026年7月30日\n宛先: Ann\n件名: 質問",
  "________________________________\nFrom: Sam Sender <sam@sender.zz>\nSent: Thursday\nTo: Ann\nSubject: Question",
  "-----Original Message-----\nFrom: Sam Sender",
  "-----Ursprüngliche Nachricht-----",
  "---------- Forwarded message ---------",
  "Begin forwarded message:",
])("everything from here on was answered: %s", (header) => {
  expect(visibleText(`Yes, gladly.\n\n${header}\n\nHello Ann, shall we talk?`)).toBe(
    "Yes, gladly.",
  );
});

test("answers between and below the quotes are kept", () => {
  const text = "Hi Sam,\nOn 30 Jul 2026, Sam wrote:\n> When?\n\nMonday.\n\n> Where?\n\nHere.";
  expect(visibleText(text)).toBe("Hi Sam,\n\nMonday.\n\nHere.");
});

test.each([
  ["-- \nAnn Lead\nHead of Leads"],
  ["Sent from my iPhone"],
  ["Get Outlook for iOS<https://aka.ms/x>"],
  ["Von meinem iPhone gesendet"],
  ["Sent from my Galaxy smartphone."],
  ["Sent from my phone, please excuse typos."],
  ["Envoyé de mon iPhone"],
  ["Best regards,\nAnn Lead\nLead Inc.\n+49 30 1234567"],
  ["Mit freundlichen Grüßen\nAnn Lead"],
  ["Cordialement,\nAnn"],
  ["Saludos,\nAnn"],
])("a signature is not shown: %s", (signature) => {
  expect(visibleText(`Yes, gladly.\n\n${signature}\n`)).toBe("Yes, gladly.");
});

test.each([
  "Sent from my desk, which is easier than from the phone.",
  "With regards to the price, I need to ask.",
  "The list:\n- apples\n- Pears",
  "They come from: ann@lead.zz and go to: bob@lead.zz",
  "On the other hand, he wrote: nothing.",
  "On Monday:\n\nwe meet.",
  "a > b, and b < c",
  "Thanks!",
  "Thanks!\n\nPlease call me tomorrow.",
  "Cheers,\nand what does it cost?",
])("one's own words stay: %s", (text) => {
  expect(visibleText(`Hello.\n\n${text}`)).toBe(`Hello.\n\n${text}`);
});

test("a mail that is nothing but a quote shows nothing", () => {
  expect(visibleText(`On 30 Jul 2026, Sam wrote:\n${QUOTED}`)).toBe("");
});

const html = (markup: string) => visibleReply({ text: "the text part", html: markup });

test.each([
  [
    '<div dir="ltr">Yes, <b>gladly</b>.</div><div class="gmail_quote"><div class="gmail_attr">On Thu Sam wrote:</div><blockquote>Hello Ann</blockquote></div>',
  ],
  [
    '<div>Yes, <b>gladly</b>.</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Sam</div><div>Hello Ann</div>',
  ],
  [
    '<p>Yes, <b>gladly</b>.</p><div class="moz-cite-prefix">Am 30.7. schrieb Sam:</div><blockquote type="cite"><p>Hello Ann</p></blockquote>',
  ],
  ['<p>Yes, <b>gladly</b>.</p><div class="yahoo_quoted"><div>Hello Ann</div></div>'],
  [
    '<p>Yes, <b>gladly</b>.</p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p><b>From:</b> Sam</p></div><p>Hello Ann</p>',
  ],
  [
    '<p>Yes, <b>gladly</b>.</p><div class="gmail_signature">Ann Lead</div><blockquote>Hello Ann</blockquote>',
  ],
])("the marks of mail programs are used: %s", (markup) => {
  expect(html(markup)).toBe("Yes, gladly.");
});

test("below and between marked quotes one may answer too", () => {
  expect(
    html("<blockquote>When?</blockquote><p>Monday.</p><blockquote>Where?</blockquote><p>Here.</p>"),
  ).toBe("Monday.\n\nHere.");
});

test("HTML without marks leaves the text part to speak", () => {
  expect(html("<p>Yes</p>")).toBe("the text part");
});

test("a reply carries its own words, and whether it asks to stop", async () => {
  const body = `Please remove me from your list.\n\nOn 30 Jul 2026, Sam wrote:\n> Hello`;
  expect(await classified({ body })).toEqual({
    class: "reply",
    text: "Please remove me from your list.",
    optOut: "stop",
    byProgram: false,
  });
});

test("what is quoted asks for nothing", async () => {
  const body =
    "Let's talk.\n\nOn 30 Jul 2026, Sam wrote:\n> Reply STOP and I will stop writing.\n> unsubscribe";
  expect(await classified({ body })).toMatchObject({ class: "reply", optOut: "no" });
});

test("the mail that a mail program sends to unsubscribe is an opt-out", async () => {
  expect(
    await classified({ subject: "unsubscribe", headers: ["Auto-Submitted: auto-replied"] }),
  ).toMatchObject({ class: "reply", optOut: "stop", byProgram: true });
});

const LEGAL = "This e-mail is confidential and meant for those whom it names alone. ".repeat(5);

test.each([
  ["is below a signature's delimiter alone", `-- \nAnn Lead\nLead Ltd\n\n${LEGAL}`, true],
  ["is below a few words and a delimiter", `As I said.\n\n-- \nAnn Lead\n${LEGAL}`, true],
  ["is quoted", `Thanks.\n\nOn 30 Jul 2026, Sam wrote:\n> ${LEGAL}`, true],
  ["is its writer's own", `${LEGAL}\nHow does that work with you?`, false],
])(
  "of a mail called so by a person counts what is no signature: all %s",
  async (_, body, stops) => {
    expect(
      await classified({ to: "b.sender@sender.zz", subject: "Unsubscribe", body }),
    ).toMatchObject({ byProgram: stops });
  },
);

test.each([
  "Message du : 12/03/2026 10:15\nDe : Sam Sender <sam@sender.zz>\nA : ann@lead.zz\nSujet : Question",
  'Message du 12/03/26 10:15\nDe : "Sam" <sam@sender.zz>\nA : ann@lead.zz\nCopie à :\nObjet : Question',
  "========================\nMessage du : 12/03/2026\nDe : Sam <sam@sender.zz>\nA : ann@lead.zz\nSujet : Question",
  "Message du : 12/03/2026 10:15 De : Sam Sender <sam@sender.zz>\nA : ann@lead.zz",
  "torsdag 12. mars 2026 kl. 10:15 skrev\nSam Sender <sam@sender.zz>:",
  "Den tor. 12. mar. 2026 kl. 10:15 skrev Sam Sender <sam@sender.zz>",
  "Den 12.03.2026 10:15, skrev Sam Sender",
  "På 12. mars 2026 kl. 10.15 skrev Sam Sender:",
  "söndag 15 mars 2026 skrev\nSam Sender <sam@sender.zz>:",
])("what stands below a header of its program is quoted: %s", (header) => {
  expect(visibleText(`Oui, ja.\n\n${header}\n\nHello Ann,\nwe wrote.`)).toBe("Oui, ja.");
});

test.each([
  "Merci pour votre message du 12/03/2026.\nDe notre côté : tout va bien.",
  "J'ai bien reçu votre message du : 12/03/2026, merci.",
  "Som jeg skrev i går: vi er ikke klare.",
  "Kollegaen min skrev om dette torsdag 12. mars 2026.",
])("a person's own sentence is no header: %s", (text) => {
  expect(visibleText(text)).toBe(text);
});
