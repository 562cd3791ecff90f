import { beforeAll, expect, test } from "vitest";
import { eventually, statusOf, type TestService } from "../support/service.ts";
import { sharedService } from "../support/shared-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});

interface Login {
  success: boolean;
  account: { id: string; status: string };
  checkpoint_type: string | null;
  checkpoint_token: string | null;
}

const post = async <Body>(path: string, body?: unknown) =>
  (await service.api("POST", path, body)) as Body;
const get = async <Body>(path: string) => (await service.api("GET", path)) as Body;

const ACCOUNTS = "/api/v1/connected-accounts";

/** Connects an account; the kinds of challenges that it met. */
async function connect(username: string): Promise<{ id: string; asked: string[] }> {
  const asked: string[] = [];
  let login = await post<Login>(`${ACCOUNTS}/connect`, {
    provider: "socialnet",
    username,
    password: "correct horse",
  });
  while (!login.success) {
    asked.push(login.checkpoint_type!);
    const answer = { checkpoint_token: login.checkpoint_token, code: "123456" };
    login = await post<Login>(`${ACCOUNTS}/checkpoint`, answer);
  }
  expect(login.account.status).toBe("connected");
  return { id: login.account.id, asked };
}

interface Said {
  data: { message_id: string; chat_id: string };
}
interface Chats {
  data: { items: { chat_id: string; last_message: { text: string; direction: string } }[] };
}

test("an account is connected through two checkpoints, and says something that is heard and answered", async () => {
  const account = await connect("twice@example.zz");
  expect(account.asked).toEqual(["otp", "two_factor"]);
  const order = { account_id: account.id, identifier: "friend-answers-ada" };
  const { data } = await post<Said>("/api/v1/socialnet/message", { ...order, text: "Hello Ada" });
  await service.advance(1_800);
  const chats = await get<Chats>(`/api/v1/socialnet/chats?account_id=${account.id}`);
  expect(chats.data.items).toEqual([
    expect.objectContaining({
      chat_id: data.chat_id,
      last_message: expect.objectContaining({ direction: "in" }),
    }),
  ]);
  await service.api("DELETE", `${ACCOUNTS}/${account.id}`);
});

const PEOPLE = {
  accepts: "quick-answers-mara-linde",
  refuses: "declines-bo-ek",
  writes: "quick-cy-mail",
};
type Who = keyof typeof PEOPLE;
const addressOf = (who: Who) => `${who}@inbox.zz`;

/** An email, a day later a connection request with a note, once it is accepted a message, and later another. */
async function launchMixed(accountId: string): Promise<string> {
  const { host, port, security, username, password } = service.stack.mailbox.smtp;
  const alias = await post<{ id: string }>("/api/v1/mailer/aliases", {
    email: "me@sender.zz",
    display_name: "Me",
    transport: { kind: "smtp", host, port, security, username, password },
  });
  const dataset = await post<{ id: string }>("/api/v1/datasets", { name: "People" });
  const rows = Object.entries(PEOPLE).map(([who, slug]) => ({
    email: addressOf(who as Who),
    first_name: who,
    profile_url: `https://www.linkedin.com/in/${slug}`,
  }));
  await post(`/api/v1/datasets/${dataset.id}/import`, { rows });
  const { campaign_id: id } = await post<{ campaign_id: string }>("/api/v1/campaigns/", {
    name: "Mail, then the network",
    type: "mixed",
    dataset_id: dataset.id,
    alias_ids: [alias.id],
    connected_account_id: accountId,
    sending_window_start: "00:00",
    sending_window_end: "00:00",
    send_days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
    min_interval_seconds: 60,
    steps: [
      {
        step: 1,
        channel: "email",
        variants: [{ type: "INLINE", subject: "Hello", body: "By mail" }],
      },
      {
        step: 2,
        channel: "socialnet",
        delay_days: 1,
        action_type: "connection_request",
        message_template: "A note for {{ first_name }}",
      },
      {
        step: 3,
        channel: "socialnet",
        delay_days: 0,
        action_type: "message",
        message_template: "Thank you",
      },
      {
        step: 4,
        channel: "socialnet",
        delay_days: 2,
        action_type: "message",
        message_template: "Are you there?",
      },
    ],
  });
  await post(`/api/v1/campaigns/${id}/launch`);
  await eventually("the launch ends", async () => (await statusOf(service, id)) === "active");
  return id;
}

