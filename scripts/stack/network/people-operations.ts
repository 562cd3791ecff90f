import { z } from "zod";
import { act, limitRefusal } from "./acts.ts";
import { digest, pair, type State } from "./books.ts";
import { NetworkRefusal } from "./errors.ts";
import { endInvitation, invite, isOpen, openInvitation, relationOf } from "./invitations.ts";
import { cursorOf, newestFirst, page } from "./lists.ts";
import type { Account, Invitation, Relation } from "./model.ts";
import { type Asked, bodyOf, operation, queryText } from "./operation.ts";
import { findById, findPerson, idOf, nameOf, type Person, personOf } from "./people.ts";
import type { Shape } from "./sdk-shapes.ts";
import { requireSession } from "./sessions.ts";

/** The account that asks; its session is open. */
export const asking = (asked: Asked): Account =>
  requireSession(asked.state, queryText(asked, "account_id"));

const memberUrn = (slug: string) => String(digest("urn", slug).readUInt32BE(0));

function profile(asked: Asked): object {
  const { state, query } = asked;
  const account = asking(asked);
  const person = findPerson(asked.parts[0] ?? "");
  if (person === null)
    throw new NetworkRefusal("resource_not_found", "The requested user was not found.");
  if (state.faults.take("limit_exceeded")) throw limitRefusal("limit_exceeded");
  const kind = query.get("notify") === "true" ? "visit" : "view";
  act(state, account, { kind, person: person.slug, text: null });
  return profileView(state, account, person);
}

function profileView(state: State, { owner }: Account, person: Person): object {
  const { slug } = person;
  const isConnected = relationOf(state, owner, slug) !== undefined;
  const isInvited = openInvitation(state, owner, slug) !== undefined;
  return {
    object: "UserProfile",
    provider: "LINKEDIN",
    provider_id: person.id,
    public_identifier: slug,
    member_urn: memberUrn(slug),
    first_name: person.firstName,
    last_name: person.lastName,
    headline: person.headline,
    location: person.location,
    websites: [],
    primary_locale: { country: "US", language: "en" },
    is_premium: false,
    is_self: slug === owner,
    is_relationship: isConnected,
    network_distance: isConnected ? "FIRST_DEGREE" : "SECOND_DEGREE",
    public_profile_url: person.profileUrl,
    ...(isInvited ? { invitation: { type: "SENT", status: "PENDING" } } : {}),
  } satisfies Shape<"profile">;
}

function ownProfile(asked: Asked): object {
  const { owner, isPremium } = asking(asked);
  const person = personOf(owner);
  return {
    object: "AccountOwnerProfile",
    provider: "LINKEDIN",
    provider_id: person.id,
    entity_urn: `urn:li:fsd_profile:${person.id}`,
    object_urn: `urn:li:member:${memberUrn(owner)}`,
    first_name: person.firstName,
    last_name: person.lastName,
    profile_picture_url: null,
    public_profile_url: person.profileUrl,
    public_identifier: owner,
    headline: person.headline,
    location: person.location,
    email: `${owner}@members.zz`,
    premium: isPremium,
    open_profile: false,
    occupation: person.headline,
    recruiter: null,
    sales_navigator: null,
  } satisfies Shape<"ownProfile">;
}

const invitationBody = z.object({
  account_id: z.string().min(1),
  provider_id: z.string().min(1).max(1000),
  message: z.string().max(5000).optional(),
});

function sendInvitation(asked: Asked): object {
  const { account_id: accountId, provider_id: id, message } = bodyOf(asked, invitationBody);
  const account = requireSession(asked.state, accountId);
  const person = findById(id);
  if (person === null)
    throw new NetworkRefusal("invalid_recipient", "The recipient appears not to be first valid.");
  const note = message === undefined || message === "" ? null : message;
  const { id: invitationId } = invite(asked.state, account, person, note);
  return {
    status: 201,
    body: { object: "UserInvitationSent", invitation_id: invitationId, usage: 0 },
  };
}

function invitationView({ id, owner, person: slug, note, at }: Invitation): object {
  const person = personOf(slug);
  return {
    object: "InvitationSent",
    id,
    date: "Sent recently",
    parsed_datetime: new Date(at).toISOString(),
    invitation_text: note,
    invited_user: nameOf(slug),
    invited_user_id: person.id,
    invited_user_public_id: slug,
    invited_user_description: person.headline,
    inviter: {
      inviter_name: nameOf(owner),
      inviter_id: idOf(owner),
      inviter_public_identifier: owner,
      inviter_description: personOf(owner).headline,
    },
    specifics: { provider: "LINKEDIN", shared_secret: `shared-${id}` },
  } satisfies Shape<"invitation">;
}

/** Who a list is of: the account of the cursor, or the one that the query names. */
export function listedAccount(asked: Asked): Account {
  const kept = cursorOf(asked.query)?.filters["account_id"];
  return kept === undefined ? asking(asked) : requireSession(asked.state, kept);
}

function sentInvitations(asked: Asked): object {
  const { owner } = listedAccount(asked);
  const open = asked.state.books.invitations
    .values()
    .filter((each) => each.owner === owner && isOpen(each));
  return page(
    "InvitationList",
    newestFirst(open, (each) => each.at),
    {
      query: asked.query,
      view: invitationView,
      limit: 10,
      most: 100,
      filters: ["account_id"],
    },
  );
}

function cancelInvitation(asked: Asked): object {
  const { state, parts } = asked;
  const account = asking(asked);
  const { owner } = account;
  const invitation = state.books.invitations
    .values()
    .find((each) => each.id === parts[0] && each.owner === owner && isOpen(each));
  if (invitation === undefined)
    throw new NetworkRefusal("resource_not_found", "Invitation not found.");
  endInvitation(state, invitation, "withdrawn");
  act(state, account, { kind: "withdraw", person: invitation.person, text: null });
  return { object: "InvitationCanceled" };
}

function relationView({ owner, person: slug, since }: Relation): object {
  const person = personOf(slug);
  return {
    object: "UserRelation",
    first_name: person.firstName,
    last_name: person.lastName,
    headline: person.headline,
    public_identifier: slug,
    public_profile_url: person.profileUrl,
    created_at: since,
    member_id: person.id,
    member_urn: `urn:li:member:${memberUrn(slug)}`,
    connection_urn: `urn:li:fsd_connection:${digest(pair(owner, slug)).toString("base64url", 0, 12)}`,
  } satisfies Shape<"relation">;
}

function relations(asked: Asked): object {
  const { owner } = listedAccount(asked);
  const own = asked.state.books.relations.values().filter((each) => each.owner === owner);
  return page(
    "UserRelationsList",
    newestFirst(own, (each) => each.since),
    {
      query: asked.query,
      view: relationView,
      most: 1000,
      filters: ["account_id"],
    },
  );
}

export const peopleOperations = [
  operation("GET", "users/me", ownProfile),
  operation("GET", "users/relations", relations),
  operation("POST", "users/invite", sendInvitation),
  operation("GET", "users/invite/sent", sentInvitations),
  operation("DELETE", "users/invite/sent/:", cancelInvitation),
  operation("GET", "users/:", profile),
];
