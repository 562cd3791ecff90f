import { expect, test } from "vitest";
import { startPostgres } from "../../../scripts/stack/postgres.ts";

const given = (databaseUrl: string) =>
  startPostgres({ databaseUrl, instance: "test", durable: false });

test.each([
  "postgresql://someone:secret@ep-cool-1.eu-central-1.aws.neon.invalid/neondb",
  "postgresql://someone:secret@192.0.2.1:5432/app",
  "postgresql://someone:secret@localhost/app?host=db.invalid",
])("a server elsewhere is refused before anything is done in it: %s", async (url) => {
  await expect(given(url)).rejects.toThrow("is not on this machine");
  await expect(given(url)).rejects.not.toThrow("secret");
});

test.each([
  "postgresql://someone:secret@localhost:1/app",
  "postgresql://someone:secret@127.0.0.1:1/app",
  "postgresql://someone:secret@[::1]:1/app",
  "postgresql:///app?host=/nowhere",
])("a server of this machine is connected to: %s", async (url) => {
  await expect(given(url)).rejects.toThrow("Cannot connect to the Postgres of DATABASE_URL");
});

test("a server of one's own is not emptied, and a fresh start with it is refused before it is asked", async () => {
  const databaseUrl = "postgresql://someone:secret@127.0.0.1:1/app";
  await expect(
    startPostgres({ databaseUrl, instance: "dev", durable: true, fresh: true }),
  ).rejects.toThrow("--fresh and DATABASE_URL do not go together");
});
