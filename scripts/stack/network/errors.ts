/** The types of error of Unipile's API v1 that this part gives, with their status and title. */
const ERRORS = {
  invalid_parameters: [400, "Invalid parameters"],
  missing_parameters: [400, "Missing parameters"],
  malformed_request: [400, "Malformed request"],
  too_many_characters: [400, "Too many characters"],
  missing_credentials: [401, "Missing credentials"],
  invalid_credentials: [401, "Invalid credentials"],
  expired_credentials: [401, "Expired credentials"],
  wrong_account: [401, "Wrong account"],
  multiple_sessions: [401, "Multiple sessions"],
  disconnected_account: [401, "Disconnected account"],
  invalid_checkpoint_solution: [401, "Invalid checkpoint solution"],
  checkpoint_error: [401, "Checkpoint error"],
  account_restricted: [403, "Account restricted"],
  feature_not_subscribed: [403, "Feature not subscribed"],
  resource_not_found: [404, "Resource not found"],
  request_timeout: [408, "Request timeout"],
  content_too_large: [413, "Content too large"],
  unsupported_media_type: [415, "Unsupported media type"],
  invalid_recipient: [422, "Invalid recipient"],
  no_connection_with_recipient: [422, "No connection with recipient"],
  user_unreachable: [422, "User unreachable"],
  insufficient_credits: [422, "Insufficient credits"],
  cannot_resend_yet: [422, "Cannot resend yet"],
  limit_exceeded: [422, "Limit exceeded"],
  already_invited_recently: [422, "Already invited recently"],
  already_connected: [422, "Already connected"],
  cannot_invite_attendee: [422, "Cannot invite attendee"],
  too_many_requests: [429, "Too many requests"],
  provider_error: [500, "Provider error"],
  missing_feature: [501, "Missing feature"],
  no_client_session: [503, "No client session"],
  service_unavailable: [503, "Service unavailable"],
} as const satisfies Record<string, readonly [status: number, title: string]>;
export type ErrorName = keyof typeof ERRORS;

/** Ends a request with one of the provider's errors. `detail` never repeats a credential. */
export class NetworkRefusal extends Error {
  readonly errorName: ErrorName;
  constructor(errorName: ErrorName, detail: string) {
    super(detail);
    this.errorName = errorName;
  }
}

export function refusalAnswer({ errorName, message }: NetworkRefusal, instance: string) {
  const [status, title] = ERRORS[errorName];
  return {
    status,
    body: { status, type: `errors/${errorName}`, title, detail: message, instance },
  };
}
