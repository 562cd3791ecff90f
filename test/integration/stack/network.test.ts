import { afterEach, beforeEach, expect, test } from "vitest";
import { form, idOf, type NetworkSetting, openNetwork } from "./network-setting.ts";

let network: NetworkSetting;
beforeEach(async () => {
  network = await openNetwork();
});
afterEach(() => network.close());

test("a member connects, invites somebody, who accepts, and they talk", async () => {
  const { call, connect, part } = network;
  const account = await connect();
  expect((await call("GET", `accounts/${account}`)).body).toMatchObject({
    object: "Account",
    type: "LINKEDIN",
    sources: [{ status: "OK" }],
    connection_params: { im: { premiumFeatures: [] } },
  });
  const person = await idOf(network, account, "accepts-mara-lind");
  const invited = await call("POST", "users/invite", { account_id: account, provider_id: person });
  expect(invited).toMatchObject({ status: 201, body: { object: "UserInvitationSent" } });
  part.control.accept(invited.body.invitation_id);
  const relations = await call("GET", `users/relations?account_id=${account}`);
  expect(relations.body.items).toMatchObject([{ public_identifier: "accepts-mara-lind" }]);
  const body = form({ account_id: account, attendees_ids: [person], text: "Hello Mara" });
  const started = await call("POST", "chats", body);
  expect(started).toMatchObject({ status: 201, body: { object: "ChatStarted" } });
  part.control.reply(account, "accepts-mara-lind", "Hello back");
  const messages = await call("GET", `chats/${started.body.chat_id}/messages`);
  expect(messages.body.items).toMatchObject([
    { text: "Hello back", is_sender: 0 },
    { text: "Hello Mara", is_sender: 1 },
  ]);
  const chats = await call("GET", `chats?account_id=${account}`);
  expect(chats.body.items).toMatchObject([{ unread_count: 1, attendee_provider_id: person }]);
  const posted = await call("POST", "posts", form({ account_id: account, text: "News" }));
  expect(posted).toMatchObject({ status: 201, body: { object: "PostCreated" } });
  const post = await call("GET", `posts/${posted.body.post_id}?account_id=${account}`);
  expect(post.body).toMatchObject({
    text: "News",
    social_id: `urn:li:activity:${posted.body.post_id}`,
  });
});
