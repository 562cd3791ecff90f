import * as z from "zod";
import { type NetworkEvent, NetworkEventFault } from "../index.ts";
import { profileUrlOf } from "./profiles.ts";
import { id, instant, optionalId, optionalName, optionalUrl, text, yes } from "./values.ts";
import { readJson } from "#src/platform/json.ts";

/** Longer than anything that is written on a network. */
const LONGEST_BODY = 1024 * 1024;

const accountStatus = z
  .object({ AccountStatus: z.object({ account_id: id }) })
  .transform(({ AccountStatus }): NetworkEvent => ({
    kind: "account_changed",
    accountId: AccountStatus.account_id,
  }));

const person = z.object({
  attendee_provider_id: optionalId,
  attendee_name: optionalName,
  attendee_profile_url: optionalUrl,
});
const nobody = { attendee_provider_id: null, attendee_name: null, attendee_profile_url: null };

const messageReceived = (now: () => Date) =>
  z
    .object({
      account_id: id,
      account_info: z.object({ user_id: optionalId }).catch({ user_id: null }),
      chat_id: id,
      message_id: id,
      timestamp: instant,
      message: text.nullish(),
      is_sender: yes.optional(),
      sender: person.nullish().catch(null),
    })
    .transform((each): NetworkEvent | null => {
      const sender = each.sender ?? nobody;
      if (each.is_sender === true || isOwn(sender, each.account_info)) return null;
      return {
        kind: "message",
        accountId: each.account_id,
        chatId: each.chat_id,
        messageId: each.message_id,
        personId: sender.attendee_provider_id,
        name: sender.attendee_name,
        profileUrl: sender.attendee_profile_url,
        text: each.message ?? "",
        // A reply without its instant is a reply still.
        at: each.timestamp ?? now(),
      };
    });

/** What the account itself says is told too. */
const isOwn = (
  { attendee_provider_id }: z.output<typeof person>,
  { user_id }: { user_id: string | null },
) => attendee_provider_id !== null && attendee_provider_id === user_id;

const newRelation = z
  .object({
    account_id: id,
    user_provider_id: id,
    user_public_identifier: optionalId,
    user_profile_url: optionalUrl,
  })
  .transform((each): NetworkEvent => ({
    kind: "connected",
    accountId: each.account_id,
    personId: each.user_provider_id,
    publicIdentifier: each.user_public_identifier,
    profileUrl: each.user_profile_url ?? profileUrlOf(each.user_public_identifier),
  }));

/** Reads what the API's webhooks say; events that are none of ours say nothing. */
export function readEvents(body: string, now: () => Date): NetworkEvent[] {
  const said = objectOf(body);
  const shape = shapeOf(said, now);
  if (shape === null) return [];
  const { data, error } = shape.safeParse(said);
  if (error !== undefined)
    throw new NetworkEventFault(
      `The event cannot be read: ${error.issues.map(({ path }) => path.join(".")).join(", ")}`,
    );
  return data == null ? [] : [data];
}

function objectOf(body: string): object {
  if (body.length > LONGEST_BODY) throw new NetworkEventFault("The event is too long");
  const json = readJson(body);
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw new NetworkEventFault("The event is no JSON object");
  return json;
}

function shapeOf(said: object, now: () => Date): z.ZodType<NetworkEvent | null> | null {
  if ("AccountStatus" in said) return accountStatus;
  const event = "event" in said ? said.event : undefined;
  if (event === "message_received") return messageReceived(now);
  if (event === "new_relation") return newRelation;
  return null;
}
