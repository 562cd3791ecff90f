import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { createInterface } from "node:readline";
import { Client } from "pg";
import { expect, test, vi } from "vitest";
import { findBinaries } from "../../../scripts/stack/postgres-binaries.ts";
import { databaseAccount } from "../../../scripts/stack/postgres-folders.ts";
import { dataFolder, spawnAs } from "../../../scripts/stack/postgres-initdb.ts";
import { startPostgres } from "../../../scripts/stack/postgres.ts";
import { ensureTemplate, migratedDatabase } from "../../../scripts/stack/template-database.ts";
import { patience } from "../../support/patience.ts";
import { home, postgres, useOwnPostgres } from "./own-postgres.ts";

// Making a data folder takes most of the time: two are used by all tests, "dev" and that of a second "test" server.
useOwnPostgres();

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const foldersOf = (pattern: RegExp) =>
  fs.readdirSync(home).flatMap((checkout) =>
    fs
      .readdirSync(path.join(home, checkout))
      .filter((name) => pattern.test(name))
      .map((name) => path.join(home, checkout, name)),
  );

const folderOf = (instance: string) => foldersOf(new RegExp(`^${instance}$`))[0] ?? "";

const serverPid = (instance: string) =>
  Number(
    fs.readFileSync(path.join(folderOf(instance), "data/postmaster.pid"), "utf8").split("\n")[0],
  );

/** A process that has ended but that nobody has waited for has no command line left. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const commandLine = `/proc/${pid}/cmdline`;
    return !fs.existsSync("/proc/self") || fs.readFileSync(commandLine, "utf8") !== "";
  } catch {
    return false;
  }
}

/** A process that starts the instance, writes `mark` into a table `kept`, and stays until killed. */
async function startElsewhere(instance: string, durable: boolean) {
  const module = path.resolve(import.meta.dirname, "../../../scripts/stack/postgres.ts");
  const child = spawn(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `import { startPostgres } from ${JSON.stringify(module)};
       const postgres = await startPostgres(${JSON.stringify({ instance, durable })});
       await postgres.administer((client) => client.query("create table if not exists kept as select 'mark' as text"));
       console.log(postgres.urlFor("postgres"));
       setInterval(() => {}, 1000);`,
    ],
    { env: { ...process.env, OVERTURE_STATE_HOME: home }, stdio: ["ignore", "pipe", "inherit"] },
  );
  const exited = new Promise((resolve) => child.on("exit", resolve));
  for await (const url of createInterface(child.stdout)) {
    return {
      url,
      async kill() {
        child.kill("SIGKILL");
        await exited;
      },
    };
  }
  throw new Error("the other process ended early");
}

test("a copy of a template is independent of it", async () => {
  const original = await postgres.createDatabase("original");
  await query(original, "create table things as select 1 as id");
  const copy = await postgres.createDatabase("copy", { template: "original" });
  await query(copy, "insert into things values (2)");
  expect(await query(copy, "select id from things order by id")).toEqual([{ id: 1 }, { id: 2 }]);
  expect(await query(original, "select id from things")).toEqual([{ id: 1 }]);
});

test("the server folds and sorts UTF-8, keeps UTC and lets nobody in without the password", async () => {
  const url = postgres.urlFor("postgres");
  const [settings] = await query<{ folded: string; zone: string; encoding: string }>(
    url,
    "select lower('ÄÖ') as folded, current_setting('timezone') as zone, current_setting('server_encoding') as encoding",
  );
  expect(settings).toEqual({ folded: "äö", zone: "UTC", encoding: "UTF8" });
  const intruder = new URL(url);
  intruder.password = "wrong";
  await expect(query(intruder.href, "select 1")).rejects.toMatchObject({ code: "28P01" });
});

test("two processes that start the same test instance get a server each", async () => {
  const second = await startPostgres({ instance: "test", durable: false });
  try {
    expect(second.port).not.toBe(postgres.port);
    await second.createDatabase("only_in_second");
    expect(await postgres.databaseExists("only_in_second")).toBe(false);
  } finally {
    await second.close();
  }
});

