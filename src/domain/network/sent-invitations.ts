import type { NetworkPeople, SentInvitation } from "#src/providers/network/index.ts";
import { DAY_MS } from "#src/platform/durations.ts";

const MAX_PAGES = 20;

/**
 * The open invitations of an account, read page by page as far as they are asked for, and no further back than
 * `since` (null for all), minus a day for clocks that differ.
 */
export function createSentInvitations(
  people: Pick<NetworkPeople, "sentInvitations">,
  providerAccountId: string,
  since: Date | null,
) {
  const until = (since?.getTime() ?? 0) - DAY_MS;
  const read = new Map<string, SentInvitation>();
  let cursor: string | null = null;
  let pages = 0;
  let isThrough = false;

  async function readOn(): Promise<boolean> {
    const answer = await people.sentInvitations(providerAccountId, cursor);
    if (!answer.ok) return false;
    const { items, nextCursor } = answer.value;
    for (const invitation of items)
      if (invitation.personId !== null && !read.has(invitation.personId))
        read.set(invitation.personId, invitation);
    const isOld = items.some(({ sentAt }) => sentAt !== null && sentAt.getTime() < until);
    cursor = nextCursor;
    isThrough = nextCursor === null || isOld || ++pages >= MAX_PAGES;
    return true;
  }

  return {
    /** Null when there is none. */
    async to(personId: string): Promise<SentInvitation | null | "unknown"> {
      while (!isThrough && !read.has(personId)) if (!(await readOn())) return "unknown";
      return read.get(personId) ?? null;
    },
  };
}
