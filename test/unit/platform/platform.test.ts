import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "#src/config.ts";
import { camelKeys, snakeKeys } from "#src/http/case.ts";
import { createPathTable, twinOf } from "#src/http/paths.ts";
import { fromBase64, toBase64, toBase64Url } from "#src/platform/encoding.ts";
import { createIds } from "#src/platform/ids.ts";
import { describeError } from "#src/platform/log.ts";
import { systemClock, systemRandomBytes } from "#src/platform/system.ts";
import { createDepsFactory } from "#src/wiring.ts";
import { createVault } from "#src/platform/vault.ts";
import { ENVIRONMENT } from "../../support/environment.ts";

const neverDialled = () => Promise.reject(new Error("nobody dials here"));

describe("the configuration", () => {
  test("without an audience says at each start that other applications' tokens log in too", () => {
    const linesOf = (more: Record<string, string>) => {
      const lines: string[] = [];
      const platform = {
        fetch,
        dial: neverDialled,
        clock: systemClock,
        randomBytes: systemRandomBytes,
      };
      createDepsFactory(readConfig({ ...ENVIRONMENT, ...more }), {
        ...platform,
        writeLog: (line) => void lines.push(line),
      });
      return lines;
    };
    expect(linesOf({})).toEqual([expect.stringContaining("JWT_AUDIENCE is not set")]);
    expect(linesOf({ JWT_AUDIENCE: "overture" })).toEqual([]);
  });
  test("names every missing and wrong variable at once", () => {
    const { DATABASE_URL: _database, ...rest } = ENVIRONMENT;
    const wrong = {
      ...rest,
      MASTER_KEY: "c2hvcnQ=",
      TICK_BATCH: "0",
      PUBLIC_BASE_URL: "not a url",
    };
    const faults = (() => {
      try {
        readConfig(wrong);
        return [];
      } catch (error) {
        return (error as ConfigError).faults.map((fault) => fault.split(":")[0]);
      }
    })();
    expect(faults.toSorted()).toEqual([
      "DATABASE_URL",
      "MASTER_KEY",
      "PUBLIC_BASE_URL",
      "TICK_BATCH",
    ]);
  });
  test.each(["0", "501", "2.5", "many", "-5"])(
    "refuses to read %s inboxes at once, and says what is possible",
    (given) => {
      expect(() => readConfig({ ...ENVIRONMENT, INBOX_CONNECTIONS: given })).toThrow(
        /INBOX_CONNECTIONS: .*(>=1|<=500|expected int|expected number)/,
      );
    },
  );
  test("reads five inboxes at once, unless it is told another number", () => {
    const read = (more: object) => readConfig({ ...ENVIRONMENT, ...more }).inboxes.connections;
    expect(read({})).toBe(5);
    expect(read({ INBOX_CONNECTIONS: "25" })).toBe(25);
    expect(read({ INBOX_CONNECTIONS: "500" })).toBe(500);
  });
  test.each(["", " "])("takes a variable that says %j for one that is not there", (value) => {
    const blank = {
      RAW_MAIL_DAYS: value,
      PROBE_RECIPIENTS_PER_MINUTE: value,
      JWT_AUDIENCE: value,
      JWT_JWKS_URL: value,
      ALLOW_LOOPBACK: value,
    };
    const config = readConfig({ ...ENVIRONMENT, ...blank });
    expect(config).toEqual(readConfig(ENVIRONMENT));
    expect(config).toMatchObject({
      rawMailDays: 90,
      verifier: { pacing: { recipientsPerMinute: 120 } },
    });
    expect(() => readConfig({ ...ENVIRONMENT, DATABASE_URL: value })).toThrow(
      /DATABASE_URL: is missing/,
    );
  });
  test("refuses text that is no number, by its variable's name", () => {
    expect(() => readConfig({ ...ENVIRONMENT, RAW_MAIL_DAYS: "9x" })).toThrow(/RAW_MAIL_DAYS: /);
  });
  test("reads earlier secrets behind the one that signs, and none that could be guessed", () => {
    const secrets = (retired: string) =>
      readConfig({ ...ENVIRONMENT, TRACKING_SECRETS_RETIRED: retired }).trackingSecrets;
    expect(secrets("")).toEqual([ENVIRONMENT.TRACKING_SECRET]);
    expect(secrets("the one before this, the one before that")).toEqual([
      ENVIRONMENT.TRACKING_SECRET,
      "the one before this",
      "the one before that",
    ]);
    expect(() => secrets("the one before this,short")).toThrow(/TRACKING_SECRETS_RETIRED/);
  });
  test("takes a shared secret or public keys for logins, never both and never neither", () => {
    expect(() =>
      readConfig({ ...ENVIRONMENT, JWT_JWKS_URL: "https://login.example.com/keys" }),
    ).toThrow(/exactly one/);
    const { JWT_SECRET: _secret, ...none } = ENVIRONMENT;
    expect(() => readConfig(none)).toThrow(/exactly one/);
  });
  test("knows which ways to port 25 cannot work", () => {
    const direct = { ...ENVIRONMENT, VERIFIER_EGRESS: "direct" };
    expect(() => readConfig(direct)).toThrow(/VERIFIER_EGRESS: .*Workers may not open port 25/);
    expect(readConfig({ ...direct, ALLOW_LOOPBACK: "true" }).verifier.egress).toEqual({
      kind: "direct",
      port: 25,
    });
    expect(() => readConfig({ ...ENVIRONMENT, VERIFIER_EGRESS: "prober" })).toThrow(
      /PROBER_URL: is missing[\s\S]*PROBER_SECRET: is missing/,
    );
    expect(() => readConfig({ ...ENVIRONMENT, VERIFIER_EGRESS: "reacher" })).toThrow(/REACHER_URL/);
    expect(readConfig(ENVIRONMENT).verifier).toMatchObject({
      egress: null,
      sender: "probe@api.example.com",
    });
  });
  test.each([
    ["https://api.example.com", {}, "api.example.com"],
    ["http://192.0.2.7:8080", {}, "[192.0.2.7]"],
    ["http://[2001:db8::1]", {}, "[IPv6:2001:db8::1]"],
    ["https://api.example.com", { SMTP_EHLO_NAME: "192.0.2.9" }, "[192.0.2.9]"],
  ])("introduces itself to mail servers as %s with %j by %s", (url, more, name) => {
    const config = readConfig({ ...ENVIRONMENT, PUBLIC_BASE_URL: url, ...more });
    expect(config.smtp.ehloName).toBe(name);
  });
  test("drops the slash at the end of addresses and fills in defaults", () => {
    expect(readConfig(ENVIRONMENT)).toMatchObject({
      publicBaseUrl: "https://api.example.com",
      trackingBaseUrl: "https://api.example.com",
      tick: { batch: 50, periodSeconds: 60 },
      dns: {
        resolverUrls: ["https://cloudflare-dns.com/dns-query", "https://dns.google/resolve"],
      },
      spfInclude: null,
    });
    const own = { ...ENVIRONMENT, DNS_RESOLVER_URLS: "https://a.example/q, https://b.example/q" };
    expect(readConfig(own).dns.resolverUrls).toEqual([
      "https://a.example/q",
      "https://b.example/q",
    ]);
    expect(() => readConfig({ ...ENVIRONMENT, DNS_RESOLVER_URLS: "https://a.example,b" })).toThrow(
      /DNS_RESOLVER_URLS/,
    );
  });
});

