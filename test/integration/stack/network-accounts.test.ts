import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { describe, expect, test } from "vitest";
import { credentials, MINUTE, networkSetting, PASSWORD, refusal } from "./network-setting.ts";

const setting = networkSetting();
const connect = (username: string, more = {}) =>
  setting.call("POST", "accounts", credentials(username, more));
const solve = (id: string, code: string) =>
  setting.call("POST", "accounts/checkpoint", { provider: "LINKEDIN", account_id: id, code });
const read = (id: string) => setting.call("GET", `accounts/${id}`);
const checkpoint = (type: object) => ({
  status: 202,
  body: { object: "Checkpoint", account_id: expect.any(String), checkpoint: type },
});
const created = { status: 201, body: { object: "AccountCreated" } };

describe("a username", () => {
  test.each(["ok@a.zz", "ok+anna@a.zz", "somebody@a.zz", "+33 6 12 34 56 78", "slow@a.zz"])(
    "%s connects",
    async (username) => {
      const connected = await connect(username);
      expect(connected).toMatchObject(created);
      expect((await read(connected.body.account_id)).body).toMatchObject({
        object: "Account",
        type: "LINKEDIN",
        sources: [{ status: "OK" }],
        connection_params: { im: { premiumFeatures: [] } },
      });
    },
  );

  test("premium@ is an account that pays", async () => {
    const { body } = await connect("premium@a.zz");
    expect((await read(body.account_id)).body).toMatchObject({
      connection_params: { im: { premiumFeatures: ["premium"] } },
    });
    expect(
      (await setting.call("GET", `users/me?account_id=${body.account_id}`)).body,
    ).toMatchObject({ object: "AccountOwnerProfile", premium: true });
  });

  test.each([
    ["badpass@a.zz", "401 invalid_credentials"],
    ["restricted@a.zz", "403 account_restricted"],
  ])("%s is refused: %s", async (username, error) => {
    expect(refusal(await connect(username))).toBe(error);
    expect((await setting.call("GET", "accounts")).body.items).toEqual([]);
  });

  test("with the password `wrong` nobody connects", async () => {
    expect(refusal(await connect("ok@a.zz", { password: "wrong" }))).toBe(
      "401 invalid_credentials",
    );
  });

  test("the same again is the same member, under another account id", async () => {
    const [one, two, other] = [
      await connect("ok@a.zz"),
      await connect(" OK@A.zz".trim()),
      await connect("ok@b.zz"),
    ].map(({ body }) => body.account_id);
    const memberOf = async (id = "") =>
      (await setting.call("GET", `users/me?account_id=${id}`)).body.provider_id;
    expect(one).not.toBe(two);
    expect(await memberOf(one)).toBe(await memberOf(two));
    expect(await memberOf(one)).not.toBe(await memberOf(other));
  });
});

