import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { verify } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createGoogleSheets, type GoogleSettings } from "#src/providers/sheets/google.ts";
import { type CellRange, type Sheets, SheetsFault } from "#src/providers/sheets/index.ts";
import type { GooglePart } from "../../../../scripts/stack/google/google.ts";
import { createEagerClock } from "../../../support/eager-clock.ts";
import {
  GOOGLE_ACCOUNT,
  GOOGLE_KEY,
  GOOGLE_PUBLIC_KEY,
  startTestGoogle,
} from "../../../support/google.ts";

let google: GooglePart;
beforeAll(async () => {
  google = await startTestGoogle();
  google.sheets.put("leads", {
    title: "Leads & more",
    tabs: [
      { title: "Ann's ! leads", rows: [["email", "", "note"], ["a@b.cc"], [], ["", "", "x"]] },
      { title: "Chart", chart: true },
      { title: "Hidden", hidden: true, id: 77, rows: [["email"]] },
    ],
  });
  google.sheets.put("public", {
    sharing: "public",
    title: "Pub - lic",
    tabs: [{ title: "T", rows: [["email"], ['a"b,c']] }, { id: 5 }],
  });
});
afterAll(() => google.close());
afterEach(() => {
  google.faults.clear();
  google.log.clear();
});

/** The adapter; its waits pass at once, and a server that does not answer is given up after `patienceMs`. */
function sheets(more: Partial<GoogleSettings> = {}, patienceMs = 5_000): Sheets {
  const settings: GoogleSettings = {
    account: { email: GOOGLE_ACCOUNT, privateKey: GOOGLE_KEY },
    tokenUrl: google.tokenUrl,
    sheetsBase: google.url,
    exportBase: google.url,
    ...more,
  };
  const hasty: typeof fetch = (input, init) =>
    fetch(input, {
      ...init,
      signal: AbortSignal.any([init!.signal!, AbortSignal.timeout(patienceMs)]),
    });
  return createGoogleSheets(settings, { fetch: hasty, clock: createEagerClock(Date.now()) });
}

const account = (...args: Parameters<typeof sheets>) => sheets(...args).account!;
const requests = (path: string) =>
  google.log.entries().filter(({ summary }) => summary.includes(path)).length;
