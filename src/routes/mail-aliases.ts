import * as z from "zod";
import { readSoon } from "#src/domain/replies/inbound/inbox/queue.ts";
import { testAliasAndReplies } from "#src/domain/messages/return-test.ts";
import {
  changeAlias,
  createAlias,
  readAliases,
  removeAlias,
  requireAlias,
  type AliasWithLane,
} from "#src/domain/senders/aliases.ts";
import { camelKeys } from "#src/http/case.ts";
import { Deleted, done, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { revised } from "#src/http/revisions.ts";
import {
  AliasBody,
  AliasChange,
  AliasCreate,
  AliasTestReport,
  aliasToWire,
} from "./mail-alias-schemas.ts";
import { loginOf } from "./mail-login-input.ts";
import { transportOf } from "./mail-transport-input.ts";

const PATH = "/api/v1/mailer/aliases";
const ONE = "/api/v1/mailer/aliases/{alias_id}";
const tag = "Mail aliases";
const params = z.object({ alias_id: uuid });

const asRevised = (alias: AliasWithLane, now: Date) =>
  revised(alias.revision, aliasToWire(alias, now));

export const mailAliasRoutes: Mount[] = [
  operation({
    method: "get",
    path: PATH,
    id: "listMailAliases",
    scope: "mailer:read",
    tag,
    summary: "List mail aliases",
    list: { by: "id" },
    response: z.array(AliasBody),
    handler: async ({ deps, principal, part }) => {
      const now = deps.clock.now();
      return (await readAliases(deps, principal, part)).map((alias) => aliasToWire(alias, now));
    },
  }),
  operation({
    method: "post",
    path: PATH,
    id: "createMailAlias",
    scope: "mailer:write",
    tag,
    summary: "Create a mail alias; the first becomes the default",
    claims: "effect",
    body: AliasCreate,
    status: 201,
    response: AliasBody,
    errors: [404, 409],
    handler: async ({ deps, principal, body }) => {
      const { transport, oauth, ...rest } = body;
      const alias = await createAlias(deps, principal, {
        ...camelKeys(rest),
        email: body.email,
        ...loginOf(oauth),
        ...(transport === undefined ? {} : transportOf({ transport })),
      });
      if (body.inbox != null) await readSoon(deps, alias.id);
      return aliasToWire(alias, deps.clock.now());
    },
  }),
  operation({
    method: "get",
    path: ONE,
    id: "getMailAlias",
    record: "mail_aliases",
    scope: "mailer:read",
    tag,
    summary: "Get a mail alias",
    params,
    response: AliasBody,
    handler: async ({ deps, principal, params }) =>
      asRevised(await requireAlias(deps, principal, params.alias_id), deps.clock.now()),
  }),
  operation({
    method: "patch",
    path: ONE,
    id: "changeMailAlias",
    record: "mail_aliases",
    scope: "mailer:write",
    tag,
    summary: "Change a mail alias; new credentials make one in error active again",
    claims: "effect",
    params,
    body: AliasChange,
    response: AliasBody,
    errors: [409],
    handler: async ({ deps, principal, params, body }) => {
      const { transport, oauth, ...rest } = body;
      const change = {
        ...camelKeys(rest),
        ...loginOf(oauth),
        ...(transport === undefined ? {} : transportOf({ transport })),
      };
      const alias = await changeAlias(deps, principal, params.alias_id, change);
      if (body.inbox != null) await readSoon(deps, alias.id);
      return asRevised(alias, deps.clock.now());
    },
  }),
  operation({
    method: "delete",
    path: ONE,
    id: "deleteMailAlias",
    record: "mail_aliases",
    scope: "mailer:write",
    tag,
    summary: "Delete a mail alias that no campaign under way sends from",
    claims: "effect",
    params,
    response: Deleted,
    errors: [409],
    handler: ({ deps, principal, params }) => done(removeAlias(deps, principal, params.alias_id)),
  }),
  operation({
    method: "post",
    path: `${ONE}/test`,
    id: "testMailAlias",
    scope: "mailer:send",
    tag,
    summary: "Test the account, and whether replies come back",
    description:
      "Connects as for a send: TLS, login and sender. Where that goes well, and no such mail went out in the last five minutes, a mail with a token goes from the alias to the address to which its replies go. `replies_return` of the alias is `yes` once it has come back, by whatever way mail reaches this service, and `no` when it has not within 15 minutes.",
    params,
    response: AliasTestReport,
    handler: async ({ deps, principal, params }) => {
      const test = await testAliasAndReplies(deps, principal, params.alias_id);
      const { repliesReturn, tokenMailedTo, ...report } = test;
      return {
        ...report,
        replies_return: repliesReturn,
        token_mailed_to: tokenMailedTo,
        checked_at: deps.clock.now().toISOString(),
      };
    },
  }),
];
