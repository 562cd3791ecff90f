import { mailDomain } from "#src/mime/email-key.ts";

/** Public suffixes, under which registrants are unrelated: `co.uk` is no organisation's domain. */
const SECOND_LEVEL = /^(ac|co|com|edu|gob|gouv|gov|gv|id|ind|mil|ne|net|nom|or|org|sch)\.[a-z]{2}$/;
const SHARED_HOSTS = new Set(
  (
    "github.io gitlab.io pages.dev workers.dev vercel.app netlify.app herokuapp.com fly.dev web.app firebaseapp.com " +
    "azurewebsites.net blogspot.com myshopify.com onrender.com"
  ).split(" "),
);

/** A domain to send from: lower case, as A-label; or why it cannot be one. */
export function readSendingDomain(
  text: string,
): { ok: true; domain: string } | { ok: false; reason: string } {
  const domain = mailDomain(text.trim().replace(/\.$/, ""));
  if (domain === null) return { ok: false, reason: "is not a domain such as example.com" };
  if (SECOND_LEVEL.test(domain) || SHARED_HOSTS.has(domain))
    return { ok: false, reason: "is a public suffix, under which others have their domains" };
  return { ok: true, domain };
}