test("ids are UUIDs of version 7 and sort by creation, also within a millisecond and when the clock stands still", () => {
  let now = 1_800_000_000_000;
  const ids = createIds(
    { now: () => new Date(now), sleepUntil: async () => {} },
    systemRandomBytes,
  );
  const made = Array.from({ length: 10_000 }, (_, index) => {
    if (index % 3_000 === 0) now += 1;
    return ids.uuid();
  });
  expect(made).toEqual(made.toSorted());
  expect(new Set(made).size).toBe(made.length);
  for (const id of made)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

describe("the vault", () => {
  const vault = createVault(systemRandomBytes(32), systemRandomBytes);
  test("opens what it sealed, and seals the same text differently each time", async () => {
    const [one, two] = [
      await vault.seal("pässword", "row:1"),
      await vault.seal("pässword", "row:1"),
    ];
    expect(one).not.toBe(two);
    expect(await vault.open(one, "row:1")).toBe("pässword");
  });
  test("refuses another row's value, a changed value and another key", async () => {
    const sealed = await vault.seal("secret", "row:1");
    await expect(vault.open(sealed, "row:2")).rejects.toThrow(/operation|decrypt/i);
    await expect(vault.open(`${sealed.slice(0, -2)}AA`, "row:1")).rejects.toThrow(
      /operation|decrypt/i,
    );
    await expect(
      createVault(systemRandomBytes(32), systemRandomBytes).open(sealed, "row:1"),
    ).rejects.toThrow(/operation|decrypt/i);
    await expect(vault.open("nonsense", "row:1")).rejects.toThrow("Not a sealed value");
  });
});

test("a failed statement is logged without its parameters, and with where it was made", () => {
  const cause = new Error("invalid input syntax");
  const error = new Error("Failed query: insert $1\nparams: ann@example.com", { cause });
  const described = describeError(error);
  expect(JSON.stringify(described)).not.toContain("ann@example.com");
  expect(described).toMatchObject({
    error: "Failed query: insert $1",
    stack: expect.stringMatching(/^\s+at /),
    cause: { error: "invalid input syntax" },
  });
});

test("base64url goes there and back for any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(fromBase64(toBase64Url(bytes))).toEqual(bytes);
    }),
  );
});

