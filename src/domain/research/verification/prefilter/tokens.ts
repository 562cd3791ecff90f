/** What stands before the first of these separators; all of it, where there is none. */
export function firstToken(name: string, separators: string): string {
  for (let at = 1; at < name.length; at++)
    if (separators.includes(name[at]!)) return name.slice(0, at);
  return name;
}
