import * as z from "zod";
import type { NetworkPeople, Relation, SentInvitation } from "../index.ts";
import { failed, MISSING } from "./failures.ts";
import { isMissing, orAccountGone, whenMissing } from "./missing.ts";
import { askPage, type Unipile } from "./pages.ts";
import { profile } from "./profiles.ts";
import { id, instant, optionalId } from "./values.ts";

const PAGE = 100;
/** Addresses of the API beside those of people. */
const NO_PERSON = new Set(["me", "relations", "invite", "followers", "following"]);

const invited = z
  .object({ object: z.literal("UserInvitationSent"), invitation_id: optionalId })
  .transform(({ invitation_id }) => ({ invitationId: invitation_id }));

const sentInvitation = z
  .object({
    id,
    invited_user_id: optionalId,
    invited_user_public_id: optionalId,
    parsed_datetime: instant,
  })
  .transform((each): SentInvitation => ({
    id: each.id,
    personId: each.invited_user_id,
    publicIdentifier: each.invited_user_public_id,
    sentAt: each.parsed_datetime,
  }));

const relation = z
  .object({ member_id: id, public_identifier: optionalId, created_at: instant })
  .transform((each): Relation => ({
    personId: each.member_id,
    publicIdentifier: each.public_identifier,
    since: each.created_at,
  }));

export const noPerson = () =>
  failed({
    kind: "person",
    reason: "not_found",
    code: MISSING,
    detail: "There is no such person on the network",
  });

/** Of an invitation with a note: it is the notes that accounts which do not pay have a few of in a month. */
const NO_CREDITS = "insufficient_credits";

const notesUsedUp = () =>
  failed({
    kind: "limited",
    scope: "notes",
    code: NO_CREDITS,
    detail: "The network takes no more notes from this account for now",
  });

export function createPeople(unipile: Unipile): NetworkPeople {
  const { ask } = unipile;
  return {
    async profile(accountId, identifier, { visit = false } = {}) {
      if (NO_PERSON.has(identifier)) return noPerson();
      const answer = await ask({
        // A visit shows: one whose answer was lost is not made again as if nothing had been done.
        purpose: visit ? "act" : "read",
        method: "GET",
        path: ["users", identifier],
        query: { account_id: accountId, ...(visit ? { notify: "true" } : {}) },
        shape: profile,
      });
      return whenMissing(ask, accountId, answer, noPerson);
    },

    async invite(accountId, personId, note) {
      const isNoted = note !== null && note !== "";
      const answer = await ask({
        purpose: "act",
        method: "POST",
        path: ["users", "invite"],
        body: {
          account_id: accountId,
          provider_id: personId,
          ...(isNoted ? { message: note } : {}),
        },
        shape: invited,
      });
      if (isNoted && !answer.ok && answer.failure.code === NO_CREDITS) return notesUsedUp();
      return whenMissing(ask, accountId, answer, noPerson);
    },

    sentInvitations: async (accountId, cursor) =>
      orAccountGone(
        await askPage(unipile, {
          path: ["users", "invite", "sent"],
          of: accountId,
          query: { account_id: accountId },
          limit: PAGE,
          cursor,
          item: sentInvitation,
        }),
      ),

    async withdrawInvitation(accountId, invitationId) {
      const answer = await ask({
        purpose: "act",
        method: "DELETE",
        path: ["users", "invite", "sent", invitationId],
        query: { account_id: accountId },
        shape: z.unknown(),
      });
      if (answer.ok) return { ok: true, value: null };
      if (!isMissing(answer)) return answer;
      return whenMissing(ask, accountId, answer, () => ({ ok: true, value: null }));
    },

    relations: async (accountId, cursor) =>
      orAccountGone(
        await askPage(unipile, {
          path: ["users", "relations"],
          of: accountId,
          query: { account_id: accountId },
          limit: PAGE,
          cursor,
          item: relation,
        }),
      ),
  };
}