interface Lead {
  id: string;
  lead_id: string;
  email: string;
  status: string;
  stop_reason: string | null;
}
async function leadsOf(campaign: string): Promise<Record<Who, Lead>> {
  const { items } = await get<{ items: Lead[] }>(`/api/v1/campaigns/${campaign}/leads`);
  return Object.fromEntries(items.map((lead) => [lead.email.split("@")[0]!, lead])) as Record<
    Who,
    Lead
  >;
}

/** Moves the clock by steps until it holds. */
async function moveUntil(
  what: string,
  step: { seconds: number; most: number },
  holds: () => Promise<boolean>,
): Promise<void> {
  for (let moves = 0; moves < step.most; moves++) {
    if (await holds()) return;
    await service.advance(step.seconds);
  }
  if (!(await holds())) throw new Error(`It never came about that ${what}`);
}

interface Thread {
  id: string;
  channel: string;
  messages: { class: string; text: string; direction: string }[];
}
async function threadsOf(campaign: string, { lead_id }: Lead): Promise<Thread[]> {
  const { items } = await get<{ items: Thread[] }>(
    `/api/v1/conversations?campaign_id=${campaign}&lead_id=${lead_id}`,
  );
  return Promise.all(items.map(({ id }) => get<Thread>(`/api/v1/conversations/${id}`)));
}

const actsOn = (who: Who) =>
  service.stack.network
    .acts()
    .filter(({ person }) => person === PEOPLE[who])
    .map(({ kind, text }) => [kind, text]);
const INVITED = (who: Who) => [
  ["view", null],
  ["invite", `A note for ${who}`],
];

/** Of messages in the mailbox, those whose subject has these words. */
const mailAbout = async (words: string) =>
  (await service.stack.mailbox.messages()).filter(({ subject }) => subject.includes(words));

test("a mixed campaign: one accepts and answers, one does not accept, and one answers by mail before", async () => {
  const { id: accountId } = await connect("otp@example.zz");
  const campaign = await launchMixed(accountId);
  const areEmailed = async () => (await mailAbout("Hello")).length === 3;
  await moveUntil("all are emailed", { seconds: 120, most: 10 }, areEmailed);
  const toWriter = (await mailAbout("Hello")).find(({ to }) => to.includes(addressOf("writes")))!;
  await service.mailbox("POST", `/api/messages/${toWriter.id}/reply`, { text: "By mail, please" });
  expect((await leadsOf(campaign)).writes.status).toBe("replied");

  const hasReplied = async () => (await leadsOf(campaign)).accepts.status === "replied";
  await moveUntil("one accepts and answers", { seconds: 6 * 3_600, most: 8 }, hasReplied);
  const { accepts } = await leadsOf(campaign);
  expect(actsOn("accepts")).toEqual([...INVITED("accepts"), ["message", "Thank you"]]);
  const relations = service.stack.network.log
    .entries()
    .filter(({ summary }) => summary === "webhook users -> 200");
  expect(relations.length, "told by webhook").toBe(1);
  const [thread, ...others] = await threadsOf(campaign, accepts);
  expect(others).toEqual([]);
  expect(thread!.messages.map((message) => [message.class, message.text.trim()])).toEqual([
    ["sent", expect.stringContaining("By mail")],
    ["connection_request", "A note for accepts"],
    ["sent", "Thank you"],
    ["reply", expect.stringMatching(/./)],
  ]);

  expect(actsOn("refuses"), "nothing is said to whom does not accept").toEqual(INVITED("refuses"));
  expect(actsOn("writes")).toEqual([]);
  const notices = (await mailAbout("replied (Mail, then the network)")).map((each) => each.subject);
  expect(notices.map((subject) => subject.split(" ")[0])).toEqual(["writes", "accepts"]);
});
