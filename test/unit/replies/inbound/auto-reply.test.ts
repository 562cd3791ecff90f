import { join } from "node:path";
import { expect, test } from "vitest";
import { returnDate } from "#src/domain/replies/inbound/return-date.ts";
import { readAbsences, scoreOfAbsences } from "../../../../scripts/eval-replies/absence.ts";
import { classified } from "./mails.ts";

const CORPUS = join(import.meta.dirname, "../../../../scripts/eval-replies");

const AUTO = ["Auto-Submitted: auto-replied"];

test("an out-of-office reply says when its writer is back: on the weekday after the last day away", async () => {
  const body =
    "I am out of the office until 14 August and will reply when I am back.\n\n> Let us talk on 20 August.";
  expect(
    await classified({ subject: "Automatic reply: Question", headers: AUTO, body }),
  ).toMatchObject({
    class: "out_of_office",
    returnsOn: new Date("2026-08-17T00:00:00Z"),
  });
});

test("an out-of-office reply without a date is one all the same", async () => {
  const body = "I have limited access to email at the moment.";
  expect(await classified({ headers: AUTO, body })).toMatchObject({
    class: "out_of_office",
    returnsOn: null,
  });
});

test.each([
  ["Auto-Submitted: auto-replied"],
  ["Auto-Submitted: Auto-Replied; vacation"],
  ["X-Autoreply: yes"],
  ["X-Autorespond: I am away"],
  ["Precedence: auto_reply"],
  ["Return-Path: <>"],
])("a mail with %s is no person's reply", async (header) => {
  const headers = [header, "In-Reply-To: <0123abc@sender.zz>"];
  expect(await classified({ headers, body: "We have your message." })).toMatchObject({
    class: "auto_reply",
  });
});

test.each([
  "Automatic reply: Question",
  "Automatische Antwort: Frage",
  "Réponse automatique : Question",
  "Respuesta automática: Pregunta",
  "Risposta automatica: Domanda",
  "Automatisch antwoord: Vraag",
  "Autosvar: Fråga",
  "Автоматический ответ: Вопрос",
  "自動返信: 質問",
  "自动答复: 问题",
])("a subject %s is a responder's", async (subject) => {
  expect((await classified({ subject, body: "Thank you for your message." })).class).toBe(
    "auto_reply",
  );
});

test("a person who writes that they are away has replied", async () => {
  const body = "Hi Sam, I am out of the office until Monday, can we talk on Tuesday?\nAnn";
  expect((await classified({ body })).class).toBe("reply");
});

test("a person whose subject mentions an automatic reply has replied", async () => {
  expect(
    (await classified({ subject: "Re: How we automate replies", body: "Nice article." })).class,
  ).toBe("reply");
});

test.each([
  "Ann Lead no longer works at Lead Inc. Please write to bob@lead.zz instead.",
  "I have left Lead Inc. as of June. Your new contact is Bob, bob@lead.zz.",
  "Frau Lead ist nicht mehr für uns tätig. Bitte wenden Sie sich an bob@lead.zz.",
  "Ann ne fait plus partie de la société, contactez bob@lead.zz.",
  "Ann ya no trabaja en la empresa, escriba a bob@lead.zz",
  "Ann non lavora più con noi: bob@lead.zz",
  "Ann werkt niet meer bij ons. Mail bob@lead.zz.",
  "Per 1 september werk ik niet meer bij de gemeente: bob@lead.zz",
])("somebody left, and somebody else can be written to: %s", async (body) => {
  expect(await classified({ headers: AUTO, body })).toMatchObject({
    class: "left_company",
    newContact: "bob@lead.zz",
  });
});

test.each([
  "I have left the office and will be back on Monday.",
  "I no longer work on Fridays.",
  "Ann is out of the office. Until Monday please write to bob@lead.zz.",
  "I am no longer checking mail today.",
])("nobody left the company: %s", async (body) => {
  expect((await classified({ headers: AUTO, body })).class).toMatch(/^(out_of_office|auto_reply)$/);
});

