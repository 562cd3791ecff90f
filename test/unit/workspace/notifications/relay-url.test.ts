import { expect, test } from "vitest";
import { readConfig } from "#src/config.ts";
import { readRelayUrl, sender } from "#src/config/relay-url.ts";
import { ENVIRONMENT } from "../../../support/environment.ts";

test.each([
  ["smtp://u:p@relay.example", { host: "relay.example", port: 587, security: "starttls" }],
  ["smtps://u:p@relay.example", { host: "relay.example", port: 465, security: "tls" }],
  ["smtps://u:p@relay.example:2465/", { host: "relay.example", port: 2465, security: "tls" }],
  ["smtp://u:p@127.0.0.1:25?security=none", { host: "127.0.0.1", port: 25, security: "none" }],
])("%s is a relay", (url, relay) => {
  expect(readRelayUrl(url)).toEqual({ ...relay, username: "u", password: "p" });
});

test("a login is optional, and may have any character", () => {
  expect(readRelayUrl("smtp://relay.example")).not.toHaveProperty("username");
  expect(readRelayUrl("smtp://me%40x.example:p%3A%2F%40%C3%A4@relay.example")).toMatchObject({
    username: "me@x.example",
    password: "p:/@ä",
  });
});

test.each([
  "",
  "relay.example",
  "http://relay.example",
  "smtp://",
  "smtp://u:p@relay.example/inbox",
  "smtp://u:p@relay.example#x",
  "smtp://u:%E4@relay.example",
  "smtp://u:p@relay.example?security=none",
  "smtp://u:p@relay.example?security=tls",
])("%s is none", (url) => {
  expect(typeof readRelayUrl(url)).toBe("string");
});

test("a sender is an address, or a name with one", () => {
  expect(sender.parse("a@x.example")).toEqual({ email: "a@x.example" });
  expect(sender.parse(" Overture, Ltd. <a@x.example>")).toEqual({
    name: "Overture, Ltd.",
    email: "a@x.example",
  });
});

test.each(["", "Overture", "<>", "a@x", "A <a@x.example> b", "A\r\nBcc: b <a@x.example>"])(
  "%j is no sender",
  (wrong) => {
    expect(sender.safeParse(wrong).success).toBe(false);
  },
);

test("a relay at port 25, which Workers may not open, is a fault that says which ports they may", () => {
  const at = (port: number, more = {}) =>
    readConfig({
      ...ENVIRONMENT,
      SYSTEM_MAIL_FROM: "overture@mine.zz",
      SYSTEM_MAIL_URL: `smtp://me:secret@mail.mine.zz:${port}`,
      ...more,
    }).systemMail?.relay.port;
  expect(() => at(25)).toThrow(/SYSTEM_MAIL_URL: .*port 25.*587/);
  expect(at(25, { ALLOW_LOOPBACK: "true" })).toBe(25);
  expect(at(2587)).toBe(2587);
});
