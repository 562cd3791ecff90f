import * as http from "node:http";
import { createTransport, type SendMailOptions } from "nodemailer";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Mailbox, startMailbox } from "../../../scripts/stack/mailbox/mailbox.ts";
import { type FixtureSite, startFixtureSite } from "./fixture-site.ts";

let mailbox: Mailbox;
let site: FixtureSite;
const advanced: { seconds: number; visitsBefore: number }[] = [];

beforeAll(async () => {
  site = await startFixtureSite();
  mailbox = await startMailbox({
    username: "u",
    password: "p",
    advance(seconds) {
      advanced.push({ seconds, visitsBefore: site.visits.length });
      return Promise.resolve();
    },
  });
});
beforeEach(() => {
  mailbox.clear();
  site.visits.length = 0;
  advanced.length = 0;
});
afterAll(async () => {
  await mailbox.close();
  await site.close();
});

async function send(mail: SendMailOptions) {
  const { host, port, username, password } = mailbox.smtp;
  const client = createTransport({ host, port, auth: { user: username, pass: password } });
  await client.sendMail({ from: "ann@overture.zz", to: "bob@example.zz", text: "x", ...mail });
}

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(new URL(path, mailbox.url), {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as never };
}

/** Sends one mail and returns its id. */
async function arrive(mail: SendMailOptions): Promise<string> {
  await send(mail);
  const messages = await mailbox.messages();
  return messages.at(-1)?.id ?? "";
}

describe("GET /api/messages", () => {
  test("lists what arrived, oldest first, with the promised fields and no others", async () => {
    await send({ subject: "First", html: "<p>Hi</p>", headers: { "X-Tag": ["a", "b"] } });
    await send({ subject: "Second — ünïcode" });
    const { body } = await call("GET", "/api/messages");
    expect(body).toEqual([
      {
        id: expect.any(String),
        from: "ann@overture.zz",
        to: ["bob@example.zz"],
        subject: "First",
        received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        text: expect.stringContaining("x"),
        html: expect.stringContaining("<p>Hi</p>"),
        headers: expect.objectContaining({ subject: "First", "x-tag": ["a", "b"] }),
        raw_url: expect.stringContaining(mailbox.url),
      },
      expect.objectContaining({ subject: "Second — ünïcode" }),
    ]);
  });

  test("filters by recipient of the envelope, in any case", async () => {
    await send({ to: "bob@example.zz" });
    await send({ to: "joanna@example.zz", bcc: "hidden@example.zz" });
    const found = async (to: string) =>
      ((await call("GET", `/api/messages?to=${encodeURIComponent(to)}`)).body as unknown[]).length;
    expect(await found("BOB@example.zz")).toBe(1);
    expect(await found("hidden@example.zz")).toBe(1);
    expect(await found("anna@example.zz")).toBe(0);
  });

  test("filters by the instant of arrival, inclusive", async () => {
    await send({ subject: "one" });
    const [one] = await mailbox.messages();
    const at = new Date(one?.received_at ?? "");
    const later = new Date(at.getTime() + 1).toISOString();
    const found = async (since: string) =>
      ((await call("GET", `/api/messages?since=${encodeURIComponent(since)}`)).body as unknown[])
        .length;
    expect(await found(at.toISOString())).toBe(1);
    expect(await found(later)).toBe(0);
    expect((await call("GET", "/api/messages?since=yesterday")).status).toBe(422);
  });

  test("one message answers at its id, byte for byte at raw_url, and others are 404", async () => {
    const id = await arrive({ raw: "From: a@b.zz\r\nSubject: raw\r\n\r\n.dot\r\n\xe4" });
    const { body } = await call("GET", `/api/messages/${id}`);
    const { raw_url: rawUrl, subject } = body as { raw_url: string; subject: string };
    expect(subject).toBe("raw");
    const raw = await fetch(rawUrl);
    expect(raw.headers.get("content-type")).toBe("message/rfc822");
    expect(await raw.text()).toMatch(/^From: a@b\.zz\r\nSubject: raw\r\n\r\n\.dot\r\n/);
    expect((await call("GET", "/api/messages/unknown")).status).toBe(404);
    expect((await call("GET", "/api/nothing")).status).toBe(404);
    expect((await call("POST", `/api/messages/${id}/raw`)).status).toBe(405);
  });

  test("DELETE empties the list and leaves the wire log", async () => {
    await send({});
    expect(await call("DELETE", "/api/messages")).toEqual({ status: 200, body: { deleted: 1 } });
    expect((await call("GET", "/api/messages")).body).toEqual([]);
    expect((await call("GET", "/api/log")).body).toMatchObject([
      { envelope: { from: "ann@overture.zz", to: ["bob@example.zz"] }, reply: "250 2.0.0 Ok" },
    ]);
  });
});

