import * as fs from "node:fs";
import * as path from "node:path";
import { rootFolder } from "./command.ts";

/** A file that a command makes: written, or with `--check` compared, which ends the command with 1 where it differs. */
export function writeGenerated({
  name,
  text,
  what,
  of,
  command,
}: {
  /** Within the repository. */
  name: string;
  text: string;
  /** Told when it is written. */
  what: string;
  /** What it is made of, and by which command. */
  of: string;
  command: string;
}): void {
  const file = path.join(rootFolder, name);
  if (!process.argv.includes("--check")) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    console.log(`${name}: ${what}`);
  } else if (!fs.existsSync(file) || fs.readFileSync(file, "utf8") !== text) {
    console.error(`${name} is not what ${of} say; ${command} writes it anew.`);
    process.exitCode = 1;
  }
}