const all = (tab: string, to: [row: number, column: number]): CellRange => ({
  tab,
  rows: [1, to[0]],
  columns: [1, to[1]],
});
const faultOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SheetsFault);
  return (error as SheetsFault).kind;
};
async function textOf(csv: AsyncIterable<Uint8Array>) {
  const pieces: Uint8Array[] = [];
  for await (const piece of csv) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

describe("the assertion", () => {
  test("keeps Google's rules for service accounts, read by another library than the one that wrote it", async () => {
    const asked: { type: string | undefined; form: URLSearchParams }[] = [];
    const server = createServer(async (request, response) => {
      let text = "";
      for await (const piece of request) text += String(piece);
      asked.push({ type: request.headers["content-type"], form: new URLSearchParams(text) });
      response.end(JSON.stringify({ access_token: "t", expires_in: 3599, token_type: "Bearer" }));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const tokenUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
    await faultOf(account({ tokenUrl }).describe("leads"));
    server.closeAllConnections();
    server.close();

    const { type, form } = asked[0]!;
    expect(type).toMatch(/^application\/x-www-form-urlencoded/);
    expect(form.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
    const [header = "", payload = "", signature = ""] = form.get("assertion")!.split(".");
    const part = (text: string) => JSON.parse(Buffer.from(text, "base64url").toString());
    expect(part(header)).toEqual({ alg: "RS256", typ: "JWT" });
    const claims = part(payload);
    expect(claims).toEqual({
      iss: GOOGLE_ACCOUNT,
      scope: "https://www.googleapis.com/auth/spreadsheets.readonly",
      aud: tokenUrl,
      iat: expect.any(Number),
      exp: claims.iat + 3600,
    });
    // A server whose clock is a little behind ours takes it too.
    expect(claims.iat).toBeLessThanOrEqual(Math.floor(Date.now() / 1000) - 29);
    const signed = Buffer.from(`${header}.${payload}`);
    expect(
      verify("RSA-SHA256", signed, GOOGLE_PUBLIC_KEY, Buffer.from(signature, "base64url")),
    ).toBe(true);
  });

  test("of another account, or by another key, is refused", async () => {
    const foreign = { email: "other@project.iam.gserviceaccount.com", privateKey: GOOGLE_KEY };
    expect(await faultOf(account({ account: foreign }).describe("leads"))).toBe("unavailable");
    const broken = {
      email: GOOGLE_ACCOUNT,
      privateKey: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
    };
    expect(await faultOf(account({ account: broken }).describe("leads"))).toBe("unavailable");
    expect(requests("/v4/")).toBe(0);
  });

  test("is sent once however many ask at once, and again only when its token ends or is refused", async () => {
    const ours = account();
    await Promise.all(Array.from({ length: 8 }, () => ours.describe("leads")));
    await ours.describe("leads");
    expect(requests("/token")).toBe(1);
    google.faults.order("token_revoked", 1);
    await ours.describe("leads");
    expect(requests("/token")).toBe(2);
  });

  test("that is refused over and over is not sent over and over", async () => {
    google.faults.order("token_revoked", 2);
    expect(await faultOf(account().describe("leads"))).toBe("unavailable");
    expect(requests("/token")).toBe(2);
    google.faults.order("token_refused", 1);
    expect(await faultOf(account().describe("leads"))).toBe("unavailable");
  });
});

describe("the API", () => {
  test("tells of the tabs that have cells, with the size of their grid", async () => {
    expect(await account().describe("leads")).toEqual({
      id: "leads",
      title: "Leads & more",
      tabs: [
        { id: 0, title: "Ann's ! leads", hidden: false, rows: 1000, columns: 26 },
        { id: 77, title: "Hidden", hidden: true, rows: 1000, columns: 26 },
      ],
    });
  });

  test("reads several ranges at one moment, each ending at its last cell", async () => {
    const tab = "Ann's ! leads";
    const two: CellRange = { tab, rows: [900, 1000], columns: [25, 26] };
    expect(await account().read("leads", [all(tab, [1000, 26]), two])).toEqual([
      [["email", "", "note"], ["a@b.cc"], [], ["", "", "x"]],
      [],
    ]);
    expect(requests("batchGet")).toBe(1);
  });

  test.each([
    ["local-private", "not_shared"],
    ["nobody-knows-it", "not_found"],
    ["local-office", "not_a_sheet"],
  ])("%s is %s", async (id, kind) => {
    expect(await faultOf(account().describe(id))).toBe(kind);
    expect(requests("/v4/")).toBe(1);
  });

  test("a tab or rows that are not there are no such range", async () => {
    expect(await faultOf(account().read("leads", [all("Sheet9", [1, 1])]))).toBe("no_such_range");
    const tab = "Ann's ! leads";
    expect(await faultOf(account().read("leads", [all(tab, [1001, 1])]))).toBe("no_such_range");
  });

  test("more than an answer may hold is too large, and not asked for again", async () => {
    const id = "local-rows-60000";
    expect(await faultOf(account().read(id, [all("Sheet1", [60_001, 9])]))).toBe("too_large");
    expect(requests("batchGet")).toBe(1);
  });

  test.each(["down", "server_error", "quota", "lost_answer", "slow"])(
    "%s once is survived, and always is unavailable",
    async (fault) => {
      const ours = account({}, 300);
      google.faults.order(fault, 1);
      expect((await ours.describe("leads")).title).toBe("Leads & more");
      google.faults.order(fault, 9);
      expect(await faultOf(ours.describe("leads"))).toBe("unavailable");
    },
  );

  test.each(["html", "wrong_json", "service_disabled"])("%s is unavailable", async (fault) => {
    const ours = account();
    await ours.describe("leads");
    google.faults.order(fault, 1);
    expect(await faultOf(ours.describe("leads"))).toBe("unavailable");
    google.faults.order(fault, 1);
    expect(await faultOf(ours.read("leads", [all("Hidden", [1, 1])]))).toBe("unavailable");
  });

  test("a provider that lies about how much it answers is not believed", async () => {
    const server = createServer((request, response) => {
      const isToken = request.url === "/token";
      const values = [["a", "b", "c"]];
      response.end(
        JSON.stringify(
          isToken ? { access_token: "t", expires_in: 3599 } : { valueRanges: [{ values }] },
        ),
      );
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ours = account({ tokenUrl: `${url}/token`, sheetsBase: url });
    expect(await ours.read("x", [all("S", [1, 3])])).toEqual([[["a", "b", "c"]]]);
    expect(await faultOf(ours.read("x", [all("S", [1, 2])]))).toBe("unavailable");
    expect(await faultOf(ours.read("x", [all("S", [1, 3]), all("S", [1, 3])]))).toBe("unavailable");
    server.closeAllConnections();
    server.close();
  });

  test("without an account there is none", () => {
    expect(sheets({ account: null }).account).toBeNull();
  });
});

describe("the public export", () => {
  const open = (id: string, gid: number | null = null) =>
    sheets({ account: null }).openPublic(id, gid, 5_000);

  test("is read over its one redirect, titles and all", async () => {
    const { title, tabTitle, csv } = await open("public");
    expect([title, tabTitle]).toEqual(["Pub - lic", "T"]);
    expect(await textOf(csv)).toBe('email\r\n"a""b,c"');
    expect(await textOf((await open("public", 5)).csv)).toBe("");
  });

  test.each([
    ["leads", null, "not_shared"],
    ["local-private", null, "not_shared"],
    ["nobody-knows-it", null, "not_found"],
    ["public", 99, "no_such_range"],
  ])("%s with gid %s is %s", async (id, gid, kind) => {
    expect(await faultOf(open(id, gid))).toBe(kind);
  });

  test.each(["down", "server_error", "html", "wrong_json", "foreign_redirect"])(
    "%s is unavailable, and nothing else is asked",
    async (fault) => {
      google.faults.order(fault, 1);
      expect(await faultOf(open("public"))).toBe("unavailable");
      expect(google.log.entries()).toHaveLength(1);
    },
  );

  test("a redirect to a host that is not Google's is not followed, even where it has a file", async () => {
    const asked: string[] = [];
    const elsewhere = createServer((request, response) => {
      asked.push(request.url!);
      response.writeHead(200, { "content-type": "text/csv" }).end("email");
    });
    const at = (server: typeof elsewhere) =>
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const leading = createServer((_request, response) => {
      response.writeHead(307, { location: `${at(elsewhere)}/file` }).end();
    });
    for (const server of [elsewhere, leading])
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const opened = sheets({ exportBase: at(leading) }).openPublic("x", null, 5_000);
    expect(await faultOf(opened)).toBe("unavailable");
    expect(asked).toEqual([]);
    for (const server of [elsewhere, leading]) {
      server.closeAllConnections();
      server.close();
    }
  });

  test("a file that breaks off is no shorter file", async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/csv" });
      response.write("email\r\na@b.cc", () => response.destroy());
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const exportBase = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { csv } = await sheets({ exportBase }).openPublic("x", null, 5_000);
    expect(await faultOf(textOf(csv))).toBe("unavailable");
    server.close();
  });
});
