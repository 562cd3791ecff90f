import { type DueTopic, dueTopics, takeTopics, type TopicPlan } from "#db/base/fragments/outbox.ts";
import { NOTICE_CHANNELS, type NoticeChannel } from "#db/schema/index.ts";
import type { Deps } from "#src/deps.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { kindsFor, NOTICE_KINDS, preferencesOf } from "./audience.ts";

/** After a notice, what happens around its topic is gathered for so long. */
export const DIGEST_MS = 5 * 60_000;
/** A notice undelivered for so long is no news: it is dropped, not sent in a heap. */
export const STALE_MS = 3 * DAY_MS;
const TOPICS_AT_ONCE = 200;

/** Which channels this deployment has. */
export type Channels = Record<NoticeChannel, boolean>;

/** Plans a topic's waiting notices: one message to each member on each channel on which they want any of them. Pure. */
export function planTopic(due: DueTopic, channels: Channels, noticeId: string): TopicPlan {
  const { topic, workspaceId, kinds, recentKinds, isErased, members } = due;
  const news = isErased ? [] : recentKinds;
  const wanted = members.flatMap(({ userId, role, preferences }) =>
    NOTICE_CHANNELS.map((channel) => {
      const heard = kindsFor(channel, preferencesOf(preferences), role);
      return { userId, channel, kinds: news.filter((kind) => heard.includes(kind)) };
    }).filter((each) => each.kinds.length > 0),
  );
  const told = [...new Set(wanted.flatMap((each) => each.kinds))];
  if (told.length === 0) return { topic, workspaceId, kinds, notice: null };
  const deliveries = wanted.map(({ userId, channel }) => ({
    userId,
    channel,
    error: channels[channel] ? null : `This deployment sends nothing by ${channel}.`,
  }));
  return { topic, workspaceId, kinds, notice: { id: noticeId, kinds: told, deliveries } };
}

/** Makes notices of the waiting effects of topics whose digest window is over. Answers how many effects were taken. */
export async function openNotices(deps: Deps, channels: Channels): Promise<number> {
  const now = deps.clock.now();
  const recentSince = new Date(now.getTime() - STALE_MS);
  const limit = TOPICS_AT_ONCE;
  const due = await dueTopics(deps.db, { kinds: NOTICE_KINDS, recentSince, now, limit });
  if (due.length === 0) return 0;
  const plans = due.map((topic) => planTopic(topic, channels, deps.ids.uuid()));
  const openUntil = new Date(now.getTime() + DIGEST_MS);
  return takeTopics(deps.db, plans, { recentSince, openUntil, now });
}
