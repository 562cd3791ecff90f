import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type Answer,
  breaksOff,
  cuts,
  drips,
  floods,
  hangs,
  inTurn,
  says,
  startProvider,
  openProvider,
  useProviders,
} from "../mail/http-provider.ts";
import { notice, SECRETS, whatsappAt } from "./setting.ts";

useProviders();

const ID = "wamid.HBgLMTY0NjcwNDM1OTUVAgARGBI1RjQyNUE3NEYxMzAzMzQ5MkEA";
const taken = {
  messaging_product: "whatsapp",
  contacts: [{ input: "+4915112345678", wa_id: "4915112345678" }],
  messages: [{ id: ID, message_status: "accepted" }],
};

async function outcomeOf(answer: Answer, timeoutMs = 5_000) {
  const { url } = await openProvider(answer);
  return whatsappAt(url, { timeoutMs }).sendTemplate(notice());
}

/**
 * The documented shape of a template message with text parameters in its body, written from
 * https://developers.facebook.com/docs/whatsapp/cloud-api/guides/send-message-templates and the
 * limits named there, and not from the adapter.
 */
const documented = z.strictObject({
  messaging_product: z.literal("whatsapp"),
  recipient_type: z.literal("individual").optional(),
  to: z.string().regex(/^\+?[1-9]\d{6,14}$/),
  type: z.literal("template"),
  template: z.strictObject({
    name: z.string().regex(/^[a-z0-9_]{1,512}$/),
    language: z.strictObject({ code: z.string().regex(/^[a-z]{2,3}(_[A-Z]{2})?$/) }),
    components: z
      .array(
        z.strictObject({
          type: z.literal("body"),
          parameters: z
            .array(
              z.strictObject({
                type: z.literal("text"),
                text: z
                  .string()
                  .min(1)
                  .max(1024)
                  .refine((text) => !/[\n\r\t]| {5}/.test(text)),
              }),
            )
            .min(1),
        }),
      )
      .max(1)
      .optional(),
  }),
  biz_opaque_callback_data: z.string().max(512).optional(),
});

describe("what is sent", () => {
  test.each([
    ["an ordinary notice", notice()],
    ["one with a reference", notice({ reference: "01a1fc0c-6921-718e-aa4a-ab45df202f28" })],
    ["one without parameters", notice({ parameters: [] })],
    ["another language", notice({ language: "pt_BR" })],
    [
      "hostile parameters",
      notice({
        parameters: [
          "",
          "  \n\t\r\n ",
          "a\r\nBcc: b@c.zz\u0000\u001b[31m",
          "x".repeat(100_000),
          `${" ".repeat(9)}a${"\u00a0".repeat(9)}b`,
          "\ud800",
          '"}],"to":"+15550000001',
          "\u202egnp.exe",
        ],
      }),
    ],
  ])("%s has the documented shape", async (_, message) => {
    const at = await openProvider(says(200, taken));
    expect(await whatsappAt(at.url).sendTemplate(message)).toEqual({ kind: "sent", id: ID });
    expect(at.requests).toHaveLength(1);
    const [{ method, target, headers, body }] = at.requests as [(typeof at.requests)[0]];
    expect(`${method} ${target}`).toBe("POST /v24.0/100000000000001/messages");
    expect(headers).toMatchObject({
      authorization: `Bearer ${SECRETS.accessToken}`,
      "content-type": "application/json",
    });
    const sent = documented.parse(JSON.parse(body.toString("utf8")));
    expect(sent.to).toBe(message.to);
    expect(sent.template.components?.[0]?.parameters.length ?? 0).toBe(message.parameters.length);
    expect(sent.biz_opaque_callback_data).toBe(message.reference);
  });

  test.each([
    ["a number without its plus", { to: "4915112345678" }],
    ["a number with a zero in front", { to: "+0151123456" }],
    ["a number with spaces", { to: "+49 151 12345678" }],
    ["a number of 16 digits", { to: "+1234567890123456" }],
    ["other digits", { to: "+٤٩١٥١١٢٣٤٥٦٧٨" }],
    ["a list of numbers", { to: "+4915112345678,+4915112345679" }],
    ["a line end", { to: "+4915112345678\n" }],
    ["no template", { template: "" }],
    ["a template that is a path", { template: "../../me" }],
    ["a language that is none", { language: "English" }],
    ["a reference without end", { reference: "r".repeat(201) }],
  ])("%s is refused before anything is said", async (_, change) => {
    const at = await openProvider(says(200, taken));
    expect(await whatsappAt(at.url).sendTemplate(notice(change))).toMatchObject({
      kind: "refused",
      code: Object.keys(change)[0] === "to" ? "number" : Object.keys(change)[0],
    });
    expect(at.requests).toHaveLength(0);
  });
});

/** As Meta documents an error. */
const graph = (status: number, code: number, more: object = {}, headers = {}) =>
  says(
    status,
    {
      error: {
        message: `(#${code}) Title`,
        type: "OAuthException",
        code,
        error_data: { messaging_product: "whatsapp", details: "Details." },
        fbtrace_id: "AuW5Og1QCZdFnOKu1uMiXDC",
        ...more,
      },
    },
    headers,
  );

