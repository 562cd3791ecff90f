import { beforeAll, expect, test } from "vitest";
import { eventually, type TestService } from "../support/service.ts";
import { sharedService } from "../support/shared-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});

interface Account {
  id: string;
  status: string;
  provider_account_id: string;
}
interface Login {
  success: boolean;
  account: Account;
  checkpoint_token: string | null;
}

const ACCOUNTS = "/api/v1/connected-accounts";
const credentials = { username: "otp@example.zz", password: "correct horse" };
const read = async (id: string) => (await service.api("GET", `${ACCOUNTS}/${id}`)) as Account;
const hasSession = (session: string) =>
  service.stack.network.accounts().some(({ id }) => id === session);

/** By name and password, then by the code that is asked for. */
async function logIn(at: string): Promise<Account> {
  const begun = (await service.api("POST", `${ACCOUNTS}/${at}`, credentials)) as Login;
  expect(begun.success).toBe(false);
  const code = { checkpoint_token: begun.checkpoint_token, code: "123456" };
  return ((await service.api("POST", `${ACCOUNTS}/checkpoint`, code)) as Login).account;
}

test("an account is connected by a code; again it is the same with another session; what the network ends is noticed and told", async () => {
  const first = await logIn("connect");
  const account = await logIn("connect");
  expect([account.id, account.status]).toEqual([first.id, "connected"]);
  await service.advance(60);
  await eventually(
    "the session that was replaced is ended",
    () => !hasSession(first.provider_account_id),
  );
  expect(hasSession(account.provider_account_id)).toBe(true);

  service.stack.network.control.setStatus(account.provider_account_id, "CREDENTIALS");
  await service.advance(9 * 3_600);
  // A clock that is moved passes over heartbeats of an engine that has nothing to do.
  await service.stack.heartbeat.runNow();
  await eventually(
    "the account is seen to be disconnected",
    async () => (await read(account.id)).status === "disconnected",
  );
  await service.advance(60);
  const told = await eventually("its owner is told", async () => {
    const messages = await service.stack.mailbox.messages();
    return messages.find(({ subject }) => subject.includes("is not connected any more"));
  });
  expect(told.text).toContain(`${ACCOUNTS}/${account.id}/reconnect`);
  expect((await logIn(`${account.id}/reconnect`)).status).toBe("connected");
});