test.each([24_575, 24_576, 24_577, 100_000])("base64 of %i bytes is one text", (length) => {
  const bytes = Uint8Array.from({ length }, (_, index) => index % 251);
  expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
});

test("keys cross from wire to code and back; values stay, dates become text", () => {
  expect(camelKeys({ first_name: "a", absent: undefined, custom: { some_key: 1 } })).toEqual({
    firstName: "a",
    custom: { some_key: 1 },
  });
  expect(snakeKeys({ createdAt: new Date(0), isDefault: true })).toEqual({
    created_at: "1970-01-01T00:00:00.000Z",
    is_default: true,
  });
  const hidden = new Set(["secretPart"] as const);
  const rows = [
    { firstName: "a", secretPart: 1, lastName: null },
    { firstName: "b", secretPart: 2, lastName: "c" },
    { lastName: "d", firstName: "e", secretPart: 3 },
    { secretPart: 4, firstName: "f", lastName: "g", middleName: "h" },
  ];
  expect(rows.map((row) => snakeKeys(row, hidden))).toEqual([
    { first_name: "a", last_name: null },
    { first_name: "b", last_name: "c" },
    { last_name: "d", first_name: "e" },
    { first_name: "f", last_name: "g", middle_name: "h" },
  ]);
  expect(snakeKeys({ firstName: "i", secretPart: 5 })).toEqual({ first_name: "i", secret_part: 5 });
});

test("the path table knows methods by pattern, HEAD with GET, and the twin of a path", () => {
  const table = createPathTable([
    { method: "GET", path: "/a/:id" },
    { method: "POST", path: "/a/:id" },
    { method: "ALL", path: "/*" },
  ]);
  expect(table.methodsAt("/a/1")).toEqual(["GET", "HEAD", "POST"]);
  expect(table.methodsAt("/a/1/2")).toEqual([]);
  expect([twinOf("/a"), twinOf("/a/")]).toEqual(["/a/", "/a"]);
});
