import { createSign, generateKeyPairSync } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { GooglePart } from "../../../scripts/stack/google/google.ts";
import { GOOGLE_ACCOUNT, GOOGLE_KEY, startTestGoogle } from "../../support/google.ts";

let google: GooglePart;
let folder: string;
beforeAll(async () => {
  folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "google-")), "sheets");
  google = await startTestGoogle({ folder, readsPerMinute: 40 });
});
afterAll(async () => {
  await google.close();
  fs.rmSync(path.dirname(folder), { recursive: true });
});

const now = () => Math.floor(Date.now() / 1000);
const claims = () => ({
  iss: GOOGLE_ACCOUNT,
  scope: "https://www.googleapis.com/auth/spreadsheets.readonly",
  aud: google.tokenUrl,
  iat: now(),
  exp: now() + 3600,
});

function assertion(
  payload: object,
  key = GOOGLE_KEY,
  header: object = { alg: "RS256", typ: "JWT" },
) {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part(header)}.${part(payload)}`;
  return `${text}.${createSign("RSA-SHA256").update(text).sign(key, "base64url")}`;
}

async function grant(jwt: string, grant_type = "urn:ietf:params:oauth:grant-type:jwt-bearer") {
  const body = new URLSearchParams({ grant_type, assertion: jwt });
  const response = await fetch(google.tokenUrl, { method: "POST", body });
  const answer = (await response.json()) as Record<string, string>;
  return { status: response.status, ...answer } as Record<string, unknown>;
}

async function get(at: string) {
  const { access_token: token } = await grant(assertion(claims()));
  const response = await fetch(google.url + at, {
    headers: { authorization: `Bearer ${String(token)}` },
  });
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: response.status, body: (await response.json()) as any };
}

const batch = async (id: string, ...ranges: string[]) => {
  const query = new URLSearchParams({ majorDimension: "ROWS" });
  for (const range of ranges) query.append("ranges", range);
  return (await get(`/v4/spreadsheets/${id}/values:batchGet?${query}`)).body;
};

describe("the token endpoint", () => {
  test("gives a token for an assertion that keeps the rules", async () => {
    expect(await grant(assertion(claims()))).toEqual({
      status: 200,
      access_token: expect.stringMatching(/^ya29\./),
      expires_in: 3599,
      token_type: "Bearer",
    });
  });

  const foreign = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({
    type: "pkcs8",
    format: "pem",
  }) as string;
  test.each([
    ["another key", () => assertion(claims(), foreign), /Signature/],
    ["another algorithm", () => assertion(claims(), GOOGLE_KEY, { alg: "none" }), /Signature/],
    ["another account", () => assertion({ ...claims(), iss: "x@y.zz" }), /account not found/],
    ["another audience", () => assertion({ ...claims(), aud: "https://a.zz" }), /audience/],
    ["an iat ahead", () => assertion({ ...claims(), iat: now() + 90 }), /reasonable timeframe/],
    ["an exp that is over", () => assertion({ ...claims(), iat: 1, exp: 2 }), /timeframe/],
    ["more than an hour", () => assertion({ ...claims(), exp: now() + 3700 }), /timeframe/],
    ["no claims", () => assertion({}), /parse/],
    ["no JWT", () => "x.y", /parse/],
  ])("refuses %s", async (_what, make, words) => {
    const answer = await grant(make());
    expect(answer).toMatchObject({ status: 400, error: "invalid_grant" });
    expect(answer["error_description"]).toMatch(words);
  });

  test("refuses a scope that is none of ours, and another grant", async () => {
    const other = assertion({ ...claims(), scope: "https://www.googleapis.com/auth/gmail" });
    expect(await grant(other)).toMatchObject({ status: 400, error: "invalid_scope" });
    expect(await grant(assertion(claims()), "password")).toMatchObject({
      error: "unsupported_grant_type",
    });
  });
});

describe("the API", () => {
  test("has the sheet of the folder as the file is now", async () => {
    const values = async () => (await batch("leads", "'Sheet1'!A1:B2")).valueRanges[0].values;
    expect(await values()).toEqual([
      ["Email", "First name"],
      ["ada@inbox.zz", "Ada"],
    ]);
    fs.writeFileSync(path.join(folder, "leads.csv"), '﻿a,b\r\n"1\n2",3\r\n');
    expect(await values()).toEqual([
      ["a", "b"],
      ["1\n2", "3"],
    ]);
  });

  test("reads A1 notation, and says what it cannot read as Google does", async () => {
    google.sheets.put("s", {
      tabs: [{ title: "A 'b'", rows: [["1", "2"], ["3"], [], ["", "5"]] }],
    });
    const { valueRanges } = await batch("s", "'A ''b'''!A1:B9", "'A ''b'''!A5:B9");
    expect(valueRanges[0].values).toEqual([["1", "2"], ["3"], [], ["", "5"]]);
    expect(valueRanges[1]).not.toHaveProperty("values");
    expect((await batch("s", "'A ''b'''!A1:B1001")).error).toMatchObject({
      code: 400,
      status: "INVALID_ARGUMENT",
      message: expect.stringMatching(/exceeds grid limits. Max rows: 1000, max columns: 26/),
    });
    for (const range of ["Sheet1", "'A ''b'''!B:B", "'Sheet1'!A1:B2"])
      expect((await batch("s", range)).error.message).toBe(`Unable to parse range: ${range}`);
    const single = await get("/v4/spreadsheets/s/values/Sheet1!A1:B2");
    expect([single.status, single.body.error.message]).toEqual([
      404,
      expect.stringContaining("not /values/Sheet1!A1:B2"),
    ]);
  });

  test("takes no token but its own, and counts the minute's reads", async () => {
    const bad = await fetch(`${google.url}/v4/spreadsheets/leads`, {
      headers: { authorization: "Bearer ya29.mine" },
    });
    expect(bad.status).toBe(401);
    const statuses = new Set<number>();
    for (let read = 0; read < 90; read++)
      statuses.add((await get("/v4/spreadsheets/leads")).status);
    expect(statuses).toContain(429);
  });
});

test("the export leads a stranger to the login, and the public to the file", async () => {
  const ask = (id: string) =>
    fetch(`${google.url}/spreadsheets/d/${id}/export?format=csv`, { redirect: "manual" });
  const login = await ask("leads");
  expect([login.status, login.headers.get("location")]).toEqual([
    302,
    expect.stringMatching(/^https:\/\/accounts\.google\.com\//),
  ]);
  const file = await fetch((await ask("local-public-rows-2")).headers.get("location")!);
  expect((await file.text()).split("\r\n")).toHaveLength(3);
});
