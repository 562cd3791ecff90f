import { readFileSync } from "node:fs";
import type { Db } from "#db/base/client.ts";
import { erasedButKnown, whoKnows } from "#db/workspace/restored-people.ts";
import { importSuppressions } from "#src/domain/people/suppression-import.ts";
import { suppressedValue } from "#src/domain/people/suppressions.ts";
import { erasePerson } from "#src/domain/workspace/erase.ts";
import { createIds } from "#src/platform/ids.ts";
import { createLog } from "#src/platform/log.ts";
import { systemClock, systemRandomBytes } from "#src/platform/system.ts";
import { Refusal } from "./refusal.ts";

function toolsOf(db: Db, now: Date) {
  const clock = { ...systemClock, now: () => now };
  const log = createLog(console.error, clock.now);
  return { db, clock, ids: createIds(clock, systemRandomBytes), log };
}

/** Addresses, one a line, are suppressed in every workspace that knows them: before the service writes to them again. */
export async function suppressAgain(db: Db, file: string, now: Date): Promise<string> {
  const lines = readFileSync(file, "utf8").split(/\r?\n/);
  const given = lines.map((line) => line.trim()).filter((line) => line !== "");
  const values = given.map((line) => suppressedValue(line, "email")?.value ?? null);
  const wrong = given.find((_, at) => values[at] === null);
  if (wrong !== undefined) throw new Refusal(`"${wrong}" is no address; nothing was changed.`);
  const known = await whoKnows(db, values as string[]);
  for (const [workspaceId, people] of Map.groupBy(known, (person) => person.workspaceId)) {
    const piece = people.map(({ emailKey }) => ({ value: emailKey }));
    const owner = { workspaceId, userId: people[0]!.userId };
    await importSuppressions(toolsOf(db, now), owner, [piece]);
  }
  const strangers = new Set(values).size - new Set(known.map(({ emailKey }) => emailKey)).size;
  return `Suppressed ${known.length} times, in each workspace that knows the address; of ${strangers} addresses none does.`;
}

/** People whose hash says that they were erased, and whom the restored database knows all the same. */
export async function eraseAgain(db: Db, now: Date): Promise<string> {
  const people = await erasedButKnown(db);
  for (const { workspaceId, userId, emailKey } of people)
    await erasePerson(toolsOf(db, now), { workspaceId, userId }, emailKey, { isAgain: true });
  return `${people.length} people are erased again.`;
}
