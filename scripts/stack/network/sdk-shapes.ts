import type { UnipileClient } from "unipile-node-sdk";

/**
 * What the vendor's own client takes for an answer, call by call: the views here have to satisfy it while they are
 * compiled. They may say more, because the API does so too, and its client is older.
 */
export interface SdkShapes {
  account: Linkedin<Answer<"account", "getOne">>;
  connection: Answer<"account", "solveCodeCheckpoint">;
  profile: Linkedin<Answer<"users", "getProfile">>;
  ownProfile: Linkedin<Answer<"users", "getOwnProfile">>;
  invitation: Item<Answer<"users", "getAllInvitationsSent">>;
  relation: Item<Answer<"users", "getAllRelations">>;
  post: Item<Answer<"users", "getAllPosts">>;
  chat: Item<Answer<"messaging", "getAllChats">>;
  message: Item<Answer<"messaging", "getAllMessages">>;
  attendee: Item<Answer<"messaging", "getAllAttendees">>;
  /** Its client does not know the events of relations. */
  webhook: Omit<Extract<Item<Answer<"webhook", "getAll">>, { type: "AUTO" }>, "events">;
}

/** A view of that kind, open for what the client does not know yet. */
export type Shape<Kind extends keyof SdkShapes> = Open<SdkShapes[Kind]>;

type Answer<
  Area extends keyof UnipileClient,
  Call extends keyof UnipileClient[Area],
> = UnipileClient[Area][Call] extends (...given: never[]) => Promise<infer Told> ? Told : never;

type Item<List> = List extends { items: (infer One)[] } ? One : never;

/** Of the networks that it knows, this one; accounts name it `type`, all others `provider`. */
type Linkedin<Told> = Extract<Told, { type: "LINKEDIN" } | { provider: "LINKEDIN" }>;

/** Instants are text with a mark to the client. */
type Open<Told> = Told extends string
  ? string extends Told
    ? string
    : Told extends object
      ? string
      : Told
  : Told extends readonly (infer One)[]
    ? Open<One>[]
    : Told extends object
      ? { [Key in keyof Told]: Open<Told[Key]> } & Record<string, unknown>
      : Told;
