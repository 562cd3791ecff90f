/** From a file of people to the answer that was answered, in the console alone: no step needs the API. */
import { describe, expect, test } from "vitest";
import { hasBrowser, useConsole } from "../../support/console.ts";
import { eventually } from "../../support/service.ts";

interface Mail {
  id: string;
  subject: string;
  text: string;
}

const HOUR = 3_600;
/** A weekend and its two nights. */
const MOST_HOURS = 4 * 24;
/** The network's people do what their slug says: she accepts soon, and answers. */
const CSV = `First name,Last name,Company,E-Mail,Profile
Mara,Linde,Harbour Pilots,mara@inbox.zz,https://www.linkedin.com/in/quick-answers-mara
`;

describe.runIf(hasBrowser)("the whole way", () => {
  const it = useConsole();
  const mailsTo = (to: string) =>
    it.service.mailbox("GET", `/api/messages?to=${to}`) as Promise<Mail[]>;
  const h1 = (name: string) => it.page.getByRole("heading", { level: 1, name }).waitFor();

  /** Time goes on by hours until it is so. */
  async function inTime<Value>(
    what: string,
    look: () => Promise<Value | undefined>,
  ): Promise<Value> {
    for (let hours = 0; hours < MOST_HOURS; hours++) {
      const found = await look();
      if (found !== undefined) return found;
      await it.service.advance(HOUR);
    }
    throw new Error(`In ${MOST_HOURS} hours it did not come to this: ${what}`);
  }

  async function connectAlias(): Promise<void> {
    const { page } = it;
    const { smtp, imap } = it.service.stack.mailbox;
    await it.open("/senders/aliases/new");
    await page.getByLabel("Address").fill("anna@nordwind.zz");
    await page.getByLabel("Name that receivers see").fill("Anna Berg");
    await page.getByLabel("Host").fill(smtp.host);
    await page.getByLabel("Port").fill(String(smtp.port));
    await page.getByLabel("User name").fill("anna@nordwind.zz");
    await page.getByLabel("Password").fill(smtp.password);
    await page.getByLabel("Read its inbox for answers and bounces (IMAP)").check();
    const inbox = page.getByRole("group", { name: "Inbox" });
    await inbox.getByLabel("Host").fill(imap.host);
    await inbox.getByLabel("Port").fill(String(imap.port));
    await page.getByLabel("Password of the inbox").fill(smtp.password);
    await page.getByRole("button", { name: "Connect" }).click();
    await h1("anna@nordwind.zz");
  }

  async function connectAccount(): Promise<void> {
    const { page } = it;
    const dialog = page.getByRole("dialog");
    await it.open("/network");
    await page.keyboard.press("n");
    await dialog.getByLabel("Username").fill("otp@network.zz");
    await dialog.getByLabel("Password").fill("correct horse");
    await dialog.getByRole("button", { name: "Connect", exact: true }).click();
    await dialog.getByLabel("Code").fill("123456");
    await dialog.getByRole("button", { name: "Send the code" }).click();
    await page.getByText("connected", { exact: true }).waitFor();
  }

  test("people are imported, a campaign of mails and network steps is made and launched, and who answers is answered", async () => {
    const { page } = it;
    await connectAlias();
    await connectAccount();

    await it.open("/people");
    await page.evaluate(`consolePage.drop("pilots.csv", ${JSON.stringify(CSV)})`);
    await h1("Import people");
    await page.getByRole("button", { name: "Import 1 person" }).click();
    await h1("pilots");

    await it.open("/campaigns/new");
    await page.getByLabel("Name").fill("Pilots");
    await page.getByLabel("People").selectOption({ label: "pilots: 1 person" });
    await page.getByLabel("anna@nordwind.zz").check();
    await page.getByLabel("Network account").selectOption({ index: 1 });
    await page.getByLabel("Subject of the first message").fill("Who pilots {{ company }}?");
    await page.getByLabel("First message", { exact: true }).fill("Hello {{ first_name }}");
    await page.getByRole("button", { name: "Make the draft" }).click();
    await h1("Pilots: steps");
    const step = (number: number) =>
      page.getByRole("region", { name: `Step ${number}`, exact: true });
    await page.getByRole("button", { name: "Add a step on the network" }).click();
    await step(2).getByLabel("What it does").selectOption("connection_request");
    await step(2).getByLabel("Days after the step before").fill("0");
    await step(2)
      .getByLabel("Note of the request")
      .fill("Hello {{ first_name }}, shall we connect?");
    await page.getByRole("button", { name: "Add a step on the network" }).click();
    await step(3).getByLabel("What it does").selectOption("message");
    await step(3).getByLabel("Days after the step before").fill("0");
    await step(3).getByLabel("Message").fill("Thank you, {{ first_name }}.");
    await page.getByRole("button", { name: "Save the steps" }).click();
    await page.getByText("The steps are saved.").waitFor();

    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByText("Draft.").waitFor();
    await page.keyboard.press("l");
    const launch = page.getByRole("dialog", { name: "Launch Pilots?" });
    await launch.getByRole("button", { name: /^Launch: 1 person/ }).click();
    await launch.waitFor({ state: "detached" });

    const first = await inTime("the mail arrives", async () => (await mailsTo("mara@inbox.zz"))[0]);
    expect(first).toMatchObject({ subject: "Who pilots Harbour Pilots?" });
    await it.open("/inbox");
    const thread = page.locator(".rows a").filter({ hasText: "Mara Linde" });
    await inTime("she answers on the network", async () => {
      await page.reload();
      await page.waitForSelector("h1");
      await page.waitForSelector(".skeleton", { state: "detached" });
      return (await thread.count()) > 0 ? thread : undefined;
    });
    await thread.first().click();
    await page.getByText("Thank you, Mara.").first().waitFor();
    const box = page.getByLabel(/^Answer to /);
    await box.fill("Gladly: Thursday at ten.");
    await page.getByRole("button", { name: /^Answer / }).click();
    await page.getByText("Your answer is on its way.").waitFor();
    await eventually("the answer stands in the thread", async () => {
      await it.service.advance(60);
      return (await page.getByText("Gladly: Thursday at ten.").count()) > 0;
    });
  });
});
