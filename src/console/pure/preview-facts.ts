/** What an agent's preview says, as names with values: its texts and figures, then the messages of its checks. */
export function previewFacts(preview: Record<string, unknown>): [name: string, value: string][] {
  return Object.entries(preview).flatMap(([name, value]): [string, string][] => {
    const said = wordsOf(value);
    return said === "" ? [] : [[name.replace(/^untrusted_/, "").replaceAll("_", " "), said]];
  });
}

function wordsOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map(wordsOf).filter(Boolean).join("; ");
  if (value === null || typeof value !== "object") return "";
  const { untrusted_message: foreign, message = foreign } = value as Record<string, unknown>;
  return wordsOf(message ?? null);
}
