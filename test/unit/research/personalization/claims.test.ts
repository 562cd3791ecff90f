import { expect, test } from "vitest";
import { claimsOf } from "#src/domain/research/personalization/claims.ts";

/** Each claim of the body as `kind span <- source`. */
function claims(body: string, ...sources: string[]): string[] {
  const names = ["lead_data", "website", "sender"] as const;
  const given = sources.map((text, at) => ({ name: names[at]!, text }));
  return claimsOf(body, given).map(({ start, end, kind, source_index }) => {
    expect([start >= 0, start < end, end <= body.length]).toEqual([true, true, true]);
    return `${kind} ${body.slice(start, end)} <- ${source_index ?? "none"}`;
  });
}

test("a number is held by its value and its unit", () => {
  const source = "It grew 18% to $12M with 64 people on 2023-05-04.";
  expect(claims("so 18 percent, 18 people, 12 million, €12M", source)).toEqual([
    "number 18 percent <- 0",
    "number 18 <- none",
    "number 12 million <- 0",
    "number €12M <- none",
  ]);
  expect(claims("in 2023, in May 2023, on 4 May 2023, in June 2023, of 64", source)).toEqual([
    "number 2023 <- 0",
    "number May 2023 <- 0",
    "number 4 May 2023 <- 0",
    "number June 2023 <- none",
    "number 64 <- 0",
  ]);
});

test("the first source that holds it is named, and a field's name is no source", () => {
  expect(claims("it has 42 and first", "first_name: x", "42", "42")).toEqual([
    "number 42 <- 1",
    "number first <- none",
  ]);
});

test("a part of a longer number or word holds nothing", () => {
  expect(claims("on 12 with “air”, Acm", "1200 and 112", "fair airs Acme")).toEqual([
    "number 12 <- none",
    "quote “air” <- none",
    "name Acm <- none",
  ]);
});

test("spelled numbers have their value, and figures of speech are none", () => {
  const body =
    "We have two hundred and fifty, twenty-one, or ninety percent. One question: no one?";
  expect(claims(body, "250, 21 and 90%")).toEqual([
    "number two hundred and fifty <- 0",
    "number twenty-one <- 0",
    "number ninety percent <- 0",
  ]);
});

test("names are runs of capitals, and no words that begin a sentence", () => {
  const body =
    "Hi Zoë,\n\nYour work at Müller & Söhne in Graz is good. Since May, Dr Eva Stone runs it. The Baltic Port's iPhone? I see.";
  expect(claims(body, "Muller & Sohne, Graz", "Baltic Port")).toEqual([
    "name Zoë <- none",
    "name Müller & Söhne <- 0",
    "name Graz <- 0",
    "name May <- none",
    "name Dr Eva Stone <- none",
    "name Baltic Port <- 1",
    "name iPhone <- none",
  ]);
});

test("in German a noun alone is a name when it is known as one", () => {
  const body =
    "Guten Tag,\n\nich habe auf der Seite von Kornfeld gelesen, dass Sie mit Ihren Leuten die Berichte der Woche nicht mehr lesen wollen. Und Frau Anna Lang?";
  expect(claims(body, "company: Kornfeld\nname: Anna Lang")).toEqual([
    "name Kornfeld <- 0",
    "name Anna Lang <- 0",
  ]);
});

test("a quotation that nothing closes goes to the end of its paragraph, and an apostrophe opens none", () => {
  expect(claims("it's Ann's “open end\nand on\n\nThe next", "open end and on")).toEqual([
    "name Ann <- none",
    "quote “open end\nand on <- 0",
  ]);
  expect(claims("she said 'less, not more' and 'it's fine'.", "less not more")).toEqual([
    "quote 'less, not more' <- 0",
    "quote 'it's fine' <- none",
  ]);
});

test("offsets count as JavaScript does", () => {
  expect(claims("😀 42 and “ä😀b” of Ødegård", "42, ä😀b, Odegard")).toEqual([
    "number 42 <- 0",
    "quote “ä😀b” <- 0",
    "name Ødegård <- 0",
  ]);
});
