import * as fs from "node:fs";
import * as path from "node:path";

/** Makes the option by which a part is told where to keep something; none where nothing is kept. */
export function keptIn(folder: string | undefined) {
  return <Option extends string>(option: Option, name: string) => {
    const options: Record<string, string> =
      folder === undefined ? {} : { [option]: path.join(folder, name) };
    return options as { [key in Option]?: string };
  };
}

export function emptyFolder(folder: string): void {
  for (const name of fs.readdirSync(folder))
    fs.rmSync(path.join(folder, name), { recursive: true, force: true });
}