describe("what an error means", () => {
  test.each([
    ...[0, 190].map((code) => [code, 401]),
    ...[3, 10, 368, 130497, 131005, 131031].map((code) => [code, 403]),
    ...[33, 100, 131008, 131009, 131021, 131026, 131030, 131037].map((code) => [code, 400]),
    ...[130472, 131042, 131047, 131049, 131050, 131051, 135000].map((code) => [code, 400]),
    ...[132000, 132005, 132007, 132012, 132015, 132016, 132018].map((code) => [code, 400]),
    [132001, 404],
    [133010, 400],
    [131045, 500],
    // Not in the table: below 500 nothing was taken, and the same again would not be.
    [200, 403],
    [999_999, 400],
  ])("%i is refused for good", async (code, status) => {
    expect(await outcomeOf(graph(status!, code!))).toEqual({
      kind: "refused",
      code: String(code),
      detail: expect.stringContaining("Title: Details."),
    });
  });

  test.each([
    [1, 400, {}],
    [2, 503, {}],
    [4, 400, {}],
    [80007, 400, {}],
    [130429, 400, {}],
    [131000, 500, {}],
    [131016, 500, {}],
    [131048, 400, { retryAfterSeconds: 3600 }],
    [131056, 400, { retryAfterSeconds: 6 }],
    [131057, 500, {}],
    [133004, 503, {}],
    [999_999, 429, {}],
  ])("%i is busy, and may be asked again", async (code, status, more) => {
    const outcome = await outcomeOf(graph(status, code));
    expect(outcome).toEqual({ kind: "busy", detail: expect.any(String), ...more });
  });

  test("an unknown error that the API calls passing is busy, and one of the server is unknown", async () => {
    expect(await outcomeOf(graph(500, 999_999, { is_transient: true }))).toMatchObject({
      kind: "busy",
    });
    expect(await outcomeOf(graph(500, 999_999))).toMatchObject({ kind: "unknown" });
  });

  test.each([
    ["30", 30],
    ["0", 1],
    ["999999999", 86_400],
    ["-5", undefined],
    ["soon", undefined],
    ["Wed, 21 Oct 2026 07:28:00 GMT", undefined],
  ])("Retry-After %s is %s seconds", async (header, seconds) => {
    const outcome = await outcomeOf(graph(429, 130429, {}, { "retry-after": header }));
    expect(outcome).toMatchObject({ kind: "busy" });
    expect((outcome as { retryAfterSeconds?: number }).retryAfterSeconds).toBe(seconds);
  });

  test("the token is in no outcome, though the API repeats it", async () => {
    const { accessToken } = SECRETS;
    const echo = { message: `Malformed access token ${accessToken}` };
    const outcome = await outcomeOf(graph(401, 190, echo));
    expect(outcome).toMatchObject({ detail: expect.stringContaining("[token]") });
    expect(JSON.stringify(outcome)).not.toContain(accessToken);
    const long = { message: `${"x".repeat(380)} ${accessToken}` };
    expect(JSON.stringify(await outcomeOf(graph(401, 190, long)))).not.toContain(
      accessToken.slice(0, 20),
    );
  });
});

describe("answers that prove nothing", () => {
  const page = "<html><body>All is well</body></html>";
  test.each<[string, Answer]>([
    ["200 with a page", says(200, page)],
    ["200 with nothing", says(200, "")],
    ["200 with no id", says(200, { ...taken, messages: [] })],
    ["200 with an id that is an object", says(200, { ...taken, messages: [{ id: {} }] })],
    ["200 with two ids", says(200, { ...taken, messages: [{ id: "a" }, { id: "b" }] })],
    ["200 with a line end in its id", says(200, { ...taken, messages: [{ id: "a\nb" }] })],
    ["200 that breaks off", breaksOff(200)],
    ["500 with a page", says(500, page)],
    ["502", says(502, "")],
    ["504", says(504, page)],
    ["522", says(522, page)],
    ["a cut connection", cuts],
  ])("%s is unknown", async (_, answer) => {
    expect(await outcomeOf(answer)).toEqual({ kind: "unknown", detail: expect.any(String) });
  });

  test.each<[string, Answer]>([
    ["no answer", hangs],
    ["an answer that drips", drips(200)],
  ])("%s is unknown when the time is over", async (_, answer) => {
    expect(await outcomeOf(answer, 150)).toMatchObject({ kind: "unknown" });
  });

  test("a flood is unknown, and not read to its end", async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    expect(await outcomeOf(floods(200, resolve))).toMatchObject({ kind: "unknown" });
    expect(await promise).toBeLessThan(10 * 1024 * 1024);
  });

  test.each<[string, Answer]>([
    ["a redirect", says(302, "", { location: "https://elsewhere.zz/" })],
    ["404 with a page", says(404, page)],
    ["403 of a gateway", says(403, page)],
    ["429 with a page", says(429, page)],
    ["503 with a page", says(503, page)],
    ["521", says(521, page)],
    ["530", says(530, page)],
  ])("%s is busy: nothing was taken", async (_, answer) => {
    expect(await outcomeOf(answer)).toMatchObject({ kind: "busy" });
  });

  test("a connection that never came about is busy", async () => {
    const { url, close } = await startProvider(hangs);
    await close();
    expect(await whatsappAt(url).sendTemplate(notice())).toMatchObject({ kind: "busy" });
  });
});

test("after a lost answer it looks before it speaks, until somebody answers again", async () => {
  const first = await openProvider(
    inTurn(cuts, cuts, says(521, ""), says(400, ""), says(200, taken)),
  );
  const whatsapp = whatsappAt(first.url);
  const kinds: string[] = [];
  for (let time = 0; time < 4; time++) kinds.push((await whatsapp.sendTemplate(notice())).kind);
  expect(kinds).toEqual(["unknown", "busy", "busy", "sent"]);
  expect(first.requests.map(({ method }) => method)).toEqual(["POST", "GET", "GET", "GET", "POST"]);
});
