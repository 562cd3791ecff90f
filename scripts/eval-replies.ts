/** `npm run eval:replies -- FOLDER`: what would be shown of each reply body (`*.txt`), for a person to judge. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { asksToStop } from "#src/domain/inbound/opt-out.ts";
import { visibleText } from "#src/domain/inbound/reply-text.ts";

const { positionals } = parseArgs({ allowPositionals: true });
const [folder] = positionals;
if (folder === undefined) {
  console.error("usage: npm run eval:replies -- FOLDER   (FOLDER has *.txt)");
  process.exit(2);
}
for (const file of readdirSync(folder).filter((each) => each.endsWith(".txt"))) {
  const text = readFileSync(join(folder, file), "utf8");
  const visible = visibleText(text);
  const note = asksToStop(visible) ? ", asks to stop" : "";
  console.log(`\n=== ${file}: ${visible.length} of ${text.length} characters${note}\n${visible}`);
}
