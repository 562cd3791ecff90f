import type { Network } from "./index.ts";
import { createAccounts } from "./unipile/accounts.ts";
import { createAsk, type UnipileSettings } from "./unipile/call.ts";
import { createChats } from "./unipile/chats.ts";
import { createCursors } from "./unipile/cursors.ts";
import type { Unipile } from "./unipile/pages.ts";
import { createPeople } from "./unipile/people.ts";
import { createPosts } from "./unipile/posts.ts";
import { createEvents } from "./unipile/webhooks.ts";

export type { UnipileSettings } from "./unipile/call.ts";

/**
 * LinkedIn through Unipile's API v1. Its words end here: a later generation of the API is a file beside this one.
 * https://developer.unipile.com/reference
 */
export function createUnipile(settings: UnipileSettings): Network {
  const unipile: Unipile = {
    ask: createAsk(settings),
    cursors: createCursors(settings.apiKey),
    log: settings.log,
    now: settings.now,
  };
  return {
    accounts: createAccounts(unipile),
    people: createPeople(unipile),
    chats: createChats(unipile),
    posts: createPosts(unipile),
    events: createEvents(unipile, settings),
  };
}
