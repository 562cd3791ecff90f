interface Named {
  first_name: string | null;
  last_name: string | null;
  full_name: string | null;
  email: string | null;
  profile_url: string | null;
}

/** By what a person is called in a list. */
export function leadName(lead: Named): string {
  const joined = [lead.first_name, lead.last_name].filter(Boolean).join(" ");
  return lead.full_name ?? (joined || (lead.email ?? lead.profile_url ?? "Somebody"));
}

/** By what a person is reached. */
export const reachedBy = ({ email, profile_url: url }: Named): string => email ?? url ?? "";

/** What was found out about the address, in a word and a tone. */
export function verificationWords(
  verification: Record<string, unknown> | null,
): { word: string; tone: "good" | "warn" | "bad" | "quiet" } | null {
  if (verification === null) return null;
  const risk = verification["risk_level"];
  if (risk === "safe") return { word: "safe", tone: "good" };
  if (risk === "risky") return { word: "risky", tone: "warn" };
  if (risk === "invalid") return { word: "does not exist", tone: "bad" };
  return { word: "not known", tone: "quiet" };
}
