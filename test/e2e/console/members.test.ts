/** People share a workspace: one is invited, sees what their role lets them see, goes between workspaces, and is taken out. */
import { describe, expect, test } from "vitest";
import { asLogin, hasBrowser, inspect, joinFree, useConsole } from "../../support/console.ts";

describe.runIf(hasBrowser)("members", () => {
  const it = useConsole();
  const dialog = () => it.page.getByRole("dialog");
  const heading = (name: string) => it.page.getByRole("heading", { level: 1, name }).waitFor();
  const workspace = () => it.page.locator(".rail-foot b").innerText();
  const GUEST = "demo-free@overture.zz";

  async function signOut(): Promise<void> {
    await it.page.getByRole("button", { name: "Sign out", exact: true }).click();
    await heading("Sign in");
  }
  /** What the page itself is answered, by its own session. */
  const asPage = (method: string, path: string) =>
    it.page.evaluate<{ status: number; code: string; role: string }>(
      `fetch("${path}", { method: "${method}" }).then(async (reply) => ({ status: reply.status, ...(await reply.json()) }))`,
    );

  test("an invited viewer reads, may not launch, and is told what it takes", async () => {
    const { page, service } = it;
    const create = async (path: string, body: unknown) =>
      (await service.api("POST", path, body)) as { id: string; campaign_id: string };
    const { host, port, security, username, password } = service.stack.mailbox.smtp;
    const alias = await create("/api/v2/mailer/aliases", {
      email: "ann@shared.zz",
      display_name: "Ann",
      transport: { kind: "smtp", host, port, security, username, password },
    });
    const dataset = await create("/api/v2/datasets", { name: "People" });
    await create(`/api/v2/datasets/${dataset.id}/leads`, { email: "lead@inbox.zz" });
    const { campaign_id: campaign } = await create("/api/v2/campaigns/", {
      ...{ name: "Shared", dataset_id: dataset.id, alias_ids: [alias.id] },
      steps: [{ step: 1, variants: [{ type: "INLINE", subject: "Hello", body: "Hello" }] }],
    });

    await it.open("/settings/members");
    await page.getByText("Nobody is invited at the moment.").waitFor();
    const home = await workspace();
    await page.getByRole("button", { name: "Invite somebody" }).click();
    await dialog().getByLabel("Their email address").fill("nobody");
    await dialog().getByLabel("As").selectOption("viewer");
    await dialog().getByRole("button", { name: "Invite", exact: true }).click();
    await page.locator("input[name=email]:focus").waitFor();
    expect(await dialog().getByLabel("As").inputValue()).toBe("viewer");
    await dialog().getByLabel("Their email address").fill(GUEST);
    await dialog().getByRole("button", { name: "Invite", exact: true }).click();
    const link = new URL(await dialog().locator(".secret code").innerText());
    await dialog().getByRole("button", { name: "I have it" }).click();
    await page.getByRole("rowheader", { name: GUEST }).waitFor();
    expect(await page.content()).not.toContain(link.pathname.split("/").at(-1));

    await signOut();
    await it.open(link.pathname.replace("/console", ""));
    await it.signIn(service.access.free_jwt);
    await heading("You are invited");
    await page.getByText(`You are signed in as ${GUEST}.`).waitFor();
    expect(await inspect(page, () => heading("You are invited"))).toEqual([]);
    await page.getByRole("button", { name: "Accept and go there" }).click();
    await heading("Today");
    await page.getByRole("rowheader", { name: "ann@shared.zz" }).waitFor();
    expect(await workspace()).toBe(home);
    expect(await asPage("POST", `/api/v2/campaigns/${campaign}/launch`)).toMatchObject({
      ...{ status: 403, code: "ROLE_MISSING", role: "member" },
    });

    await it.open(`/campaigns/${campaign}`);
    await page.getByRole("button", { name: "Launch" }).first().click();
    await dialog()
      .getByRole("button", { name: /^Launch: 1 / })
      .click();
    await dialog().getByRole("alert").getByText("Not allowed.").waitFor();
    await page.keyboard.press("Escape");
    expect(await service.api("GET", `/api/v2/campaigns/${campaign}`)).toMatchObject({
      status: "draft",
    });

    await it.open("/settings/members");
    await page.getByText("you are viewer: owners and admins invite").waitFor();
    expect(await page.getByRole("button", { name: "Invite somebody" }).count()).toBe(0);
    await it.open("/emails/new");
    await page.getByLabel("To", { exact: true }).fill("bo@inbox.zz");
    await page.getByLabel("Subject").fill("Mine");
    await page.getByLabel("Text").fill("Hello");
    await page.getByRole("button", { name: "Send it" }).click();
    await page.getByRole("alert").getByText("Not allowed.").waitFor();
    expect(await page.getByLabel("Subject").inputValue()).toBe("Mine");

    await it.open("/settings/members");
    await page.getByRole("button", { name: "Go there to Demo (free)" }).click();
    await heading("Today");
    expect(await workspace()).toBe("Demo (free)");
    // The link was good once, and for nothing more.
    await it.open(link.pathname.replace("/console", ""));
    await page.getByRole("button", { name: "Accept and go there" }).click();
    await page.getByRole("alert").getByText("Not there.").waitFor();
  });

  test("what a page writes is for the workspace that it shows, wherever another tab goes", async () => {
    const { page, service } = it;
    await joinFree(service);
    const goElsewhere = async (name: string) => {
      const tab = await it.context.newPage();
      await tab.goto(`${service.baseUrl}/console/settings/members`);
      await tab.getByRole("button", { name: `Go there to ${name}` }).click();
      await tab.getByRole("heading", { level: 1, name: "Today" }).waitFor();
      await tab.close();
    };
    const makeDataset = async (name: string) => {
      await page.getByRole("button", { name: "New dataset" }).click();
      await dialog().getByLabel("Name").fill(name);
      await dialog().getByRole("button", { name: "Make the dataset" }).click();
    };
    await it.open("/people");
    const home = await workspace();
    await goElsewhere("Demo (free)");
    await makeDataset("Of this page");
    await heading("Import people");
    expect(await workspace()).toBe(home);
    const { items } = (await service.api("GET", "/api/v2/datasets")) as { items: unknown[] };
    expect(items).toContainEqual(expect.objectContaining({ name: "Of this page" }));

    // Who is no member there any more is told.
    await it.open("/people");
    expect(await workspace()).toBe("Demo (free)");
    await goElsewhere(home);
    const { user_id: id } = (await asLogin(
      service,
      service.access.jwt,
      "GET",
      "/api/v2/auth/session",
    )) as { user_id: string };
    await asLogin(service, service.access.free_jwt, "DELETE", `/api/v2/workspace/members/${id}`);
    await makeDataset("Of nobody");
    await dialog().getByRole("alert").getByText("no member of that workspace").waitFor();
    await page.reload();
    await expect.poll(workspace).toBe(home);
  });

  test("the owner gives a role, takes somebody out, and signs out everywhere", async () => {
    const { page } = it;
    await it.open("/settings/members");
    const guest = page.getByRole("row").filter({ hasText: GUEST });
    await guest.getByRole("combobox").selectOption("member");
    await dialog().getByRole("button", { name: "Cancel" }).click();
    expect(await guest.getByRole("combobox").inputValue()).toBe("viewer");
    await guest.getByRole("combobox").selectOption("member");
    await dialog().getByRole("button", { name: "Make them member" }).click();
    await guest.getByText("works with campaigns").waitFor();
    expect(await guest.getByRole("combobox").inputValue()).toBe("member");
    await guest.getByRole("button", { name: "Take out" }).click();
    await dialog().getByRole("button", { name: "Take them out" }).click();
    await guest.waitFor({ state: "detached" });

    // The last owner stays.
    await page.getByRole("button", { name: "Leave" }).click();
    await dialog().getByRole("button", { name: "Leave" }).click();
    await page.getByRole("alert").getByText("It is otherwise now.").waitFor();
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await dialog().getByRole("button", { name: "Sign out everywhere" }).click();
    await heading("Sign in");
  });
});
