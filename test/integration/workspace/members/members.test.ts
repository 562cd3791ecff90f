/** People share a workspace: who they are in it, how they come, and what is left when they go. */
import { randomUUID } from "node:crypto";
import { decodeJwt } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import type { Tenant } from "../../../support/api.ts";
import { FROM_OURS, signIn } from "../../../support/console-session.ts";
import { api, query, useApi } from "../../../support/use-api.ts";

useApi();

const MEMBERS = "/api/v1/workspace/members";
const INVITATIONS = "/api/v1/workspace/invitations";

let owner: Tenant;
beforeEach(async () => {
  owner = await api.tenant();
});

/** A login of its own, which can ask in another workspace too. */
async function person(email = `${randomUUID()}@people.zz`, emailVerified = true) {
  const jwt = await api.token({ subject: randomUUID(), email, emailVerified, name: "P" });
  const ask = async (method: string, path: string, body?: unknown, workspace?: string) => {
    const response = await api.request(path, {
      method,
      headers: {
        authorization: `Bearer ${jwt}`,
        "content-type": "application/json",
        ...(workspace !== undefined && { "overture-workspace": workspace }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // oxlint-disable-next-line typescript/no-explicit-any -- each test knows what it asked for
    const answer: any = await response.json();
    return { status: response.status, body: answer };
  };
  return { jwt, email, ask, own: (await ask("GET", "/api/v1/auth/verify")).body };
}

async function invite(email: string, role = "member", by = owner) {
  const { status, body } = await by.callAsUser("POST", INVITATIONS, { email, role });
  expect(status).toBe(201);
  return { ...body, token: body.url.split("/").at(-1) as string };
}

const accept = (who: Awaited<ReturnType<typeof person>>, token: string) =>
  who.ask("POST", `/api/v1/invitations/${token}/accept`);

/** Somebody who joined. */
async function joined(role: string, workspace = owner) {
  const who = await person();
  const { token } = await invite(who.email, role, workspace);
  expect((await accept(who, token)).status).toBe(200);
  return who;
}

describe("an invitation", () => {
  test("is taken by the login that has its address, once; then both are members", async () => {
    const who = await person();
    const { token, expires_at, mailed, url } = await invite(who.email.toUpperCase(), "viewer");
    expect(mailed, "the tests' deployment has no relay").toBe(false);
    expect(url).toMatch(/\/console\/invitations\/[\w-]{43}$/);
    const days = (Date.parse(expires_at) - api.deps.clock.now().getTime()) / 86_400_000;
    expect(days).toBeCloseTo(7, 2);
    const taken = await accept(who, token);
    expect(taken.body).toEqual({
      workspace_id: owner.workspaceId,
      workspace_name: expect.any(String),
      role: "viewer",
    });
    expect((await accept(who, token)).body.detail).toBe("INVITATION_NOT_FOUND");
    const { body: members } = await owner.callAsUser("GET", MEMBERS);
    expect(members.map(({ user_id, role }: Record<string, string>) => [user_id, role])).toEqual([
      [who.own.user_id, "viewer"],
      [owner.userId, "owner"],
    ]);
    expect((await owner.call("GET", INVITATIONS)).body).toEqual([]);
    const verified = await who.ask("GET", "/api/v1/auth/verify", undefined, owner.workspaceId);
    expect(verified.body).toMatchObject({ workspace_id: owner.workspaceId, role: "viewer" });
    const without = await who.ask("GET", "/api/v1/auth/verify");
    expect(without.body).toMatchObject({ workspace_id: who.own.workspace_id, role: "owner" });
  });

  test("is taken once, however many take it at the same time", async () => {
    const who = await person();
    const { token } = await invite(who.email);
    const ends = await Promise.all(Array.from({ length: 8 }, () => accept(who, token)));
    expect(ends.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array<number>(7).fill(404),
    ]);
    expect(
      await query`select 1 from workspace_members where workspace_id = ${owner.workspaceId}`,
    ).toHaveLength(2);
  });

  test("is no good for another address, nor for one that nobody verified, and stays good for its own", async () => {
    const who = await person();
    const { token } = await invite(who.email);
    const other = await accept(await person(), token);
    expect([other.status, other.body.detail]).toEqual([403, "INVITATION_OF_ANOTHER"]);
    const unverified = await accept(await person(who.email, false), token);
    expect([unverified.status, unverified.body.detail]).toEqual([403, "EMAIL_NOT_VERIFIED"]);
    expect((await accept(who, token)).status).toBe(200);
  });

  test("ends when its inviter may not give that role any more: taken out, or with less", async () => {
    const [admin, coOwner, kept] = [await joined("admin"), await joined("owner"), await person()];
    const inviteBy = async (who: Awaited<ReturnType<typeof person>>, role: string, of?: string) => {
      const wish = { email: of ?? `${randomUUID()}@people.zz`, role };
      const { status, body } = await who.ask("POST", INVITATIONS, wish, owner.workspaceId);
      expect(status).toBe(201);
      return { email: wish.email, token: body.url.split("/").at(-1) as string };
    };
    const byAdmin = await inviteBy(admin, "viewer");
    const asOwner = await inviteBy(coOwner, "owner");
    const asMember = await inviteBy(coOwner, "member", kept.email);
    const ask = (method: string, who: typeof admin, body?: object) =>
      owner.callAsUser(method, `${MEMBERS}/${who.own.user_id}`, body);
    expect((await ask("DELETE", admin)).status).toBe(200);
    expect((await ask("PATCH", coOwner, { role: "member" })).status).toBe(200);
    for (const { email, token } of [byAdmin, asOwner])
      expect((await accept(await person(email), token)).body.detail).toBe("INVITATION_NOT_FOUND");
    expect((await accept(kept, asMember.token)).body.role).toBe("member");
  });

  test("of an admin or an owner is no matter of a key, which may not do what they may", async () => {
    for (const role of ["admin", "owner"]) {
      const wish = { email: `${randomUUID()}@people.zz`, role };
      const { status, body } = await owner.call("POST", INVITATIONS, wish);
      expect([status, body.detail]).toEqual([403, "JWT_REQUIRED"]);
    }
    const wish = { email: `${randomUUID()}@people.zz`, role: "member" };
    expect((await owner.call("POST", INVITATIONS, wish)).status).toBe(201);
  });

  test("ends after seven days, when it is withdrawn, and when another takes its place", async () => {
    const [late, withdrawn, again] = [await person(), await person(), await person()];
    const first = await invite(again.email);
    const second = await invite(again.email, "admin");
    expect((await accept(again, first.token)).status).toBe(404);
    expect((await accept(again, second.token)).body.role).toBe("admin");
    const gone = await invite(withdrawn.email);
    expect((await owner.call("DELETE", `${INVITATIONS}/${gone.id}`)).status).toBe(200);
    expect((await accept(withdrawn, gone.token)).status).toBe(404);
    const old = await invite(late.email);
    api.advance(7 * 86_400 + 1);
    expect((await accept({ ...late, ask: (await person(late.email)).ask }, old.token)).status).toBe(
      404,
    );
  });

  test("is not of who works there, nor to more than its maker is", async () => {
    const admin = await joined("admin");
    const again = await owner.callAsUser("POST", INVITATIONS, {
      email: admin.email,
      role: "owner",
    });
    expect([again.status, again.body.detail]).toEqual([409, "ALREADY_MEMBER"]);
    const body = { email: "x@people.zz", role: "owner" };
    const more = await admin.ask("POST", INVITATIONS, body, owner.workspaceId);
    expect(more.body).toMatchObject({ detail: "ROLE_MISSING", role: "owner" });
  });

  test("keeps its link nowhere", async () => {
    const { token } = await invite("kept@people.zz");
    const [row] =
      await query`select to_jsonb(i)::text as row from workspace_invitations i where workspace_id = ${owner.workspaceId}`;
    expect(JSON.stringify(row)).not.toContain(token);
  });
});

/** A request whose body comes once it is let in, behind what `meanwhile` does. */
function parked(
  jwt: string,
  method: string,
  path: string,
  wish: object,
  meanwhile: () => Promise<void>,
): Promise<Response> {
  const body = new ReadableStream(
    {
      async pull(controller) {
        await meanwhile();
        controller.enqueue(new TextEncoder().encode(JSON.stringify(wish)));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return Promise.resolve(
    api.request(path, {
      method,
      headers: {
        authorization: `Bearer ${jwt}`,
        "overture-workspace": owner.workspaceId,
        "content-type": "application/json",
      },
      body,
      duplex: "half",
    } as RequestInit),
  );
}

describe("who is taken out", () => {
  test("has no key, no session and no say left there at once, and what is theirs stays", async () => {
    const who = await joined("admin");
    const asked = ["POST", "/api/v1/api-keys", { name: "mine" }] as const;
    const { body: made } = await who.ask(...asked, owner.workspaceId);
    const call = (path = "/api/v1/auth/me") =>
      api.request(path, { headers: { authorization: `Bearer ${made.key}` } });
    expect((await call()).status).toBe(200);
    const { cookie } = await signIn(api, who.jwt);
    const chosen = await api.request("/api/v1/auth/session", {
      method: "PATCH",
      headers: { cookie, ...FROM_OURS, "content-type": "application/json" },
      body: JSON.stringify({ workspace_id: owner.workspaceId }),
    });
    expect(await chosen.json()).toMatchObject({ workspace_id: owner.workspaceId, role: "admin" });
    const there = chosen.headers.get("set-cookie")!.split(";", 1)[0]!;
    const session = () =>
      api.request("/api/v2/auth/me", { headers: { cookie: there, ...FROM_OURS } });
    expect(await (await session()).json()).toMatchObject({ workspace: { id: owner.workspaceId } });

    const gone = await owner.callAsUser("DELETE", `${MEMBERS}/${who.own.user_id}`);
    expect(gone.status).toBe(200);
    for (const _ of [1, 2]) expect((await call()).status).toBe(401);
    expect(await (await session()).json()).toMatchObject({ code: "SESSION_ENDED" });
    const refused = await who.ask("GET", "/api/v1/auth/verify", undefined, owner.workspaceId);
    expect([refused.status, refused.body.detail]).toEqual([403, "NOT_A_MEMBER"]);
    expect((await who.ask("GET", "/api/v1/auth/verify")).status).toBe(200);
    // Who comes back gets no key back.
    const { token } = await invite(who.email);
    await accept(who, token);
    expect((await call()).status).toBe(401);
  });

  test("makes no invitation and no key there by a request that was let in before", async () => {
    const wishes = [
      [INVITATIONS, { email: `${randomUUID()}@people.zz`, role: "viewer" }],
      ["/api/v1/api-keys", { name: "late" }],
    ] as const;
    for (const [path, wish] of wishes) {
      const who = await joined("admin");
      const kept = await invite(`${randomUUID()}@people.zz`, "member");
      const asked = path === INVITATIONS ? { ...wish, email: kept.email } : wish;
      const late = await parked(who.jwt, "POST", path, asked, async () => {
        const gone = await owner.callAsUser("DELETE", `${MEMBERS}/${who.own.user_id}`);
        expect(gone.status).toBe(200);
      });
      expect([late.status, await late.json()]).toMatchObject([403, { detail: "ROLE_MISSING" }]);
      expect(
        await query`select 1 from api_keys where workspace_id = ${owner.workspaceId} and user_id = ${who.own.user_id}`,
      ).toEqual([]);
      const open =
        await query`select id from workspace_invitations where workspace_id = ${owner.workspaceId} and email_key = ${kept.email}`;
      expect(open).toEqual([{ id: kept.id }]);
    }
  });

  test("changes nobody's role by a request that was let in before, nor does who may less now", async () => {
    const roleOf = async (id: string) =>
      (
        await query`select role from workspace_members where workspace_id = ${owner.workspaceId} and user_id = ${id}`
      )[0]?.["role"];
    const patch = (id: string, role: string) =>
      owner.callAsUser("PATCH", `${MEMBERS}/${id}`, { role });
    const admin = await joined("admin");
    const self = admin.own.user_id;
    const again = await parked(
      admin.jwt,
      "PATCH",
      `${MEMBERS}/${self}`,
      { role: "admin" },
      async () => {
        expect((await patch(self, "viewer")).status).toBe(200);
      },
    );
    expect([again.status, await again.json()]).toMatchObject([
      403,
      { detail: "ROLE_MISSING", role: "admin" },
    ]);
    expect(await roleOf(self)).toBe("viewer");

    const accomplice = await joined("viewer");
    const wishes = [
      [accomplice.own.user_id, "owner", "viewer"],
      [owner.userId, "viewer", "owner"],
    ] as const;
    for (const [whom, wish, is] of wishes) {
      const other = await joined("owner");
      const late = await parked(
        other.jwt,
        "PATCH",
        `${MEMBERS}/${whom}`,
        { role: wish },
        async () => {
          const gone = await owner.callAsUser("DELETE", `${MEMBERS}/${other.own.user_id}`);
          expect(gone.status).toBe(200);
        },
      );
      expect([late.status, await late.json()]).toMatchObject([403, { detail: "ROLE_MISSING" }]);
      expect(await roleOf(whom)).toBe(is);
    }
  });

  test("may be oneself, in whatever role; others only an admin takes out, and owners an owner", async () => {
    const [viewer, member, admin] = [
      await joined("viewer"),
      await joined("member"),
      await joined("admin"),
    ];
    const out = (by: typeof viewer, id: string) =>
      by.ask("DELETE", `${MEMBERS}/${id}`, undefined, owner.workspaceId);
    expect((await out(member, viewer.own.user_id)).body).toMatchObject({ role: "admin" });
    expect((await out(admin, owner.userId)).body).toMatchObject({ role: "owner" });
    expect((await out(viewer, viewer.own.user_id)).status).toBe(200);
    expect((await out(admin, member.own.user_id)).status).toBe(200);
    expect((await out(admin, randomUUID())).body.detail).toBe("MEMBER_NOT_FOUND");
  });
});

describe("a key", () => {
  const ask = (method: string, id: string, body?: object) =>
    owner.call(method, `${MEMBERS}/${id}`, body);
  const roleOf = async (id: string) =>
    (
      await query`select role from workspace_members where workspace_id = ${owner.workspaceId} and user_id = ${id}`
    )[0]?.["role"];

  test("makes nobody an admin or an owner, whom it could not invite as one either", async () => {
    const who = await joined("member");
    for (const role of ["admin", "owner"]) {
      const { status, body } = await ask("PATCH", who.own.user_id, { role });
      expect([status, body.detail, await roleOf(who.own.user_id)]).toEqual([
        403,
        "JWT_REQUIRED",
        "member",
      ]);
    }
    expect((await ask("PATCH", who.own.user_id, { role: "viewer" })).body.role).toBe("viewer");
    expect((await ask("DELETE", who.own.user_id)).status).toBe(200);
  });

  test("neither changes nor takes out who is one", async () => {
    for (const role of ["admin", "owner"]) {
      const who = await joined(role);
      for (const [method, body] of [["PATCH", { role: "viewer" }], ["DELETE"]] as const) {
        const refused = await ask(method, who.own.user_id, body);
        expect([refused.status, refused.body.detail]).toEqual([403, "JWT_REQUIRED"]);
      }
      expect(await roleOf(who.own.user_id)).toBe(role);
    }
    expect((await ask("DELETE", randomUUID())).body.detail).toBe("MEMBER_NOT_FOUND");
  });
});

describe("an owner's token that was granted members:write alone", () => {
  const ask = async (method: string, path: string, body?: object) => {
    const { sub } = decodeJwt(owner.jwt);
    const token = await api.token({ subject: sub!, more: { scope: "members:write" } });
    const response = await api.request(path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // oxlint-disable-next-line typescript/no-explicit-any -- each test knows what it asked for
    const answer: any = await response.json();
    return [response.status, answer.detail ?? answer.role ?? null];
  };

  test("makes, touches and takes out no admin and no owner, as a key does not: who has it takes over no workspace", async () => {
    const email = `${randomUUID()}@people.zz`;
    const member = await joined("member");
    for (const role of ["admin", "owner"]) {
      const other = await joined(role);
      const path = `${MEMBERS}/${other.own.user_id}`;
      const refused = [
        await ask("POST", INVITATIONS, { email, role }),
        await ask("PATCH", `${MEMBERS}/${member.own.user_id}`, { role }),
        await ask("PATCH", path, { role: "viewer" }),
        await ask("DELETE", path),
      ];
      expect(refused).toEqual(refused.map(() => [403, "JWT_REQUIRED"]));
    }
    expect(await ask("DELETE", `${MEMBERS}/${owner.userId}`)).toEqual([403, "JWT_REQUIRED"]);
    expect(await ask("POST", INVITATIONS, { email, role: "member" })).toEqual([201, "member"]);
    expect((await ask("DELETE", `${MEMBERS}/${member.own.user_id}`))[0]).toBe(200);
  });
});

describe("an owner", () => {
  const change = (by: Tenant, id: string, role: string) =>
    by.callAsUser("PATCH", `${MEMBERS}/${id}`, { role });

  test("stays, while there is no other", async () => {
    await joined("admin");
    const left = await owner.callAsUser("DELETE", `${MEMBERS}/${owner.userId}`);
    expect([left.status, left.body.detail]).toEqual([409, "LAST_OWNER"]);
    const less = await change(owner, owner.userId, "admin");
    expect([less.status, less.body.detail]).toEqual([409, "LAST_OWNER"]);
  });

  test("of two that leave at the same time one stays", async () => {
    for (let round = 0; round < 5; round++) {
      const tenant = await api.tenant();
      const other = await joined("owner", tenant);
      const ends = await Promise.all([
        tenant.callAsUser("DELETE", `${MEMBERS}/${tenant.userId}`),
        other.ask(
          "PATCH",
          `${MEMBERS}/${other.own.user_id}`,
          { role: "viewer" },
          tenant.workspaceId,
        ),
      ]);
      expect(ends.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      const owners =
        await query`select m.user_id, w.owner_user_id from workspace_members m join workspaces w on w.id = m.workspace_id where workspace_id = ${tenant.workspaceId} and role = 'owner'`;
      expect(owners).toHaveLength(1);
      expect(owners[0]!["user_id"]).toBe(owners[0]!["owner_user_id"]);
    }
  });

  test("who made the workspace and has left gets one of their own, once, by however many requests", async () => {
    const other = await joined("owner");
    expect((await owner.callAsUser("DELETE", `${MEMBERS}/${owner.userId}`)).status).toBe(200);
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => owner.callAsUser("GET", "/api/v1/auth/verify")),
    );
    const workspaces = new Set(replies.map(({ body }) => body.workspace_id));
    expect(workspaces.size).toBe(1);
    expect([...workspaces]).not.toContain(owner.workspaceId);
    const { body } = await other.ask("GET", "/api/v1/auth/workspaces");
    expect(body.items).toMatchObject([
      { id: other.own.workspace_id, role: "owner", is_current: true },
      { id: owner.workspaceId, role: "owner", is_current: false },
    ]);
  });

  test("who is less from now on can do less from now on, and so can their key", async () => {
    const who = await joined("admin");
    const asked = ["POST", "/api/v1/api-keys", { name: "mine" }] as const;
    const { body: made } = await who.ask(...asked, owner.workspaceId);
    const post = () =>
      api.request("/api/v1/templates", {
        method: "POST",
        headers: { authorization: `Bearer ${made.key}`, "content-type": "application/json" },
        body: JSON.stringify({ name: randomUUID(), subject: "S", body: "B" }),
      });
    expect((await post()).status).toBe(201);
    expect((await change(owner, who.own.user_id, "viewer")).body.role).toBe("viewer");
    const refused = await post();
    expect([refused.status, await refused.json()]).toMatchObject([403, { role: "member" }]);
  });
});

test("a session that chooses a workspace again under one Idempotency-Key is in it by each answer", async () => {
  const who = await joined("member");
  const { cookie } = await signIn(api, who.jwt);
  for (const _ of [1, 2]) {
    const chosen = await api.request("/api/v2/auth/session", {
      method: "PATCH",
      headers: {
        ...FROM_OURS,
        cookie,
        "content-type": "application/json",
        "idempotency-key": "a choice",
      },
      body: JSON.stringify({ workspace_id: owner.workspaceId }),
    });
    expect(await chosen.json()).toMatchObject({ workspace_id: owner.workspaceId });
    const there = chosen.headers.get("set-cookie")?.split(";", 1)[0] ?? cookie;
    const me = await api.request("/api/v2/auth/me", { headers: { ...FROM_OURS, cookie: there } });
    expect(await me.json()).toMatchObject({ workspace: { id: owner.workspaceId } });
    await api.settled();
  }
});

test("a workspace that is not theirs, or is none, is refused by its name", async () => {
  const who = await person();
  for (const workspace of [owner.workspaceId, randomUUID(), "nonsense", "'; --", ""]) {
    const { status, body } = await who.ask("GET", "/api/v1/workspace", undefined, workspace);
    expect([workspace, status, body.detail]).toEqual([workspace, 403, "NOT_A_MEMBER"]);
  }
});

test("a workspace of before has its owner as a member", async () => {
  await query`delete from workspace_members where workspace_id = ${owner.workspaceId}`;
  expect((await owner.call("GET", "/api/v1/auth/me")).status).toBe(200);
  const { body } = await owner.callAsUser("GET", "/api/v1/auth/verify");
  expect(body).toMatchObject({ workspace_id: owner.workspaceId, role: "owner" });
});
