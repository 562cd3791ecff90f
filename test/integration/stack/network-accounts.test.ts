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
});

describe("a checkpoint", () => {
  test("in the app is passed at once when somebody says so", async () => {
    const { body } = await connect("inapp@a.zz");
    const approve = () => setting.page("POST", `accounts/${body.account_id}/approve`);
    expect(await approve()).toMatchObject({ status: 200, body: { status: "OK" } });
    expect(await approve()).toMatchObject({ status: 409 });
    expect((await setting.page("POST", "accounts/none/approve")).status).toBe(404);
  });

  test("ends after five minutes, and with it an account that never was connected", async () => {
    const { body } = await connect("otp@a.zz");
    await setting.advance(5 * MINUTE);
    expect(refusal(await solve(body.account_id, "123456"))).toBe("404 resource_not_found");
    expect(refusal(await read(body.account_id))).toBe("404 resource_not_found");
  });
});

describe("a reconnection", () => {
  const reconnect = (id: string, username: string) =>
    setting.call("POST", `accounts/${id}`, credentials(username));

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
  expect(fs.statSync(stateFile).mode & 0o777).toBe(0o600);
  expect(everything).toContain(body.account_id);
  expect(everything).not.toMatch(/s3cret|secret-name|123456/);
});
