import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startNetwork } from "../../../scripts/stack/network/network.ts";
import { type Reply, startApi } from "../../support/api.ts";
import { ACCOUNTS, API_KEY } from "./accounts-setting.ts";

const PASSWORD = "marked-password-4f9d1c";
const CODE = "marked-code-77b2e0";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-secrets-"));
const stateFile = path.join(folder, "network.jsonl");
let network: Awaited<ReturnType<typeof startNetwork>>;
let api: Awaited<ReturnType<typeof startApi>>;
const lines: string[] = [];
beforeAll(async () => {
  network = await startNetwork({ apiKey: API_KEY, stateFile });
  api = await startApi({ UNIPILE_API_URL: network.url, UNIPILE_API_KEY: API_KEY });
  api.onLog((line) => lines.push(line));
});
afterAll(async () => {
  await api.close();
  await network.close();
  fs.rmSync(folder, { recursive: true });
});

/** Every row of every table, as text. */
async function everyRow(): Promise<string> {
  const { rows: tables } = await api.sql.query(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  const dumps = [];
  for (const { name } of tables) {
    const { rows } = await api.sql.query(`select to_jsonb(t)::text as row from "${name}" t`);
    dumps.push(name, ...rows.map(({ row }) => row));
  }
  return dumps.join("\n");
}

test("passwords, codes and tokens are in no table, log line, queue message, cache key, answer or journal", async () => {
  const replies: Reply[] = [];
  const tokens: string[] = [];
  for (const fault of [
    null,
    "unavailable",
    "provider_error",
    "timeout",
    "lying",
    "nonsense",
    "lost_answer",
    "key_refused",
  ]) {
    const tenant = await api.tenant();
    const post = async (at: string, body: object) => {
      const reply = await tenant.call("POST", `${ACCOUNTS}/${at}`, body);
      replies.push(reply);
      return reply;
    };
    const user = (kind: string) => `${kind}@${tenant.workspaceId}.zz`;
    const broken = () => fault !== null && network.faults.order(fault, 1);
    broken();
    await post("connect", { username: user("ok"), password: PASSWORD });
    network.faults.clear();
    await post("connect", { username: user("badpass"), password: PASSWORD });
    await post("connect", { username: "not a name", password: PASSWORD, country: "nowhere" });
    const { body } = await post("connect", { username: user("otp"), password: PASSWORD });
    tokens.push(body.checkpoint_token);
    broken();
    await post("checkpoint", { checkpoint_token: body.checkpoint_token, code: CODE });
    network.faults.clear();
    await post("checkpoint", { checkpoint_token: body.checkpoint_token, code: "123456" });
    const again = `${body.account.id}/reconnect`;
    await post(again, { username: user("otp"), password: PASSWORD });
    await tenant.call("POST", `${ACCOUNTS}/connect`, `{"password": "${PASSWORD}", "username`);
    await tenant.call("POST", `${ACCOUNTS}/checkpoint`, `["${CODE}", "${PASSWORD}"]`);
  }
  await api.settled();
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 400, 409, 422, 502]));

  const places = {
    tables: await everyRow(),
    log: lines.join("\n"),
    queue: JSON.stringify(api.qstash.log.entries()),
    cache: JSON.stringify(api.redis.log.entries()),
    calls: JSON.stringify(network.log.entries()),
    journal: fs.readFileSync(stateFile, "utf8"),
    answers: replies.map(({ text }) => text).join("\n"),
  };
  expect(places.log.length).toBeGreaterThan(100);
  expect(places.journal).toContain("OTP");
  for (const [place, text] of Object.entries(places)) {
    expect([place, text.includes(PASSWORD)]).toEqual([place, false]);
    expect([place, text.includes(CODE)]).toEqual([place, false]);
    if (place === "answers") continue;
    for (const token of tokens) expect([place, text.includes(token)]).toEqual([place, false]);
  }
});
