import * as fs from "node:fs";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, expect, test } from "vitest";
import { readConfig, VARIABLES } from "#src/config.ts";
import { deployArguments, directUrl, secretsOf } from "../../../scripts/deploy/commands.ts";
import { writeFirstSettings } from "../../../scripts/deploy/first-settings.ts";
import { isSecret } from "../../../scripts/deploy/secrets.ts";
import { readSettings, readWrangler } from "../../../scripts/deploy/settings.ts";
import { untilReady } from "../../../scripts/deploy/steps.ts";
import { createRedaction } from "../../../scripts/doctor/redact.ts";
import { rootFolder } from "../../../scripts/command.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-deploy-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const configuration = fs.readFileSync(path.join(rootFolder, "docs/configuration.md"), "utf8");
/** `| names | needed | default | what |`, of which a row may name several. */
const rows = configuration
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split(" | "))
  .map(([names = "", needed = ""]) => ({
    names: [...names.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name!),
    needed,
  }));

test("the page of the configuration names every variable, and no other", () => {
  expect(rows.flatMap(({ names }) => names).toSorted()).toEqual(VARIABLES.toSorted());
});

test("what the page marks as a secret is handled as one", () => {
  const marked = rows.filter(({ needed }) => /secret/.test(needed)).flatMap(({ names }) => names);
  const notItself = new Set(["SYSTEM_MAIL_FROM", "WHATSAPP_PHONE_NUMBER_ID", "PROBER_URL"]);
  const also = ["GOOGLE_SERVICE_ACCOUNT_EMAIL", "REACHER_URL", "UNIPILE_API_URL"];
  // Of a row about an app of OAuth only the app's secret is one.
  const isOfApp = (name: string) => /^MAIL_OAUTH_.*(?<!_CLIENT_SECRET)$/.test(name);
  const wanted = marked.filter(
    (name) => !notItself.has(name) && !also.includes(name) && !isOfApp(name),
  );
  expect(wanted.filter((name) => !isSecret(name))).toEqual([]);
  expect(
    VARIABLES.filter(isSecret).filter((name) =>
      /_URL$|_SECRET(S_RETIRED)?$|_TOKEN$|_KEY/.test(name),
    ),
  ).toEqual(VARIABLES.filter(isSecret));
});

test("no secret is an argument of a command, and nothing gets lost between the two", () => {
  const env = Object.fromEntries(VARIABLES.map((name) => [name, `the value of ${name}`]));
  const words = deployArguments(env, "secrets.json", {}).join(" ");
  for (const name of VARIABLES)
    expect([name, words.includes(env[name]!)]).toEqual([name, !isSecret(name)]);
  expect(Object.keys(secretsOf(env))).toEqual(VARIABLES.filter(isSecret));
});

test("what is emptied in the file is none for the Worker too, whatever wrangler.toml says", () => {
  const vars = {
    PUBLIC_BASE_URL: "https://overture.example.com",
    JWT_JWKS_URL: "https://a.zz/jwks",
  };
  const words = deployArguments({ PUBLIC_BASE_URL: "https://mine.zz" }, "secrets.json", vars);
  expect(words.filter((word) => VARIABLES.includes(word.split(":")[0]!))).toEqual([
    "PUBLIC_BASE_URL:https://mine.zz",
    "JWT_JWKS_URL:",
  ]);
});

test("a name that was mistyped is a secret too", () => {
  expect(isSecret("QSTASH_TOKN")).toBe(true);
  expect(isSecret("PUBLIC_BASE_URL")).toBe(false);
});

test("migrations go over Neon's direct connection, and others as they are", () => {
  const at = (host: string) => `postgresql://me:pass-pooler.word@${host}/neondb?sslmode=require`;
  expect(directUrl(at("ep-cool-1-pooler.eu-central-1.aws.neon.tech"))).toBe(
    at("ep-cool-1.eu-central-1.aws.neon.tech"),
  );
  expect(directUrl(at("ep-cool-1.eu-central-1.aws.neon.tech"))).toBe(
    at("ep-cool-1.eu-central-1.aws.neon.tech"),
  );
  expect(directUrl(at("db-pooler.example.com"))).toBe(at("db-pooler.example.com"));
});

test("the file is begun with what is ours to make, says where the rest is, and is never written over", () => {
  const file = path.join(folder, ".env.deploy");
  writeFirstSettings(file);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  const { env } = readSettings(file);
  const faults = (() => {
    try {
      readConfig(env);
      return [];
    } catch (error) {
      return (error as { faults: string[] }).faults;
    }
  })();
  expect(faults).toEqual([
    ...[
      "PUBLIC_BASE_URL",
      "DATABASE_URL",
      "UPSTASH_REDIS_REST_URL",
      "UPSTASH_REDIS_REST_TOKEN",
      "QSTASH_TOKEN",
      "QSTASH_CURRENT_SIGNING_KEY",
      "QSTASH_NEXT_SIGNING_KEY",
      "JWT_ISSUER",
    ].map((name) => `${name}: is missing`),
    "JWT_SECRET: set exactly one of JWT_SECRET and JWT_JWKS_URL",
  ]);
  expect(() => writeFirstSettings(file)).toThrow("EEXIST");
});

test("the file goes before wrangler.toml, and an empty value is none", () => {
  const file = path.join(folder, "other.env");
  fs.writeFileSync(file, 'PUBLIC_BASE_URL="https://mine.zz"\nJWT_ISSUER=\nMODEL_NAME=one # two\n');
  expect(readWrangler().vars).toMatchObject({ PUBLIC_BASE_URL: "https://overture.example.com" });
  expect(readSettings(file)).toEqual({
    env: { PUBLIC_BASE_URL: "https://mine.zz", MODEL_NAME: "one" },
    hasFile: true,
  });
  expect(readWrangler().crons).toEqual(["*/5 * * * *"]);
});

test("whoever quotes a secret, whole or its password or percent-encoded, is not repeated", () => {
  const redact = createRedaction({
    DATABASE_URL: "postgresql://me:p%40ssword@host.zz/db",
    QSTASH_TOKEN: "token=with=signs",
    PUBLIC_BASE_URL: "https://mine.zz",
  });
  expect(
    redact(
      "postgresql://me:p%40ssword@host.zz/db p%40ssword p@ssword token=with=signs token%3Dwith%3Dsigns https://mine.zz",
    ),
  ).toBe("[secret] [secret] [secret] [secret] [secret] https://mine.zz");
});

test("a deployment waits until it is ready, and says what it heard when it never is", async () => {
  let asked = 0;
  const server = http.createServer((_request, response) => {
    asked++;
    response.writeHead(asked < 3 ? 503 : 200);
    response.end(asked < 3 ? "not yet" : "ready");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await untilReady(base, 1)).toBe("ready");
  expect(asked).toBe(3);
  asked = -1_000;
  await expect(untilReady(base, 1)).rejects.toThrow("is not ready (503: not yet)");
  await new Promise((resolve) => server.close(resolve));
});
