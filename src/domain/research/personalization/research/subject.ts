import { companyOf } from "#src/domain/people/leads/mailbox-providers.ts";
import { readCountry } from "#src/domain/people/leads/country.ts";
import { emailKey } from "#src/mime/email-key.ts";
import { underscored } from "../facts.ts";
import { plainText } from "./plain-text.ts";
import type { ResearchSubject } from "./report.ts";

const MAX_LENGTH = 300;
const MAX_URL = 300;

/** The research subject in a lead's fields, spelled with capitals or underscores. */
export function subjectOf(lead: Readonly<Record<string, unknown>>): ResearchSubject {
  const fields = underscored(lead);
  const field = (name: string): string | null => {
    const value = Object.hasOwn(fields, name) ? fields[name] : null;
    if (typeof value !== "string") return null;
    return plainText(value.slice(0, 4 * MAX_LENGTH)).slice(0, MAX_LENGTH) || null;
  };
  const [first, last] = [field("first_name"), field("last_name")];
  const country = field("country") ?? field("location");
  return {
    fullName: field("full_name") ?? ([first, last].filter(Boolean).join(" ") || null),
    company: field("company"),
    title: field("title"),
    website: field("website"),
    email: field("email"),
    profileUrl: field("profile_url"),
    country: country === null ? null : readCountry(country),
  };
}

/**
 * Where the company's site is: what the lead says of it, or the domain of an address that is no
 * mailbox provider's. Null where neither says anything; a website that is none stays as it is, so that
 * the report can say so.
 */
export function siteOf({ website, email }: ResearchSubject): string | null {
  if (website !== null) return normalSite(website);
  const key = email === null ? null : emailKey(email);
  if (key === null) return null;
  const company = companyOf(key);
  return company && `https://${company}/`;
}

/** With a scheme, and without what says who came from where. */
function normalSite(text: string): string {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (url === null || url.href.length > MAX_URL) return text;
  url.search = "";
  url.hash = "";
  return url.href;
}
