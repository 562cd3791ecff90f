import { expect, test } from "vitest";
import { isInboundSigned } from "#src/domain/replies/inbound/signature.ts";
import { bringMail } from "#src/router/mail.ts";

const SECRET = "inbound-secret-of-all-cells";
const at = new Date("2026-01-01T00:00:00Z");
const mail = { raw: new TextEncoder().encode("mail"), from: "a@x.zz", to: "b@y.zz", at };

test("a mail that Email Routing brings reaches every cell as a relay's would", async () => {
  const got: string[] = [];
  const cell = (name: string) => ({
    name,
    async fetch(request: Request) {
      const { headers } = request;
      const raw = new Uint8Array(await request.arrayBuffer());
      const to = headers.get("x-envelope-to")!;
      const signature = headers.get("overture-signature") ?? undefined;
      expect(await isInboundSigned(SECRET, signature, { now: at, to, raw })).toBe(true);
      got.push(`${name} ${headers.get("x-envelope-from")} ${to} ${new TextDecoder().decode(raw)}`);
      return Response.json({ duplicate: false, class: "reply", matched_by: null });
    },
  });
  await bringMail([cell("main"), cell("big")], SECRET, mail);
  expect(got.toSorted()).toEqual(["big a@x.zz b@y.zz mail", "main a@x.zz b@y.zz mail"]);
});

test("the null sender is written as SMTP writes it", async () => {
  let from: string | null = null;
  const fetch = async ({ headers }: Request) => {
    from = headers.get("x-envelope-from");
    return Response.json({});
  };
  await bringMail([{ name: "main", fetch }], SECRET, { ...mail, from: "" });
  expect(from).toBe("<>");
});

test("one that a cell did not take is to come again", async () => {
  const cell = (status: number) => ({
    name: "main",
    fetch: async () => new Response("{}", { status }),
  });
  await expect(bringMail([cell(200), cell(503)], SECRET, mail)).rejects.toThrow("503");
});