describe("a checkpoint", () => {
  test.each([
    ["otp@a.zz", { type: "OTP" }, "123456"],
    ["2fa@a.zz", { type: "2FA", source: "APP" }, "123456"],
    ["captcha@a.zz", { type: "CAPTCHA", public_key: expect.any(String) }, "solved"],
  ])("of %s is passed by its solution", async (username, type, solution) => {
    const asked = await connect(username);
    expect(asked).toMatchObject(checkpoint(type));
    const { account_id: id } = asked.body;
    expect((await read(id)).body).toMatchObject({ sources: [{ status: "CONNECTING" }] });
    expect(refusal(await solve(id, "000000"))).toBe("401 invalid_checkpoint_solution");
    expect(await solve(id, solution)).toMatchObject({ ...created, body: { account_id: id } });
    expect(refusal(await solve(id, solution))).toBe("401 checkpoint_error");
  });

  test("may be followed by another one", async () => {
    const { body } = await connect("twice@a.zz");
    expect(await solve(body.account_id, "123456")).toMatchObject(checkpoint({ type: "2FA" }));
    expect(await solve(body.account_id, "123456")).toMatchObject(created);
    const phone = await connect("phone@a.zz");
    expect(phone).toMatchObject(checkpoint({ type: "PHONE_REGISTER" }));
    const { account_id: id } = phone.body;
    expect(refusal(await solve(id, "0612345678"))).toBe("401 invalid_checkpoint_solution");
    expect(await solve(id, "(+33)0612345678")).toMatchObject(checkpoint({ type: "OTP" }));
    expect(await solve(id, "123456")).toMatchObject(created);
  });

  test("in the app is passed when the account was looked at often enough", async () => {
    const { body } = await connect("inapp@a.zz");
    const statuses = [];
    for (let look = 0; look < 3; look++) statuses.push((await read(body.account_id)).body);
    expect(statuses).toMatchObject([
      { sources: [{ status: "CONNECTING" }] },
      { sources: [{ status: "CONNECTING" }] },
      { sources: [{ status: "OK" }] },
    ]);
  });

  test("in the app is passed at once when somebody says so", async () => {
    const { body } = await connect("inapp@a.zz");
    const approve = () => setting.page("POST", `accounts/${body.account_id}/approve`);
    expect(await approve()).toMatchObject({ status: 200, body: { status: "OK" } });
    expect(await approve()).toMatchObject({ status: 409 });
    expect((await setting.page("POST", "accounts/none/approve")).status).toBe(404);
  });

  test("can be passed another way, and sent again", async () => {
    const { body } = await connect("2fa@a.zz");
    const otherWay = () => solve(body.account_id, "TRY_ANOTHER_WAY");
    expect(await otherWay()).toMatchObject(checkpoint({ type: "2FA", source: "SMS" }));
    expect(await otherWay()).toMatchObject(checkpoint({ type: "2FA", source: "APP" }));
    await setting.advance(4 * MINUTE);
    const again = { provider: "LINKEDIN", account_id: body.account_id };
    const resent = await setting.call("POST", "accounts/checkpoint/resend", again);
    expect(resent.status).toBe(201);
    await setting.advance(4 * MINUTE);
    expect(await solve(body.account_id, "123456")).toMatchObject(created);
  });

  test("ends after five minutes, and with it an account that never was connected", async () => {
    const { body } = await connect("otp@a.zz");
    await setting.advance(5 * MINUTE);
    expect(refusal(await solve(body.account_id, "123456"))).toBe("404 resource_not_found");
    expect(refusal(await read(body.account_id))).toBe("404 resource_not_found");
  });

  test("ends after five wrong codes, the right one being too late then", async () => {
    const { body } = await connect("otp@a.zz");
    for (let wrong = 0; wrong < 5; wrong++)
      expect(refusal(await solve(body.account_id, "999999"))).toBe(
        "401 invalid_checkpoint_solution",
      );
    expect(refusal(await solve(body.account_id, "123456"))).toBe("404 resource_not_found");
  });
});

describe("a reconnection", () => {
  const reconnect = (id: string, username: string) =>
    setting.call("POST", `accounts/${id}`, credentials(username));

  test("opens the same account again", async () => {
    const id = await setting.connect("ok@a.zz");
    setting.part.control.setStatus(id, "CREDENTIALS");
    expect(refusal(await setting.call("GET", `users/me?account_id=${id}`))).toBe(
      "401 disconnected_account",
    );
    expect(await reconnect(id, "ok@a.zz")).toMatchObject({
      status: 201,
      body: { object: "AccountReconnected", account_id: id },
    });
    expect((await setting.call("GET", `users/me?account_id=${id}`)).status).toBe(200);
  });

  test("by somebody else, or of nobody, is refused", async () => {
    const id = await setting.connect("ok@a.zz");
    expect(refusal(await reconnect(id, "ok@b.zz"))).toBe("401 wrong_account");
    expect(refusal(await reconnect(id, "badpass@a.zz"))).toBe("401 invalid_credentials");
    expect(refusal(await reconnect("none", "ok@a.zz"))).toBe("404 resource_not_found");
  });

  test("whose checkpoint is left alone leaves the account disconnected", async () => {
    const { body } = await connect("otp@a.zz");
    await solve(body.account_id, "123456");
    expect(await reconnect(body.account_id, "otp@a.zz")).toMatchObject(checkpoint({ type: "OTP" }));
    await setting.advance(5 * MINUTE);
    expect((await read(body.account_id)).body).toMatchObject({
      sources: [{ status: "CREDENTIALS" }],
    });
  });
});

