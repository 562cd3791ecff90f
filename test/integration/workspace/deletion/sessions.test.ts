import { expect, test } from "vitest";
import { stopDeletedWorkspaces } from "#src/domain/workspace/delete-workspace.ts";
import { runEndSession } from "#src/domain/network/end-session.ts";
import { publishPost } from "#src/domain/network/posts/publish.ts";
import { formOf, POSTS } from "../../../support/posts.ts";
import { api, asked, connect, usePosts } from "../../network/posts/setting.ts";

usePosts();

/** The sessions that the queue was asked to have ended. */
const toEnd = () =>
  asked.flatMap(({ callback, payload }) =>
    callback === "end-network-session" ? [(payload as { session: string }).session] : [],
  );

test("sessions of a deleted workspace are ended, and its posts are not published", async () => {
  const tenant = await api.tenant();
  await connect(tenant);
  const { rows } = await api.sql.query(
    "select provider_account_id as session from connected_accounts where workspace_id = $1",
    [tenant.workspaceId],
  );
  const { session } = rows[0];
  const scheduled_at = new Date(api.deps.clock.now().getTime() + 3_600_000).toISOString();
  const post = await tenant.call("POST", POSTS, formOf({ text: "Soon", scheduled_at }));

  // The queue does not take it at first: the session is not forgotten.
  api.qstash.faults.order("unavailable", 100);
  expect((await tenant.callAsUser("DELETE", "/api/v1/workspace")).status).toBe(200);
  api.qstash.faults.clear();
  asked.length = 0;
  expect(await stopDeletedWorkspaces(api.deps)).toBe(1);
  expect(toEnd()).toEqual([session]);
  expect(await runEndSession(api.deps, session)).toBe("ended");
  expect(await stopDeletedWorkspaces(api.deps)).toBe(0);

  api.advance(7_200);
  expect(await publishPost(api.deps, post.body.id)).toBe("over");
  const posts = await api.sql.query("select status, due_at from social_posts where id = $1", [
    post.body.id,
  ]);
  expect(posts.rows).toEqual([{ status: "failed", due_at: null }]);
});
