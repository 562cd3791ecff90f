import type { Dispatcher } from "./dispatcher.ts";
import type { ApiReply, ApiRequest } from "./http.ts";
import type { State } from "./state.ts";

export interface Api {
  state: State;
  dispatcher: Dispatcher;
}

/** `params` are the pattern's groups, percent-decoded, except for destinations, which stay as sent. */
export type Route = [
  method: string,
  pattern: RegExp,
  handle: (api: Api, request: ApiRequest, params: string[]) => ApiReply,
];