describe("open", () => {
  test("loads every image once, as a browser, after 60 s of stack time", async () => {
    const id = await arrive({
      html: `<table background="${site.url}/wall.gif"><tr><td><img src='${site.url}/pixel.gif?a=1&amp;b=2'>
        <img src="${site.url}/missing.png"><img src="${site.url}/pixel.gif?a=1&amp;b=2">
        <img src="data:image/gif;base64,AA"><img src="cid:x"><img src="http://127.0.0.1:9/no.gif"></table>`,
    });
    const { body } = await call("POST", `/api/messages/${id}/open`);
    expect(body).toEqual({
      images: [
        { url: `${site.url}/wall.gif`, status: 200, content_type: "image/gif", bytes: 42 },
        { url: `${site.url}/pixel.gif?a=1&b=2`, status: 200, content_type: "image/gif", bytes: 42 },
        { url: `${site.url}/missing.png`, status: 404, content_type: null, bytes: 0 },
        expect.objectContaining({ url: "http://127.0.0.1:9/no.gif", status: null }),
      ],
    });
    expect(advanced).toEqual([{ seconds: 60, visitsBefore: 0 }]);
    expect(site.visits).toHaveLength(3);
    expect(site.visits[0]?.headers).toMatchObject({
      "user-agent": expect.stringMatching(/^Mozilla\/5\.0 .*Chrome\//),
      "sec-fetch-dest": "image",
      "sec-fetch-mode": "no-cors",
    });
    expect(site.visits[0]?.headers["cookie"]).toBeUndefined();
  });
});

describe("the frame of the page", () => {
  test("leaves out what a mail client never runs or loads, and points links back at the page", async () => {
    const id = await arrive({
      html: `<p>a</p><script>x</script><link rel="stylesheet" href="y"><meta http-equiv="refresh" content="0">
        <iframe src="z">q</iframe><base href="b"><p>c</p><a target="_blank" href="${site.url}/d?e=1&amp;f">l</a>
        <a href="javascript:g">m</a>`,
    });
    const response = await fetch(`${mailbox.url}/api/messages/${id}/frame`);
    const follow = `${mailbox.url}/#/message/${id}/follow/${encodeURIComponent(`${site.url}/d?e=1&f`)}`;
    expect((await response.text()).replace(/\s*\n\s*/g, "").trim()).toBe(
      `<p>a</p><p>c</p><a href="${follow}" target="_top" title="${site.url}/d?e=1&amp;f">l</a>` +
        `<a title="javascript:g">m</a>`,
    );
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  });
});

describe("click", () => {
  test("follows the redirects and says where they led", async () => {
    const link = `${site.url}/hop/2?x=1&y=2`;
    const id = await arrive({ html: `<a href="${link.replace("&", "&amp;")}">Go</a>` });
    const { body } = await call("POST", `/api/messages/${id}/click`, { url: link });
    expect(body).toEqual({
      final_url: `${site.url}/page?a=1&b=2`,
      status: 200,
      hops: [
        { url: link, status: 302, location: `${site.url}/hop/1` },
        { url: `${site.url}/hop/1`, status: 302, location: `${site.url}/page?a=1&b=2` },
        { url: `${site.url}/page?a=1&b=2`, status: 200 },
      ],
    });
    expect(advanced).toEqual([{ seconds: 60, visitsBefore: 0 }]);
    expect(site.visits[0]?.headers).toMatchObject({
      "sec-fetch-mode": "navigate",
      "sec-fetch-user": "?1",
    });
  });

  test("stops after five hops", async () => {
    const id = await arrive({ text: `See ${site.url}/loop.` });
    const { body } = await call("POST", `/api/messages/${id}/click`, { url: `${site.url}/loop` });
    expect(body).toMatchObject({ error: "too many redirects", status: 302 });
    expect(site.visits).toHaveLength(5);
  });

  test("ends where nobody answers, without failing", async () => {
    const id = await arrive({ html: `<a href="${site.url}/dead">Go</a>` });
    const { status, body } = await call("POST", `/api/messages/${id}/click`, {
      url: `${site.url}/dead`,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ final_url: "http://127.0.0.1:9/nobody", status: null });
  });

  test("refuses what is not a link of the message, and makes no request", async () => {
    const id = await arrive({ html: `<a href="${site.url}/a">Go</a><!-- ${site.url}/b -->` });
    for (const body of [{ url: `${site.url}/b` }, { url: "mailto:a@b.zz" }, {}, undefined]) {
      expect((await call("POST", `/api/messages/${id}/click`, body)).status).toBe(422);
    }
    expect(site.visits).toEqual([]);
  });
});

describe("unsubscribe", () => {
  const oneClick = { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };

  test("makes the POST of RFC 8058 to the web address among the others", async () => {
    const target = `${site.url}/u/token?a=1`;
    const headers = { ...oneClick, "List-Unsubscribe": `<mailto:u@overture.zz>, <${target}>` };
    const id = await arrive({ headers });
    const { body } = await call("POST", `/api/messages/${id}/unsubscribe`);
    expect(body).toEqual({ url: target, status: 200 });
    expect(site.visits).toMatchObject([
      {
        method: "POST",
        path: "/u/token?a=1",
        body: "List-Unsubscribe=One-Click",
        headers: { "content-type": "application/x-www-form-urlencoded" },
      },
    ]);
    expect(site.visits[0]?.headers["cookie"]).toBeUndefined();
  });

  test.each([
    ["without List-Unsubscribe-Post", { "List-Unsubscribe": "<http://127.0.0.1:9/u>" }],
    ["with a mailto address alone", { ...oneClick, "List-Unsubscribe": "<mailto:u@overture.zz>" }],
    ["without any header", {}],
  ])("is refused for a message %s", async (_, headers) => {
    const id = await arrive({ headers });
    expect((await call("POST", `/api/messages/${id}/unsubscribe`)).status).toBe(422);
  });
});

describe("strangers", () => {
  function get(headers: http.OutgoingHttpHeaders, method = "GET"): Promise<number> {
    return new Promise((resolve, reject) => {
      const request = http.request(`${mailbox.url}/api/messages`, { method, headers });
      request.once("response", (response) => resolve(response.resume().statusCode ?? 0));
      request.once("error", reject);
      request.end();
    });
  }

  test("a name that is not loopback's is not served", async () => {
    expect(await get({ Host: "evil.example" })).toBe(421);
    expect(await get({ Host: "localhost.evil.example:80" })).toBe(421);
    expect(await get({ Host: `localhost:${new URL(mailbox.url).port}` })).toBe(200);
  });

  test("another site's page cannot delete the mail", async () => {
    await send({});
    expect(await get({ Origin: "https://evil.example" }, "DELETE")).toBe(403);
    expect(await get({ Origin: "null" }, "DELETE")).toBe(403);
    expect(await mailbox.messages()).toHaveLength(1);
  });
});
