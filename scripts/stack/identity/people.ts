/** Whom the local identity provider vouches for. */
export interface Person {
  subject: string;
  email: string;
  name: string;
  emailVerified: boolean;
}

const HOME = "overture.zz";

/** As a login of that name has always been here: with an address of its own. */
export const personNamed = (subject: string, name: string): Person => ({
  subject,
  email: `${subject}@${HOME}`,
  name,
  emailVerified: true,
});

/** Those with a button: the owners of the two demo workspaces. */
export const DEMO = personNamed("demo", "Demo");
export const DEMO_FREE = personNamed("demo-free", "Demo (free)");
export const KNOWN: readonly Person[] = [DEMO, DEMO_FREE];

/** Any other person: an address is that person, any other name gets an address. Null for an empty name. */
export function personOf(text: string, emailVerified: boolean): Person | null {
  const said = text.replace(/\s+/gu, " ").trim().slice(0, 200);
  if (/^[^@ ]+@[^@ ]+$/.test(said)) {
    const email = said.toLowerCase();
    return { subject: email, email, name: email.split("@")[0]!, emailVerified };
  }
  const slug = said
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
  return slug === "" ? null : { ...personNamed(slug, said), emailVerified };
}
