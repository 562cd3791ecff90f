import { createPostgresStore, type SendStore } from "#db/engine/index.ts";
import type { Deps } from "#src/deps.ts";
import type { Channel } from "#src/domain/engine/channel.ts";
import { NO_LIMITS } from "#src/domain/engine/run-ahead.ts";
import { tick, type TickReport } from "#src/domain/engine/tick.ts";
import { createEmailChannel } from "#src/domain/messages/email-channel.ts";
import type { Clock } from "#src/platform/index.ts";
import { sending } from "./sending.ts";

type EmailChannel = ReturnType<typeof createEmailChannel>;

/** What takes the place of the service's own, which it is given. */
type InPlaceOf<Part> = Partial<Part> | ((own: Part) => Partial<Part>);

const replace = <Part extends object>(own: Part, by: InPlaceOf<Part>): Part => ({
  ...own,
  ...(typeof by === "function" ? by(own) : by),
});

interface Parts {
  /** The service's, or those of another cell. */
  deps?: Deps;
  store?: InPlaceOf<SendStore>;
  channel?: InPlaceOf<EmailChannel>;
  clock?: Clock;
  limits?: { sends: number; calls: number };
}

/** A tick with the service's own parts, but for those given. */
export async function tickWith(parts: Parts): Promise<TickReport> {
  const { deps = sending.api.deps, store = {}, channel = {}, limits = NO_LIMITS } = parts;
  const { clock = deps.clock } = parts;
  const own = createEmailChannel(deps);
  try {
    return await tick({
      store: replace(createPostgresStore(deps.db), store),
      channels: [replace(own, channel) as Channel],
      clock,
      log: deps.log,
      newToken: () => deps.ids.uuid(),
      settings: { batch: 50, periodSeconds: 60, connections: 5, limits },
    });
  } finally {
    await own.close();
  }
}
