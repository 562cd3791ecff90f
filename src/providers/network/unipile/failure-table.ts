import type { PersonReason } from "../index.ts";

/** `in doubt`: an act may have been done, a read is merely down. */
type Verdict =
  | { kind: "limited"; scope: "action" | "calls" }
  | { kind: "account" }
  | { kind: "refused_login"; reason: "credentials" | "code" | "expired" }
  | { kind: "person"; reason: PersonReason }
  | { kind: "request" }
  | { kind: "configuration" }
  | { kind: "down" }
  | { kind: "in doubt" };

export interface Meaning {
  verdict: Verdict;
  /** In plain words for a person; nothing of what was sent or answered is in it. */
  says: string;
}

const account = (says: string): Meaning => ({ verdict: { kind: "account" }, says });
const person = (reason: PersonReason, says: string): Meaning => ({
  verdict: { kind: "person", reason },
  says,
});
const limited = (scope: "action" | "calls", says: string): Meaning => ({
  verdict: { kind: "limited", scope },
  says,
});
const ours = (says: string): Meaning => ({ verdict: { kind: "configuration" }, says });
const request = (says: string): Meaning => ({ verdict: { kind: "request" }, says });
const down = (says: string): Meaning => ({ verdict: { kind: "down" }, says });
const doubtful = (says: string): Meaning => ({ verdict: { kind: "in doubt" }, says });
const login = (reason: "credentials" | "code" | "expired", says: string): Meaning => ({
  verdict: { kind: "refused_login", reason },
  says,
});

const RECONNECT = "The account's session has ended: connect it again";
const RESTRICTED = "The network restricts this account";
const UNREACHABLE = "This person takes no messages or requests from the account";
const NOT_SO = "The network's provider does not take this as it is";
const OTHERS = "These are the user name and password of another account";
const USED_UP = "The account has reached what the network allows for now";

/** By the API's own word, whatever the status. https://developer.unipile.com/reference (errors of each method) */
const meanings = {
  disconnected_account: account(RECONNECT),
  disconnected_feature: account(RECONNECT),
  expired_credentials: account(RECONNECT),
  invalid_credentials: account(RECONNECT),
  checkpoint_error: account(RECONNECT),
  multiple_sessions: account("The account is signed in elsewhere, which ended its session here"),
  session_mismatch: account(RECONNECT),
  account_mismatch: account(RECONNECT),
  wrong_account: account(RECONNECT),
  invalid_account: account(RECONNECT),
  account_restricted: account(RESTRICTED),
  action_required: account("The network wants the account's owner to do something there first"),

  // The name misleads: it is how the network's own limits on an account mostly show.
  cannot_resend_yet: limited("action", USED_UP),
  limit_exceeded: limited("action", USED_UP),
  insufficient_credits: limited("action", USED_UP),
  too_many_requests: limited("calls", "The network is asked too often: wait"),

  already_invited_recently: person("already_invited", "This person has been invited already"),
  already_connected: person("already_connected", "This person is connected already"),
  no_connection_with_recipient: person("not_connected", "This person is not connected"),
  user_unreachable: person("unreachable", UNREACHABLE),
  blocked_recipient: person("unreachable", UNREACHABLE),
  cannot_invite_attendee: person("unreachable", UNREACHABLE),
  not_allowed_inmail: person("unreachable", UNREACHABLE),
  invalid_recipient: person("not_found", "There is no such person on the network"),

  missing_credentials: ours("The network's provider does not accept UNIPILE_API_KEY"),
  insufficient_privileges: ours("UNIPILE_API_KEY may not do this"),
  feature_not_subscribed: ours("The subscription at the network's provider does not hold this"),
  subscription_required: ours("The subscription at the network's provider does not hold this"),

  invalid_parameters: request(NOT_SO),
  missing_parameters: request(NOT_SO),
  malformed_request: request(NOT_SO),
  unprocessable_entity: request(NOT_SO),
  unsupported_media_type: request("The network does not take files of this kind"),
  too_many_characters: request("The text is longer than the network takes from this account"),
  content_too_large: request("This is larger than the network takes"),
  invalid_message: request("The network does not take this message"),
  invalid_post: request("The network does not take this post"),
  // Of the provider's sessions: nothing was asked of the network.
  no_client_session: down("The account's session is not running at the network's provider"),
  no_channel: down("The account's session is not running at the network's provider"),
  no_handler: down("The account's session is not running at the network's provider"),
  network_down: down("The network cannot be reached by its provider"),
  service_unavailable: down("The network's provider is not available"),
  missing_feature: request("The network's provider cannot do this"),
  not_implemented: request("The network's provider cannot do this"),
  provider_error: doubtful("The network failed"),
  unexpected_error: doubtful("The network's provider failed"),
  request_timeout: doubtful("The network did not answer in time"),
};

/** Meanings that differ during a sign-in. */
const loginMeanings = {
  invalid_credentials: login(
    "credentials",
    "The network does not accept the user name or password",
  ),
  expired_credentials: login(
    "credentials",
    "The network does not accept the user name or password",
  ),
  wrong_account: login("credentials", OTHERS),
  account_mismatch: login("credentials", OTHERS),
  invalid_checkpoint_solution: login("code", "The network does not accept this code"),
  checkpoint_error: login("expired", "The challenge is over: sign in again"),
  authentication_intent_error: login("expired", "The challenge is over: sign in again"),
  resource_not_found: login("expired", "The challenge is over: sign in again"),
  disconnected_account: login("expired", "The challenge is over: sign in again"),
};

/** Where the word is one that we do not know. */
const statusMeanings = {
  // The deployment's own key, not a session: the operator has to act, and no customer is told to sign in again.
  401: meanings.missing_credentials,
  402: meanings.subscription_required,
  408: meanings.request_timeout,
  413: meanings.content_too_large,
  429: meanings.too_many_requests,
  503: meanings.service_unavailable,
  504: meanings.request_timeout,
};

/** Maps, because the word comes from outside: an object knows `constructor` too. */
export const MEANINGS: ReadonlyMap<string, Meaning> = new Map(Object.entries(meanings));
export const LOGIN_MEANINGS: ReadonlyMap<string, Meaning> = new Map(Object.entries(loginMeanings));
export const STATUS_MEANINGS: ReadonlyMap<number, Meaning> = new Map(
  Object.entries(statusMeanings).map(([status, meaning]) => [Number(status), meaning]),
);
