import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, beforeAll, vi } from "vitest";
import { type Postgres, startPostgres } from "../../../scripts/stack/postgres.ts";

export let home: string;
export let postgres: Postgres;

/** A server with data folders of the file's own, so that nothing meets a running stack. */
export function useOwnPostgres(): void {
  beforeAll(async () => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), "overture-postgres-"));
    fs.chmodSync(home, 0o755);
    vi.stubEnv("OVERTURE_STATE_HOME", home);
    postgres = await startPostgres({ instance: "test", durable: false });
  }, 60_000);
  afterAll(async () => {
    await postgres.close();
    fs.rmSync(home, { recursive: true, force: true });
  });
}