test("who left names nobody when only known addresses occur", async () => {
  const body =
    "Ann is no longer with us. ann@lead.zz is not read.\n\nFrom: Sam Sender <sam@sender.zz>\nhello carl@other.zz";
  expect(await classified({ headers: AUTO, body })).toMatchObject({
    class: "left_company",
    newContact: null,
  });
});

test("a challenge is told from an answer", async () => {
  const body =
    "To confirm that you are a human, please click https://check.zz/x and your message will be delivered.";
  expect((await classified({ headers: AUTO, body })).class).toBe("challenge");
});

test.each([
  [["Auto-Submitted: auto-generated"], "Your ticket is open."],
  [["List-Unsubscribe: <https://news.zz/u>"], "Our news of July."],
  [["Precedence: bulk"], "Our news of July."],
])("what a machine writes unasked is automated: %j", async (headers, body) => {
  expect((await classified({ subject: "News", headers, body })).class).toBe("automated");
});

test("a read receipt is automated", async () => {
  const headers = [
    'Content-Type: multipart/report; report-type=disposition-notification; boundary="=b"',
  ];
  const body = "--=b\nContent-Type: text/plain\n\nYour message was displayed.\n--=b--\n";
  expect((await classified({ subject: "Read: Question", headers, body })).class).toBe("automated");
});

const sent = new Date("2026-07-30T09:00:00Z");

test.each([
  ["I am out of office from August 3rd through August 14th, 2026.", "2026-08-17"],
  ["I will be back on Monday.", "2026-08-03"],
  ["Out of office July 31 - August 10", "2026-08-11"],
  ["travelling for work on August 10-31, with little time", "2026-09-01"],
  ["Ich bin vom 03.08. bis 14.08.2026 nicht im Büro.", "2026-08-17"],
  ["Ich bin bis einschließlich 14.8. im Urlaub und ab dem 17.8. wieder erreichbar.", "2026-08-17"],
  ["Je suis absente du 3 au 21 août. De retour le lundi 24 août", "2026-08-24"],
  ["Estaré fuera de la oficina hasta el 15 de agosto de 2026.", "2026-08-17"],
  ["Estou de férias até 20/08/2026", "2026-08-21"],
  ["Sarò assente fino al 22 agosto", "2026-08-24"],
  ["Ik ben afwezig tot en met 12 augustus", "2026-08-13"],
  ["Jag är på semester till och med 9 augusti", "2026-08-10"],
  ["Jestem na urlopie do 10 sierpnia 2026", "2026-08-11"],
  ["Я в отпуске до 17 августа 2026 года", "2026-08-18"],
  ["8月17日まで休暇を取っております", "2026-08-18"],
  ["我将于2026年8月10日返回", "2026-08-10"],
  ["I'm out of office returning 08/10/2026", "2026-08-10"],
  ["I will be out 8/3-8/14.", "2026-08-17"],
  ["Out of office: 31.07.-07.08.2026", "2026-08-10"],
  ["I am away until 2026-08-12", "2026-08-13"],
  ["I am on leave and will be back tomorrow", "2026-07-31"],
  ["On vacation for two weeks.", "2026-08-13"],
  ["I return on Wednesday, August 5.", "2026-08-05"],
  ["I am out of the office until 3 January", "2027-01-04"],
])("returns: %s", (text, day) => {
  expect(returnDate(text, sent)?.toISOString()).toBe(`${day}T00:00:00.000Z`);
});

const november = new Date("2026-11-25T09:00:00Z");

