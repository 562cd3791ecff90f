import * as fs from "node:fs";
import * as path from "node:path";
import { readZone, type ZoneRecord } from "./zone-file.ts";

/** Zone texts by origin; in a folder, if one is given, where a person may edit `<origin>.zone`. */
export interface Zones {
  list(): { origin: string; text: string }[];
  get(origin: string): string | undefined;
  put(origin: string, text: string): void;
  remove(origin: string): boolean;
  /** Of all zones, as they are now; a file with a bad line counts as empty. */
  records(): ZoneRecord[];
}

const SUFFIX = ".zone";

export function createZones(folder: string | undefined, say: (line: string) => void): Zones {
  const kept = new Map<string, string>();
  const fileOf = (origin: string) => path.join(folder!, origin + SUFFIX);
  if (folder !== undefined) fs.mkdirSync(folder, { recursive: true });

  function origins(): string[] {
    if (folder === undefined) return [...kept.keys()];
    return fs
      .readdirSync(folder)
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => name.slice(0, -SUFFIX.length));
  }

  function get(origin: string): string | undefined {
    if (folder === undefined) return kept.get(origin);
    try {
      return fs.readFileSync(fileOf(origin), "utf8");
    } catch {
      return undefined;
    }
  }

  const list = () =>
    origins()
      .toSorted()
      .map((origin) => ({ origin, text: get(origin) ?? "" }));

  return {
    list,
    get,
    put(origin, text) {
      if (folder === undefined) kept.set(origin, text);
      else fs.writeFileSync(fileOf(origin), text);
    },
    remove(origin) {
      if (folder === undefined) return kept.delete(origin);
      const was = fs.existsSync(fileOf(origin));
      fs.rmSync(fileOf(origin), { force: true });
      return was;
    },
    records() {
      const all = list().flatMap(({ origin, text }) => {
        try {
          return readZone(text);
        } catch (error) {
          say(`${origin}${SUFFIX}: ${(error as Error).message}`);
          return [];
        }
      });
      // A record that stands twice is one (RFC 2181 section 5).
      return [...new Map(all.map((one) => [`${one.name} ${one.type} ${one.data}`, one])).values()];
    },
  };
}
