import { BOT_NAME } from "#src/providers/web/index.ts";

const AGENTS = new Set([BOT_NAME.toLowerCase(), "*"]);
const RULE = /^(allow|disallow)$/i;
/** No path that we ask for is as long. RFC 9309 section 2.5 leaves limits to the crawler. */
const MAX_RULE = 2_000;

/**
 * The groups of a robots.txt that concern us, each for us at most once by name and once by `*`. The library gives every
 * rule of a group to every agent of it, and a stranger writes both: 4,000 of each, 96 kB, took it 12 s and 1.3 GB.
 */
export function ourRules(text: string): string {
  const kept: string[] = [];
  const group = new Set<string>();
  let isNaming = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, key, value] = /^\s*([a-z-]{1,40})\s*:([^#]*)/i.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    const isAgent = key.toLowerCase() === "user-agent";
    // Several stars say what one says.
    const rule = value.trim().replace(/\*+/g, "*");
    if (isAgent && !isNaming) group.clear();
    if (isAgent) {
      const agent = value.split("/", 1)[0]!.trim().toLowerCase();
      if (AGENTS.has(agent) && !group.has(agent)) kept.push(`User-agent: ${agent}`);
      if (AGENTS.has(agent)) group.add(agent);
    } else if (group.size > 0 && RULE.test(key) && rule.length <= MAX_RULE)
      kept.push(`${key}: ${rule}`);
    // Whatever else stands there ends the naming of agents too; an empty rule says so.
    else if (group.size > 0 && isNaming) kept.push("Disallow:");
    isNaming = isAgent;
  }
  return kept.join("\n");
}