test.each([
  ["I am on leave, back in April 2027.", "2027-04-01"],
  ["Back on the 30th.", "2026-11-30"],
  ["Estou de férias até dia 30.", "2026-12-01"],
  ["30 Kasım'a kadar izindeyim.", "2026-12-01"],
  ["12.01.2027'de ofiste olacağım.", "2027-01-12"],
  ["Rientro il 30.", "2026-11-30"],
  ["出差中,30号回公司。", "2026-11-30"],
  ["復帰は2027年4月の予定です。", "2027-04-01"],
  ["Out until 1 December, in again on Wednesday.", "2026-12-02"],
  ["De férias entre 30/11 e 11/12/2026. Regresso na segunda seguinte.", "2026-12-14"],
  ["Office closed from 23 December. We reopen on Tuesday 5 January.", "2027-01-05"],
  ["My working days are Tuesday to Thursday. I will answer on Tuesday.", "2026-12-01"],
  ["Return date 08/02/2027, doctor permitting.", "2027-02-08"],
  ["I am away until 24 November 2027.", "2027-11-25"],
  ["Le cabinet rouvrira ses portes le 5 janvier.", "2027-01-05"],
  ["Ofisimiz kapalıdır. 4 Aralık Cuma günü yeniden mesaideyiz.", "2026-12-04"],
  ["国庆外出。12月9日（周三）恢复上班后统一回复。", "2026-12-09"],
  [
    "誠に勝手ながら、12月28日（月）から1月3日（日）まで休業いたします。4日（月）より営業いたします。",
    "2027-01-04",
  ],
])("returns, seen from November: %s", (text, day) => {
  expect(returnDate(text, november)?.toISOString()).toBe(`${day}T00:00:00.000Z`);
});

test("a date more than a year ahead is none", () => {
  expect(returnDate("I am away until 30 November 2027.", november)).toBeNull();
});

test.each([
  ["Ik ben even op vakantie!"],
  ["Şu an izindeyim."],
  ["Office closed, we reopen on Tuesday."],
  ["I don't work Fridays, I will answer on Monday."],
  ["Freitags arbeite ich nicht."],
  ["Jag är föräldraledig med tvillingar."],
  ["Le cabinet rouvrira ses portes le 5 janvier."],
])("a machine that says %j tells of an absence", async (body) => {
  expect((await classified({ headers: AUTO, body })).class).toBe("out_of_office");
});

test("when a desk is open is no absence", async () => {
  const body = "Questa casella riceve solo certificati. Lo sportello: dal lunedì al venerdì.";
  expect((await classified({ headers: AUTO, body })).class).toBe("auto_reply");
});

test.each([
  ["Frånvarande", "Jag är föräldraledig. Vänd dig till Peter så länge.", "out_of_office"],
  ["Ausente", "Hasta el viernes estoy de viaje.", "out_of_office"],
  ["Season's greetings", "We are closed from today. Doors reopen on Tuesday.", "out_of_office"],
  ["Re: Question", "I am on holiday until Friday, call me then.", "reply"],
  ["Holiday", "I am on holiday until Friday, shall we talk then?", "reply"],
])("without a machine's header, %j, %j is %s", async (subject, body, name) => {
  expect((await classified({ subject, body })).class).toBe(name);
});

test.each([
  ["those from which the rules were written", "tune/absence.json"],
  ["another hand's", "another-hand/absence/tune.json"],
])("absences are read as they are meant: %s", async (_, file) => {
  const { misses } = await scoreOfAbsences(readAbsences(join(CORPUS, file)));
  expect(misses).toEqual([]);
});

test.each([
  "I'm out of the office with limited access to email.",
  "I am out of the office until 14 June.",
  "Away until 31 February 2027",
  "Our fairs are on 5 September and on 9 October.",
  "Call me at 555-1234 extension 12.",
  "",
])("no return date in: %s", (text) => {
  expect(returnDate(text, sent)).toBeNull();
});

test("an absence told in Korean is read", async () => {
  const inbound = await classified({
    subject: "자동 응답: Question",
    headers: ["Auto-Submitted: auto-replied"],
    body: "휴가 중입니다.",
  });
  expect(inbound.class).toBe("out_of_office");
});