test.each([
  ["CREDENTIALS", "401 disconnected_account"],
  ["PERMISSIONS", "401 disconnected_account"],
  ["STOPPED", "401 multiple_sessions"],
  ["ERROR", "503 no_client_session"],
  ["CONNECTING", "503 no_client_session"],
] as const)("an account that is %s answers %s", async (status, error) => {
  const id = await setting.connect();
  await setting.page("POST", `accounts/${id}/status`, { status });
  expect((await read(id)).body).toMatchObject({ sources: [{ status }] });
  expect(refusal(await setting.call("GET", `users/mara-lind?account_id=${id}`))).toBe(error);
});

test("an account that the network restricts answers 403 to whatever it is to do", async () => {
  const id = await setting.connect();
  await setting.page("POST", `accounts/${id}/restrict`, { restricted: true });
  expect(refusal(await setting.call("GET", `users/mara-lind?account_id=${id}`))).toBe(
    "403 account_restricted",
  );
  await setting.page("POST", `accounts/${id}/restrict`, { restricted: false });
  expect((await setting.call("GET", `users/mara-lind?account_id=${id}`)).status).toBe(200);
});

test("a deleted account is gone, and the deletion of one that is gone is 404", async () => {
  const id = await setting.connect();
  expect((await setting.call("DELETE", `accounts/${id}`)).body).toEqual({
    object: "AccountDeleted",
  });
  expect(refusal(await setting.call("DELETE", `accounts/${id}`))).toBe("404 resource_not_found");
});

test("accounts are listed page by page, the newest first", async () => {
  const ids = [];
  for (const name of ["a", "b", "c"]) ids.unshift(await setting.connect(`ok@${name}.zz`));
  const first = (await setting.call("GET", "accounts?limit=2")).body;
  await setting.connect("ok@d.zz");
  const second = (await setting.call("GET", `accounts?cursor=${first.cursor}`)).body;
  expect([first, second].map(({ items }) => items.map(({ id }) => id))).toEqual([
    ids.slice(0, 2),
    ids.slice(2),
  ]);
  expect(second.cursor).toBeNull();
});

describe("a request to connect", () => {
  test.each([
    ["without a password", { password: undefined }, "400 invalid_parameters"],
    ["with a username that is none", { username: "anna" }, "400 invalid_parameters"],
    ["with a country of three letters", { country: "DEU" }, "400 invalid_parameters"],
    [
      "with a proxy and a country",
      { country: "DE", proxy: { host: "p.zz", port: 1 } },
      "400 invalid_parameters",
    ],
    ["to another network", { provider: "TWITTER" }, "501 missing_feature"],
  ])("%s is refused", async (_, change, error) => {
    const refused = await connect("ok@a.zz", change);
    expect(refusal(refused)).toBe(error);
    expect(JSON.stringify(refused.body)).not.toContain(PASSWORD);
  });
});

test("neither password nor code nor username is in the state, the log or the page", async () => {
  const stateFile = path.join(
    fs.mkdtempSync(path.join(os.tmpdir(), "overture-network-")),
    "n.jsonl",
  );
  setting.part = await setting.open({ stateFile });
  const { body } = await connect("twice@secret-name.zz", { password: "s3cret-pass" });
  await solve(body.account_id, "s3cret-code");
  await solve(body.account_id, "123456");
  await connect("badpass@secret-name.zz", { password: "s3cret-pass" });
  const seen = await Promise.all(
    ["accounts", "invitations", "chats", "posts", "acts", "webhooks"].map((list) =>
      setting.page("GET", list),
    ),
  );
  const everything = [
    fs.readFileSync(stateFile, "utf8"),
    JSON.stringify(setting.part.log.entries()),
    JSON.stringify(seen.map((each) => each.body)),
  ].join("\n");
  expect(everything).toContain(body.account_id);
  expect(everything).not.toMatch(/s3cret|secret-name|123456/);
});
