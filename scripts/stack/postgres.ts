import * as fs from "node:fs";
import * as path from "node:path";
import { Client } from "pg";
import { readHost } from "#src/platform/public-host.ts";
import { type Databases, databasesAt, dropDatabase } from "./postgres-admin.ts";
import { type Binaries, findBinaries } from "./postgres-binaries.ts";
import {
  claimFolder,
  databaseAccount,
  memoryFolder,
  readText,
  stateFolder,
} from "./postgres-folders.ts";
import {
  dataFolder,
  initialise,
  readPassword,
  type ServerFolder,
  SUPERUSER,
} from "./postgres-initdb.ts";
import { clearStaleServer, type Server, startServer } from "./postgres-process.ts";

export interface Postgres extends Databases {
  /** Stops the server if this call started it; leaves alone one that was given by its URL. */
  close(): Promise<void>;
}

export interface PostgresOptions {
  /** Use this server of this machine instead of starting one. */
  databaseUrl?: string | undefined;
  /** Each instance has a data folder and a server of its own. */
  instance: "dev" | "test" | (string & {});
  /**
   * A durable instance belongs to one process at a time, and a second one gets an error. One that is not durable
   * keeps nothing but template databases, trades safety from power loss for speed, and makes way: a second process
   * at the same time gets a second server.
   */
  durable: boolean;
  /** The data lies in memory where there is room, and is gone when the server ends: for what needs many databases for a short time. */
  inMemory?: boolean;
  /** Begin with an empty server. */
  fresh?: boolean;
  onProgress?(line: string): void;
}

/**
 * Starts a real Postgres for this machine, or connects to the one given. Works as root, where the server runs as
 * `nobody`, and as an ordinary user. The server ends with this process, also when that is killed; what a killed
 * one may have left behind is cleared at the next start.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  if (options.databaseUrl) return useServer(options.databaseUrl, options.fresh ?? false);
  if (process.platform === "win32") {
    throw new Error("On Windows, set DATABASE_URL to a Postgres 15 or newer, or use WSL.");
  }
  const say = options.onProgress ?? (() => {});
  const state = stateFolder();
  const account = databaseAccount();
  const binaries = findBinaries(state, account !== null);
  const memory = options.inMemory ? memoryFolder() : null;
  const claimed = claimFolder(memory ?? state, options.instance, !options.durable);
  try {
    const folder: ServerFolder = { path: claimed.path, account };
    await clearStaleServer(folder);
    if (options.fresh) removeData(folder);
    setOtherVersionAside(folder, binaries, options.durable, say);
    const server = await initialiseAndStart(folder, binaries, options.durable, say);
    const password = readPassword(folder);
    const databases = databasesAt(
      `postgresql://${SUPERUSER}:${password}@127.0.0.1:${server.port}/postgres`,
    );
    if (!options.durable) await dropLeftovers(databases);
    return {
      ...databases,
      async close() {
        await server.stop();
        if (memory !== null) fs.rmSync(claimed.path, { recursive: true, force: true });
        claimed.release();
      },
    };
  } catch (error) {
    claimed.release();
    throw error;
  }
}

async function useServer(url: string, fresh: boolean): Promise<Postgres> {
  if (fresh)
    throw new Error(
      "--fresh and DATABASE_URL do not go together: nothing is deleted in a database of your own. " +
        "Unset DATABASE_URL, or empty that database and .local/state yourself and leave out --fresh.",
    );
  refuseElsewhere(url);
  const databases = databasesAt(url);
  try {
    await databases.administer((client) => client.query("select 1"));
  } catch (error) {
    throw new Error(
      `Cannot connect to the Postgres of DATABASE_URL (${databases.host}:${databases.port}): ` +
        (error as Error).message,
      { cause: error },
    );
  }
  return { ...databases, close: async () => {} };
}

/** What starts here migrates the database, or makes and drops some: a deployment's could be named by a shell's variable. */
function refuseElsewhere(url: string): void {
  // As the driver reads it: a parameter of the address, or PGHOST, may name the host.
  const { host } = new Client({ connectionString: url });
  const found = readHost(host);
  if (host.startsWith("/") || (found.kind === "refused" && found.isLoopback)) return;
  throw new Error(
    `The Postgres of DATABASE_URL (${host}) is not on this machine, and the local stack and the tests use no other. ` +
      `Unset DATABASE_URL to have one started here, or name one at 127.0.0.1.`,
  );
}

async function initialiseAndStart(
  folder: ServerFolder,
  binaries: Binaries,
  durable: boolean,
  say: (line: string) => void,
): Promise<Server> {
  const existed = fs.existsSync(dataFolder(folder));
  if (!existed) {
    say(`Creating a Postgres ${binaries.major} data folder in ${folder.path}`);
    await initialise(folder, binaries, durable);
  }
  try {
    return await startServer(folder, binaries, durable);
  } catch (error) {
    if (durable || !existed) throw error;
    // Without fsync a machine that went down may have left a folder that no longer starts; there is nothing in it.
    say(`Replacing the test data folder, which no longer starts: ${(error as Error).message}`);
    removeData(folder);
    await initialise(folder, binaries, durable);
    return startServer(folder, binaries, durable);
  }
}

function removeData(folder: ServerFolder): void {
  fs.rmSync(dataFolder(folder), { recursive: true, force: true });
}

/** A data folder belongs to one major version of Postgres; after an upgrade a durable one is kept beside the new one. */
function setOtherVersionAside(
  folder: ServerFolder,
  binaries: Binaries,
  durable: boolean,
  say: (line: string) => void,
): void {
  const data = dataFolder(folder);
  const major = readText(path.join(data, "PG_VERSION"))?.trim();
  if (major === undefined || major === binaries.major) return;
  if (!durable) return removeData(folder);
  const aside = `${data}-${major}`;
  if (fs.existsSync(aside)) {
    throw new Error(
      `${data} is of Postgres ${major}, this is Postgres ${binaries.major}, and ${aside} exists already. ` +
        `Move one of them away, or start with --fresh to give up the data.`,
    );
  }
  fs.renameSync(data, aside);
  say(
    `The data was of Postgres ${major} and this is Postgres ${binaries.major}: beginning with an empty database. ` +
      `The old data is kept in ${aside}; dump it with Postgres ${major} if you need it.`,
  );
}

/** What test runs that were cut short have left; templates stay, for they save the migrations. */
async function dropLeftovers(databases: Databases): Promise<void> {
  await databases.administer(async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      "select datname from pg_database where not datistemplate and datname <> 'postgres'",
    );
    for (const { datname } of rows) await dropDatabase(client, datname);
  });
}
