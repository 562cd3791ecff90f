import { count } from "./words.ts";

type Purpose = "ownership" | "spf" | "dkim" | "dmarc" | "mx" | "return_path" | "tracking";

export const PURPOSES: Record<Purpose, string> = {
  ownership: "That the domain is yours",
  dkim: "Signature (DKIM)",
  spf: "Who may send (SPF)",
  dmarc: "What receivers do with forgeries (DMARC)",
  mx: "Where answers arrive (MX)",
  return_path: "Where bounces arrive",
  tracking: "Links under your name",
};

interface Looked {
  domain: string;
  status: string;
  checked_at: string | null;
  records: readonly { status: string; required: boolean }[];
}

/** The state of a domain as one sentence. */
export function domainSentence({ domain, status, checked_at: at, records }: Looked): string {
  if (at === null) return `Publish these ${count(records.length, "record")}, then check ${domain}.`;
  const wrong = records.filter((record) => record.status !== "ok");
  if (wrong.length === 0) return "Everything is right: receivers can trust mail from this domain.";
  const unknown = wrong.filter((record) => record.status === "unknown").length;
  if (unknown === records.length)
    return "DNS gave no answer: nothing is known. Check again in a few minutes.";
  const needed = wrong.filter((record) => record.required).length;
  const right = `${records.length - wrong.length} of ${count(records.length, "record")} are right`;
  if (needed === 0)
    return `${right}. What lacks is not required${status === "verified" ? ": mail can be sent" : ""}.`;
  return `${right}; ${count(needed, "required one is", "required ones are")} not.`;
}
