import { type ChildProcess, spawn } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { API_KEY, ask, credentials, DAY, form, HOUR, networkSetting } from "./network-setting.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

const setting = networkSetting();
let receiver: Receiver;
let folder: string;
let child: ChildProcess | undefined;
beforeEach(async () => {
  receiver = await startReceiver();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-network-"));
});
afterEach(async () => {
  child?.kill("SIGKILL");
  await receiver.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const stateFile = () => path.join(folder, "network.jsonl");

/** A network in a process of its own. */
async function launch(): Promise<string> {
  const script = path.join(import.meta.dirname, "network-process.ts");
  child = spawn(process.execPath, [script, API_KEY, stateFile()], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout! })) return line;
  throw new Error("the process ended");
}

async function kill(): Promise<void> {
  const ended = new Promise((resolve) => child?.once("exit", resolve));
  child?.kill("SIGKILL");
  await ended;
}

const calls = (url: string) => (method: string, at: string, body?: unknown) =>
  ask(`${url}/api/v1/${at}`, method, body, { "x-api-key": API_KEY });

/** All that the page's API says of a network, without where its images are. */
const everything = (url: string) =>
  Promise.all(
    ["accounts", "invitations", "chats", "acts", "webhooks"].map(
      async (list) => (await ask(`${url}/api/${list}`, "GET", undefined, {})).body,
    ),
  );

describe("a network that was killed", () => {
  test("knows after its next start what it knew, and its people go on", async () => {
    const url = await launch();
    const call = calls(url);
    const { account_id: account } = (await call("POST", "accounts", credentials("ok@a.zz"))).body;
    const { account_id: waiting } = (await call("POST", "accounts", credentials("otp@a.zz"))).body;
    await call("POST", "webhooks", { source: "users", request_url: receiver.url });
    const person = async (slug: string) =>
      (await call("GET", `users/${slug}?account_id=${account}`)).body.provider_id;
    for (const slug of ["accepts-mara-lind", "declines-tom-berg"]) {
      const invitation = { account_id: account, provider_id: await person(slug), message: "Hi" };
      await call("POST", "users/invite", invitation);
    }
    const friend = await person("friend-answers-eva-roth");
    const chat = { account_id: account, attendees_ids: [friend], text: "Hello Eva" };
    await call("POST", "chats", form(chat));
    const before = await everything(url);
    await kill();
    // What a process was writing when it was killed is half a line.
    fs.appendFileSync(stateFile(), '{"table":"accounts","id":"half');

    setting.part = await setting.open({ stateFile: stateFile() });
    expect(await everything(setting.part.url)).toEqual(before);
    const solved = { provider: "LINKEDIN", account_id: waiting, code: "123456" };
    expect((await setting.call("POST", "accounts/checkpoint", solved)).status).toBe(201);
    await setting.advance(DAY);
    expect(receiver.received.map(({ body }) => JSON.parse(body).user_public_identifier)).toEqual([
      "accepts-mara-lind",
    ]);
    expect(setting.part.chats()[0]?.messages.map(({ direction }) => direction)).toEqual([
      "out",
      "in",
    ]);
  });

  test("has done what it answered, and not a second time what it owed", async () => {
    const call = calls(await launch());
    const { account_id: account } = (await call("POST", "accounts", credentials("ok@a.zz"))).body;
    await call("POST", "webhooks", { source: "messaging", request_url: receiver.url });
    const { provider_id: friend } = (
      await call("GET", `users/friend-silent-tom-berg?account_id=${account}`)
    ).body;
    const say = (text: string) =>
      call("POST", "chats", form({ account_id: account, attendees_ids: [friend], text }));
    const said: string[] = [];
    const talking = (async () => {
      for (let at = 0; ; at++) if ((await say(`m${at}`)).status === 201) said.push(`m${at}`);
    })().catch(() => {});
    while (said.length < 20) await new Promise((resolve) => setImmediate(resolve));
    await kill();
    await talking;

    setting.part = await setting.open({ stateFile: stateFile() });
    await setting.advance(HOUR);
    const kept = setting.part.chats()[0]?.messages.map(({ text }) => text) ?? [];
    // At most the one that was under way is there beside those that were answered.
    expect(kept.slice(0, said.length)).toEqual(said);
    expect(kept.length - said.length).toBeLessThanOrEqual(1);
    expect(setting.part.acts("message")).toHaveLength(kept.length);
    const told = receiver.received.map(({ body }) => JSON.parse(body).message);
    expect(new Set(told)).toEqual(new Set(kept));
  });
});
