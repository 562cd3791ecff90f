import type { Route } from "./api.ts";
import { randomId } from "./signature.ts";

export const keyRoutes: Route[] = [
  ["GET", /^\/v2\/keys$/, ({ state }) => ({ json: { ...state.keys } })],
  [
    "POST",
    /^\/v2\/keys\/rotate$/,
    ({ state }) => {
      state.keys.current = state.keys.next;
      state.keys.next = randomId("sig_");
      return { json: { ...state.keys } };
    },
  ],
];
