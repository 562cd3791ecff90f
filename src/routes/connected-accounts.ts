import * as z from "zod";
import {
  changeAccount,
  readAccounts,
  removeAccount,
  requireAccount,
} from "#src/domain/network/accounts.ts";
import { answerCheckpoint } from "#src/domain/network/checkpoint.ts";
import { connectAccount } from "#src/domain/network/connect.ts";
import { reconnectAccount } from "#src/domain/network/reconnect.ts";
import { camelKeys } from "#src/http/case.ts";
import { Deleted, done, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import {
  AccountBody,
  AccountChange,
  accountToWire,
  CheckpointAnswered,
  checkpointToWire,
  CheckpointCode,
  Connected,
  ConnectBody,
  connectToWire,
  ReconnectBody,
} from "./connected-account-schemas.ts";

const PATH = "/api/v1/connected-accounts";
const ONE = `${PATH}/{account_id}`;
const tag = "Connected accounts";
const params = z.object({ account_id: uuid });

export const connectedAccountRoutes: Mount[] = [
  operation({
    method: "post",
    path: `${PATH}/connect`,
    id: "connectAccount",
    scope: "network:send",
    tag,
    summary: "Connect an account of a professional network",
    description:
      "Username and password go to the network's provider in this one request and are kept nowhere. Where the network asks for more, `success` is false and the token of the checkpoint is good for five minutes and five tries. Whoever is connected already gets the same record, with the new session.",
    envelope: "legacy",
    limit: "connect",
    shownOnce: ["checkpoint_token"],
    body: ConnectBody,
    response: Connected,
    errors: [400, 409, 502, 503],
    handler: async ({ deps, principal, body: { username, password, country } }) => {
      const credentials = { username, password, ...(country == null ? {} : { country }) };
      return connectToWire(await connectAccount(deps, principal, credentials), deps.clock.now());
    },
  }),
  operation({
    method: "post",
    path: `${PATH}/checkpoint`,
    id: "answerCheckpoint",
    scope: "network:send",
    tag,
    summary: "Answer a checkpoint by its code",
    description:
      "An empty code asks whether an `in_app_validation` was approved, and costs no try. A further challenge answers with a token of its own, which ends the one before it.",
    envelope: "legacy",
    limit: "checkpoint",
    shownOnce: ["checkpoint_token"],
    body: CheckpointCode,
    response: CheckpointAnswered,
    errors: [400, 404, 409, 502, 503],
    handler: async ({ deps, principal, body }) => {
      const answer = { token: body.checkpoint_token, code: body.code };
      return checkpointToWire(await answerCheckpoint(deps, principal, answer), deps.clock.now());
    },
  }),
  operation({
    method: "get",
    path: PATH,
    id: "listConnectedAccounts",
    scope: "network:read",
    tag,
    summary: "List connected accounts",
    list: { by: "id" },
    response: z.array(AccountBody),
    handler: async ({ deps, principal, part }) => {
      const now = deps.clock.now();
      return (await readAccounts(deps, principal, part)).map((account) =>
        accountToWire(account, now),
      );
    },
  }),
  operation({
    method: "get",
    path: ONE,
    id: "getConnectedAccount",
    scope: "network:read",
    tag,
    summary: "Get a connected account",
    envelope: "legacy",
    params,
    response: AccountBody,
    handler: async ({ deps, principal, params }) =>
      accountToWire(await requireAccount(deps, principal, params.account_id), deps.clock.now()),
  }),
  operation({
    method: "patch",
    path: ONE,
    id: "changeConnectedAccount",
    scope: "network:send",
    tag,
    summary: "Change an account's limits, or make it the default",
    description:
      "Limits hold at once. The default is taken from an account by giving it to another.",
    claims: "effect",
    params,
    body: AccountChange,
    response: AccountBody,
    errors: [409],
    handler: async ({ deps, principal, params, body }) =>
      accountToWire(
        await changeAccount(deps, principal, params.account_id, camelKeys(body)),
        deps.clock.now(),
      ),
  }),
  operation({
    method: "post",
    path: `${ONE}/reconnect`,
    id: "reconnectAccount",
    scope: "network:send",
    tag,
    summary: "Connect an account again that is disconnected or in error",
    description:
      "Answers as connect does; ten an hour for each account, beside connect's own. Campaigns that were paused for want of the account go on.",
    limit: "reconnect",
    shownOnce: ["checkpoint_token"],
    params,
    body: ReconnectBody,
    response: Connected,
    errors: [400, 409, 502, 503],
    handler: async ({ deps, principal, params, body: { username, password, country } }) => {
      const credentials = { username, password, ...(country == null ? {} : { country }) };
      return connectToWire(
        await reconnectAccount(deps, principal, params.account_id, credentials),
        deps.clock.now(),
      );
    },
  }),
  operation({
    method: "delete",
    path: ONE,
    id: "deleteConnectedAccount",
    scope: "network:send",
    tag,
    summary: "Delete an account that no campaign under way uses, and end its session",
    params,
    response: Deleted,
    errors: [409, 502, 503],
    handler: ({ deps, principal, params }) =>
      done(removeAccount(deps, principal, params.account_id)),
  }),
];