test("a durable instance keeps its data over a restart, and another's start is refused meanwhile", async () => {
  const first = await startPostgres({ instance: "dev", durable: true });
  await query(await first.createDatabase("kept"), "create table things as select 7 as id");
  await expect(startPostgres({ instance: "dev", durable: true })).rejects.toThrow(
    `in use by process ${process.pid}`,
  );
  await first.close();

  const second = await startPostgres({ instance: "dev", durable: true });
  expect(await query(second.urlFor("kept"), "select id from things")).toEqual([{ id: 7 }]);
  await second.close();

  const fresh = await startPostgres({ instance: "dev", durable: true, fresh: true });
  expect(await fresh.databaseExists("kept")).toBe(false);
  await fresh.close();
});

test("a test instance forgets the databases of an earlier run and keeps its templates", async () => {
  const first = await startPostgres({ instance: "test", durable: false });
  await first.createDatabase("leftover");
  await first.createDatabase("template");
  await first.administer((client) => client.query("alter database template is_template true"));
  await first.close();

  const second = await startPostgres({ instance: "test", durable: false });
  expect(await second.databaseExists("leftover")).toBe(false);
  expect(await second.databaseExists("template")).toBe(true);
  await second.close();
});

test("the server ends with a process that is killed, and the data is there at the next start", async () => {
  const elsewhere = await startElsewhere("dev", true);
  const pid = serverPid("dev");
  expect(isRunning(pid)).toBe(true);
  await elsewhere.kill();
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 10_000, interval: 5 });

  const next = await startPostgres({ instance: "dev", durable: true });
  expect(await query(next.urlFor("postgres"), "select text from kept")).toEqual([{ text: "mark" }]);
  await next.close();
});

test("a start takes over from a server that was left running", async () => {
  const first = await startPostgres({ instance: "dev", durable: true });
  await first.createDatabase("kept");
  await first.close();
  const folder = { path: folderOf("dev"), account: databaseAccount() };
  const { postgres: binary } = findBinaries(path.dirname(folder.path), folder.account !== null);
  const settings = [`port=${first.port}`, "unix_socket_directories="].flatMap((set) => ["-c", set]);
  const left = spawn(binary, ["-D", dataFolder(folder), ...settings], {
    ...spawnAs(folder),
    stdio: "ignore",
  });
  const pidFile = path.join(dataFolder(folder), "postmaster.pid");
  await vi.waitFor(() => expect(fs.readFileSync(pidFile, "utf8")).toContain("ready"), {
    timeout: 10_000,
    interval: 5,
  });

  const next = await startPostgres({ instance: "dev", durable: true });
  expect(isRunning(left.pid ?? 0)).toBe(false);
  expect(await next.databaseExists("kept")).toBe(true);
  await next.close();
});

test("the pid file of a killed server does not stop the next start, whoever has that pid by now", async () => {
  const first = await startPostgres({ instance: "dev", durable: true });
  await first.close();
  const folder = { path: folderOf("dev"), account: databaseAccount() };
  const pidFile = path.join(dataFolder(folder), "postmaster.pid");
  const stranger = spawn("sleep", ["60"], { ...spawnAs(folder), stdio: "ignore" });
  for (const pid of [stranger.pid ?? 0, 2 ** 22 - 3]) {
    fs.writeFileSync(pidFile, `${pid}\n${dataFolder(folder)}\n0\n5432\n\n127.0.0.1\n\nready   \n`);
    const next = await startPostgres({ instance: "dev", durable: true });
    expect(serverPid("dev")).not.toBe(pid);
    await next.close();
  }
  expect(stranger.exitCode).toBe(null);
  stranger.kill();
});

test("a data folder of another major version is set aside, with a word about it", async () => {
  const first = await startPostgres({ instance: "dev", durable: true });
  await first.close();
  fs.writeFileSync(path.join(folderOf("dev"), "data/PG_VERSION"), "17\n");
  const lines: string[] = [];
  const next = await startPostgres({
    instance: "dev",
    durable: true,
    onProgress: (line) => lines.push(line),
  });
  expect(lines.join("\n")).toContain("The old data is kept in");
  expect(fs.readFileSync(path.join(folderOf("dev"), "data-17/PG_VERSION"), "utf8")).toBe("17\n");
  await next.close();
});

