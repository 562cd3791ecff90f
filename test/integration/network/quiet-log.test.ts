/** What campaigns, messages, posts and webhooks leave in the log, the queue and the cache. */
import { expect, test } from "vitest";
import { publishPost } from "#src/domain/network/posts/publish.ts";
import { countPosts } from "#src/domain/network/posts/count.ts";
import { lookAtAccount } from "#src/domain/replies/inbound/network/look-at-account.ts";
import {
  API_KEY,
  insertNetworkCampaign,
  networked,
  tenant,
  tickFor,
  useNetwork,
  WEBHOOK_SECRET,
} from "../../support/network.ts";
import { formOf, POSTS } from "../../support/posts.ts";

useNetwork();

const PASSWORD = "marked-password-91be";
const WORDS = "marked-words-of-somebody-77b2";
const FAULTS = [null, "unavailable", "lost_answer", "lying", "key_refused", "session_lost"];

/** A webhook's call, with this secret. */
const tell = (secret: string, body: string) =>
  networked.api.request("/api/v1/socialnet/webhook", {
    method: "POST",
    headers: { "unipile-auth": secret },
    body,
  });

async function connectAs(name: string) {
  const login = { username: `ok+${name}${tenant.workspaceId}@example.zz`, password: PASSWORD };
  const { body } = await tenant.call("POST", "/api/v1/connected-accounts/connect", login);
  const { id, provider_account_id: providerAccountId } = body.account;
  return { id, providerAccountId, login } as const;
}

test("neither key, secret nor password is there, nor a word that anybody says", async () => {
  const { api, network } = networked;
  const lines: string[] = [];
  api.onLog((line) => lines.push(line));
  const account = await connectAs("one");
  const again = `/api/v1/connected-accounts/${account.id}/reconnect`;
  const { campaignId } = await insertNetworkCampaign({
    account,
    steps: [{ action: "connection_request", text: WORDS }],
    people: ["friend-a-b", "accepts-c-d", "declines-e-f", "unreachable-g-h", "nobody-i-j"],
  });
  for (const fault of FAULTS) {
    const broken = () => fault !== null && network.faults.order(fault, 1);
    broken();
    await tenant.call("POST", "/api/v1/socialnet/message", { identifier: "friend-a", text: WORDS });
    network.faults.clear();
    const { body: post } = await tenant.call("POST", POSTS, formOf({ text: WORDS }));
    if (post.id !== undefined) {
      broken();
      await publishPost(api.deps, post.id);
      network.faults.clear();
    }
    await api.sql.query("update sender_lanes set next_slot_at = now(), closed_until = null");
    broken();
    await tickFor(2);
    await lookAtAccount(api.deps, account.id);
    network.faults.clear();
    await tenant.call("POST", again, account.login);
  }
  await countPosts(api.deps);
  const event = {
    event: "message_received",
    account_id: account.providerAccountId,
    chat_id: "chat",
    message_id: WORDS,
    message: WORDS,
    sender: { attendee_provider_id: "person-9", attendee_name: WORDS },
  };
  const bodies = [JSON.stringify(event), `{"event": "${WORDS}`, `{"event": "${WORDS}"}`, "[]"];
  bodies.push(JSON.stringify({ ...event, account_id: WORDS, message_id: "m" }));
  for (const body of bodies)
    for (const [secret, status] of [[WEBHOOK_SECRET, 200] as const, [`${WORDS}x`, 401] as const])
      expect((await tell(secret, body)).status).toBe(status);
  await api.settled();
  expect((await networked.sendsOf(campaignId)).length).toBeGreaterThan(2);

  const places = {
    log: lines.join("\n"),
    queue: JSON.stringify(api.qstash.log.entries()),
    cache: JSON.stringify(api.redis.log.entries()),
  };
  expect(places.log).toContain("network_event_ignored");
  for (const [place, text] of Object.entries(places))
    for (const secret of [API_KEY, WEBHOOK_SECRET, PASSWORD, WORDS])
      expect([place, secret, text.includes(secret)]).toEqual([place, secret, false]);
});
