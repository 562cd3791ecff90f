import type { NewProspect } from "#db/research/prospect-import.ts";
import { readProfileUrl } from "#src/domain/people/leads/profile-url.ts";
import { type RawLead, readLead } from "#src/domain/people/leads/read-lead.ts";
import { personKey, profileHashes } from "./person-key.ts";
import { normalTags } from "./tags.ts";

export type ReadProspect = { ok: true; prospect: NewProspect } | { ok: false; fault: string };

/**
 * A person of an import, written as a lead is. The pool keeps what a public profile shows: addresses, telephone numbers
 * and custom fields are left behind, but for `quality` (0 to 100), which is otherwise how complete the entry is.
 */
export async function readProspect(raw: RawLead): Promise<ReadProspect> {
  const read = readLead(raw);
  if (!read.ok) return { ok: false, fault: read.message };
  const { lead } = read;
  const profile = lead.profileUrl === null ? null : readProfileUrl(lead.profileUrl);
  if (profile === null) return { ok: false, fault: "a prospect needs a profile_url" };
  const fullName = lead.fullName ?? [lead.firstName, lead.lastName].filter(Boolean).join(" ");
  if (fullName === "") return { ok: false, fault: "a prospect needs a name" };
  const tags = normalTags(lead.tags);
  if (tags.length === 0) return { ok: false, fault: "a prospect needs a tag to be found by" };
  const { company, title, location } = lead;
  const quality = readQuality(raw.custom["quality"]) ?? completeness([company, title, location]);
  if (Number.isNaN(quality))
    return { ok: false, fault: "quality is no whole number from 0 to 100" };
  return {
    ok: true,
    prospect: {
      profileUrl: profile.url,
      profileKey: personKey(profile.key),
      spelledKey: profile.key,
      profileHashes: await profileHashes(profile.key),
      fullName,
      company,
      title,
      location,
      quality,
      tags,
    },
  };
}

/** Null where nothing is said, NaN for what is none. */
function readQuality(value: unknown): number | null {
  if (value === undefined || value === null || value === "") return null;
  return /^(100|\d{1,2})$/.test(String(value)) ? Number(value) : Number.NaN;
}

const completeness = (fields: readonly (string | null)[]): number =>
  25 + 25 * fields.filter((field) => field !== null).length;