test("a test data folder that no longer starts is replaced", async () => {
  const first = await startPostgres({ instance: "test", durable: false });
  await first.close();
  fs.rmSync(path.join(folderOf("test-2"), "data/global/pg_control"));
  const next = await startPostgres({ instance: "test", durable: false });
  expect(await next.databaseExists("postgres")).toBe(true);
  await next.close();
});

test("a server given by its URL is used and left running", async () => {
  const given = await startPostgres({
    databaseUrl: postgres.urlFor("postgres"),
    instance: "test",
    durable: false,
  });
  const url = await given.createDatabase("through_url");
  expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
  await given.close();
  expect(await postgres.databaseExists("through_url")).toBe(true);
});

test("a given server that cannot be reached is named in the error, without its password", async () => {
  const starting = startPostgres({
    databaseUrl: "postgresql://someone:secret@127.0.0.1:1/app",
    instance: "test",
    durable: false,
  });
  await expect(starting).rejects.toThrow("DATABASE_URL (127.0.0.1:1)");
  await expect(starting).rejects.not.toThrow("secret");
});

function migrationsFolder(sql: string): string {
  const folder = fs.mkdtempSync(path.join(home, "migrations-"));
  fs.mkdirSync(path.join(folder, "meta"));
  fs.writeFileSync(path.join(folder, "meta/_journal.json"), "{}");
  fs.writeFileSync(path.join(folder, "0000_first.sql"), sql);
  return folder;
}

test("any number of callers at once migrate one template, and databases copied from it are migrated", async () => {
  const folder = migrationsFolder("create table leads (id int)");
  const migrated: string[] = [];
  const migrate = async (url: string) => {
    migrated.push(url);
    await query(url, fs.readFileSync(path.join(folder, "0000_first.sql"), "utf8"));
  };
  const urls = await Promise.all(
    ["one", "two", "three", "four"].map((name) =>
      migratedDatabase(postgres, { name, migrationsFolder: folder, migrate }),
    ),
  );
  expect(migrated).toHaveLength(1);
  for (const url of urls) expect(await query(url, "select * from leads")).toEqual([]);
});

test("other migrations make another template, and the former goes", async () => {
  const before = await ensureTemplate(postgres, {
    migrationsFolder: migrationsFolder("create table before (id int)"),
    migrate: async () => {},
  });
  const after = await ensureTemplate(postgres, {
    migrationsFolder: migrationsFolder("create table after (id int)"),
    migrate: async () => {},
  });
  expect(after).not.toBe(before);
  expect(await postgres.databaseExists(before)).toBe(false);
});

test("a template whose migration failed is made anew by the next caller", async () => {
  const folder = migrationsFolder("create table unlucky (id int)");
  const failing = ensureTemplate(postgres, {
    migrationsFolder: folder,
    migrate: async (url) => {
      await query(url, "create table half (id int)");
      throw new Error("syntax error");
    },
  });
  await expect(failing).rejects.toThrow("syntax error");
  const url = await migratedDatabase(postgres, {
    name: "recovered",
    migrationsFolder: folder,
    migrate: async (target) => void (await query(target, "create table whole (id int)")),
  });
  const tables = await query(
    url,
    "select relname from pg_class where relname in ('half', 'whole')",
  );
  expect(tables).toEqual([{ relname: "whole" }]);
});

test("a server that is killed comes back by itself, at its address and with what it had", async () => {
  const server = await startPostgres({ instance: "dev", durable: true });
  try {
    const url = server.urlFor("postgres");
    await query(url, "create table revived as select 'mark' as text");
    for (let time = 0; time < 2; time++) {
      const pid = serverPid("dev");
      process.kill(pid, "SIGKILL");
      const rows = await vi.waitFor(() => query(url, "select text from revived"), {
        timeout: patience(30_000),
        interval: 50,
      });
      expect([rows, serverPid("dev") === pid]).toEqual([[{ text: "mark" }], false]);
    }
  } finally {
    await server.close();
  }
  expect(fs.existsSync(path.join(folderOf("dev"), "data/postmaster.pid"))).toBe(false);
});
