import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { rootFolder } from "../command.ts";

/** The patterns of all screens. What loads them is the browser's: its types are none of Node's. */
export async function consolePatterns(): Promise<string[]> {
  const file = path.join(rootFolder, "src", "console", "routes.ts");
  const { routes } = (await import(pathToFileURL(file).href)) as { routes: { path: string }[] };
  return routes.map((route) => route.path);
}
