/** Senders, the domain's doctor, people and their import, templates, suppressions: as a person uses them. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasBrowser, inspect, useConsole } from "../../support/console.ts";
import { linkToWorkerd } from "../../../scripts/stack/worker-link.ts";
import { type Publishable, zoneFor } from "../../support/publish.ts";
import { aggregateXml, reportMail } from "../../support/reports.ts";

const HOSTILE = '<img src=x onerror="alert(1)">';

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole("heading", { level: 1, name }).waitFor();
const idIn = (page: Page) => new URL(page.url()).pathname.split("/").at(-1)!;
const quiet = (page: Page) => page.waitForSelector(".skeleton", { state: "detached" });

describe.runIf(hasBrowser)("senders", () => {
  const it = useConsole();

  test("the doctor turns green as the records appear in DNS, by keyboard alone", async () => {
    const { page, service } = it;
    await it.open("/senders/domains");
    await page.getByText("No domain is looked after yet.").waitFor();
    // Before anything is painted: the letters behind the key are the field's, and no keys of the page.
    const focused = await page.evaluate(`(async () => {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "n", bubbles: true }));
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      return document.activeElement?.getAttribute("name");
    })()`);
    expect(focused).toBe("domain");
    await page.keyboard.type("not a domain");
    await page.keyboard.press("Enter");
    await page.locator("dialog .fault").waitFor();
    await page.waitForSelector("input[name=domain]:focus");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("doctor.zz");
    await page.keyboard.press("Enter");
    await heading(page, "doctor.zz");
    await page.getByText(/^Publish these \d+ records, then check doctor\.zz\.$/).waitFor();

    const domain = (await service.api(
      "GET",
      `/api/v1/mailer/domains/${idIn(page)}`,
    )) as Publishable;
    const other = zoneFor(domain, ["dmarc"]);
    service.stack.dns.zones.put("doctor.zz", `${other}_dmarc.doctor.zz. TXT "v=DMARC1; p=wrong"\n`);
    await page.keyboard.press("c");
    const dmarc = page.getByRole("listitem").filter({ hasText: "DMARC" });
    await dmarc.getByText("differs").waitFor();
    await dmarc.locator("mark.lacking", { hasText: "p=none" }).waitFor();
    await dmarc.locator("mark.extra", { hasText: "p=wrong" }).waitFor();
    await page.getByText("1 required one is not").waitFor();
    // What is wrong stands first.
    await page.locator(".records > li:first-child", { hasText: "DMARC" }).waitFor();
    expect(await inspect(page, () => quiet(page))).toEqual([]);

    service.stack.dns.zones.put("doctor.zz", zoneFor(domain));
    await page.keyboard.press("c");
    await page.getByText("Everything is right").waitFor();
    await page.getByText(/^checked (now|\d+ s ago)$/).waitFor();
    await page.getByText("No report has come yet").waitFor();
    await page.getByText("Nothing has gone out yet").waitFor();
    const rules = page.getByRole("list", { name: "Rules of large receivers" });
    await rules
      .locator("li")
      .filter({ hasText: "(SPF)" })
      .getByText("kept", { exact: true })
      .waitFor();
    const unknown = rules.locator("li").filter({ hasText: "(RFC 8058)" });
    await unknown.getByText("not known").waitFor();
    await unknown.getByText("press Unsubscribe").waitFor();
    const xml = aggregateXml({
      ...{ domain: "doctor.zz", begin: new Date(Date.now() - 86_400_000) },
      records: [{ count: 7, ip: "192.0.2.9", envelope: "bounce.tool.zz" }],
    });
    await linkToWorkerd(service.worker().eventsUrl!).email({
      ...{ from: "dmarc@receiver.zz", to: "dmarc@reports.overture.zz" },
      raw: new Uint8Array(reportMail(xml)),
    });
    await page.reload();
    const tool = page.getByRole("row").filter({ hasText: "tool.zz" });
    await tool.getByText("192.0.2.9").waitFor();
    await page.getByText("So far 1 receiver has reported 7 messages on 1 day").waitFor();
    expect(await inspect(page, () => quiet(page))).toEqual([]);
    await page.getByText("Show it").click();
    const zone = await page.locator("pre").innerText();
    expect(zone).toMatch(/^_overture\.doctor\.zz\. +3600 IN TXT +"overture-domain=/m);
  });

  test("the limit of a domain says what is wrong with it, and is kept", async () => {
    const { page, service } = it;
    const { id } = (await service.api("POST", "/api/v1/mailer/domains", {
      domain: "limit.zz",
    })) as { id: string };
    await it.open(`/senders/domains/${id}`);
    const limit = page.getByLabel("Messages a day");
    await limit.fill("many");
    await page.getByRole("button", { name: "Save the limit" }).click();
    await page.locator(".fault").waitFor();
    expect(await limit.inputValue()).toBe("many");
    await limit.fill("120");
    await page.getByRole("button", { name: "Save the limit" }).click();
    await page.getByText("The limit is saved.").waitFor();
    await page.reload();
    await quiet(page);
    expect(await limit.inputValue()).toBe("120");
    await it.open("/senders/domains");
    await page.getByRole("row").filter({ hasText: "limit.zz" }).getByText("120").waitFor();
    expect(await inspect(page, () => quiet(page))).toEqual([]);
  });

  test("an alias is connected by SMTP, tested, paused and deleted; nothing typed is lost on the way", async () => {
    const { page, service } = it;
    await it.open("/senders");
    await quiet(page);
    await page.getByRole("link", { name: "Connect an alias" }).click();
    await heading(page, "Connect an alias");
    expect(await inspect(page, () => quiet(page))).toEqual([]);
    const { host, port, username, password } = service.stack.mailbox.smtp;
    await page.getByLabel("Address").fill("ada@nordwind.zz");
    await page.getByLabel("Name that receivers see").fill(HOSTILE);
    await page.getByLabel("Host").fill(host);
    await page.getByLabel("Port").fill("none");
    await page.getByLabel("User name").fill(username);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Connect" }).click();
    await page.waitForSelector("input[name='transport/port']:focus");
    // A reload keeps all but the password.
    await page.reload();
    expect(await page.getByLabel("Address").inputValue()).toBe("ada@nordwind.zz");
    expect(await page.getByLabel("Password").inputValue()).toBe("");
    await page.getByLabel("Port").fill(String(port));
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Connect" }).click();
    await heading(page, "ada@nordwind.zz");
    await page.keyboard.press("t");
    await page.getByRole("heading", { name: "The test went well" }).waitFor();
    expect(await inspect(page, () => quiet(page))).toEqual([]);

    await page.getByLabel("At most a day").fill("40");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").getByText("Saved.", { exact: true }).waitFor();
    const read = () => service.api("GET", `/api/v1/mailer/aliases/${idIn(page)}`);
    expect(await read()).toMatchObject({ daily_limit: 40, display_name: HOSTILE });

    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Pause" }).click();
    await page.getByText("You paused it").waitFor();
    await it.open("/senders");
    const row = page.getByRole("row").filter({ hasText: "ada@nordwind.zz" });
    await row.getByText("paused", { exact: true }).waitFor();
    await row.getByText("ramping up: 5 more each day").waitFor();
    expect(await inspect(page, () => quiet(page))).toEqual([]);
    await row.getByRole("link").click();
    await heading(page, "ada@nordwind.zz");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByText("0 campaigns").waitFor();
    await page.getByRole("button", { name: "Delete the alias" }).click();
    await heading(page, "Senders");
    await row.waitFor({ state: "detached" });
  });

  test("a wrong password says whose fault it is and what to do", async () => {
    const { page, service } = it;
    const { host, port, security, username } = service.stack.mailbox.smtp;
    const transport = { kind: "smtp", host, port, security, username, password: "wrong" };
    const { id } = (await service.api("POST", "/api/v1/mailer/aliases", {
      email: "wrong@nordwind.zz",
      display_name: "Wrong",
      transport,
    })) as { id: string };
    await it.open(`/senders/aliases/${id}`);
    await page.getByRole("button", { name: "Test" }).click();
    await page.getByRole("heading", { name: "The test failed" }).waitFor();
    await page
      .getByRole("listitem")
      .filter({ hasText: "the login is taken" })
      .getByText("no")
      .waitFor();
    expect(await inspect(page, () => quiet(page))).toEqual([]);
  });

  test("a mailbox is connected at its provider, and one comes back to its alias", async () => {
    const { page, service } = it;
    const { host, port, security } = service.stack.mailbox.smtp;
    const { id } = (await service.api("POST", "/api/v1/mailer/aliases", {
      email: "anna@nordwind.zz",
      display_name: "Anna",
      transport: { kind: "smtp", host, port, security },
      oauth: { provider: "google" },
    })) as { id: string };
    await it.open(`/senders/aliases/${id}`);
    await page.getByText("Nobody has given access to this mailbox yet").waitFor();
    await page.getByRole("button", { name: "Give access at Google" }).click();
    await page.getByRole("button", { name: "Allow" }).click();
    await heading(page, "anna@nordwind.zz");
    await page.getByText("The mailbox is connected.").waitFor();
    await page.getByRole("heading", { name: "Connected at Google" }).waitFor();
    expect(await inspect(page, () => quiet(page))).toEqual([]);
    // The provider's page is another place, and the only one.
    const others = new Set(it.complaints.map((said) => new URL(said.replace("asked ", "")).origin));
    expect([...others]).toEqual([new URL(service.stack.oauth.url).origin]);
    it.complaints.length = 0;
  });

  test("what is in use is not deleted, and it says by whom", async () => {
    const { page, service } = it;
    const { id } = (await service.api("POST", "/api/v1/mailer/domains", {
      domain: "used.zz",
    })) as { id: string };
    const { host, port, security } = service.stack.mailbox.smtp;
    await service.api("POST", "/api/v1/mailer/aliases", {
      email: "ben@used.zz",
      display_name: "Ben",
      transport: { kind: "smtp", host, port, security },
      domain_id: id,
    });
    await it.open(`/senders/domains/${id}`);
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("used.zz");
    await page.getByRole("button", { name: "Delete the domain" }).click();
    await page.getByRole("alert").getByRole("link", { name: "ben@used.zz" }).click();
    await heading(page, "ben@used.zz");
  });

  test("a sender profile is written, and another's change is not overwritten", async () => {
    const { page, service } = it;
    await it.open("/senders/profiles/new");
    await page.getByLabel("Name of the profile").fill("Anna");
    await page.getByLabel("Full name").fill("Anna Berg");
    expect(await inspect(page, () => quiet(page))).toEqual([]);
    await page.getByRole("button", { name: "Save the profile" }).click();
    await heading(page, "Anna");
    const path = `/api/v1/sender-profiles/${idIn(page)}`;
    await page.getByLabel("Job title").fill("Engineer");
    await service.api("PATCH", path, { company: "Nordwind", job_title: "Head" });
    await page.getByRole("button", { name: "Save" }).click();
    const note = page.getByRole("alert");
    await note.getByText("Somebody changed it meanwhile.").waitFor();
    await note.getByText("Nordwind").waitFor();
    expect(await inspect(page, () => quiet(page))).toEqual([]);
    await note.getByRole("button", { name: "Keep what I typed" }).click();
    expect(await page.getByLabel("Company", { exact: true }).inputValue()).toBe("Nordwind");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").getByText("Saved.", { exact: true }).waitFor();
    expect(await service.api("GET", path)).toMatchObject({
      company: "Nordwind",
      job_title: "Engineer",
    });
    await it.open("/senders/profiles");
    await page.getByRole("link", { name: "Anna" }).waitFor();
    expect(await inspect(page, () => quiet(page))).toEqual([]);
  });
});

describe.runIf(hasBrowser)("people", () => {
  const it = useConsole();

  const CSV = [
    "E-Mail,Vorname,Firma,Team size",
    `ada@example.zz,Ada,${HOSTILE},40`,
    "nobody,No,None,1",
    "",
    "grace@example.zz,Grace,Compilers,12",
    "also nobody,No,None,1",
    "@example.zz,No,None,1",
  ].join("\r\n");

  async function newDataset(name: string): Promise<string> {
    const made = (await it.service.api("POST", "/api/v1/datasets", { name })) as { id: string };
    return made.id;
  }

  test("a file is looked at first, its bad rows are told and can be had, and then it is imported", async () => {
    const { page } = it;
    await it.open("/people");
    await page.getByText("Nobody is here yet.").waitFor();
    expect(await inspect(page, () => quiet(page))).toEqual([]);
    // Dropped anywhere on the page.
    await page.evaluate(`consolePage.drop("Nordic heads.csv", ${JSON.stringify(CSV)})`);
    await heading(page, "Import people");
    await page.getByRole("heading", { name: "3 rows cannot be taken" }).waitFor();
    expect(await page.locator(".counts").innerText()).toMatch(/new\s+2\s/);
    const becomes = (header: string) => page.getByLabel(`What ${header} becomes`);
    expect(await becomes("E-Mail").inputValue()).toBe("email");
    expect(await becomes("Team size").inputValue()).toBe("custom.team_size");
    await page.getByText("40 · 1").waitFor();
    expect(await inspect(page, () => quiet(page))).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download them as CSV" }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString().trim().split("\r\n");
    expect(lines.map((line) => line.split(",").slice(0, 2).join())).toEqual([
      "E-Mail,Vorname",
      "nobody,No",
      "also nobody,No",
      "@example.zz,No",
    ]);
    // Another choice is looked at anew.
    await becomes("Team size").selectOption("tags");
    await page.getByRole("button", { name: "Import 2 people" }).click();
    await heading(page, "Nordic heads");
    await page.getByRole("row").filter({ hasText: "Ada" }).getByText(HOSTILE).waitFor();
    await page.getByRole("row").filter({ hasText: "Grace" }).getByText("12").waitFor();
    expect(await page.locator("img").count()).toBe(0);
    expect(await inspect(page, () => quiet(page))).toEqual([]);
  });

  test("a list is deleted by its name as it can be typed, however a file wrote it", async () => {
    const { page } = it;
    // A Mac takes the dots apart, and one blank is what is seen of two.
    await it.open(`/people/${await newDataset("Zu\u0308rich  heads")}`);
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog");
    const remove = dialog.getByRole("button", { name: "Delete 0 people" });
    await dialog.getByRole("textbox").fill("Zurich heads");
    expect(await remove.isEnabled()).toBe(false);
    await dialog.getByRole("textbox").fill("Z\u00fcrich heads");
    expect(await remove.isEnabled()).toBe(true);
    await remove.click();
    await heading(page, "People");
  });

  test("a file without a column of addresses asks for one", async () => {
    const { page } = it;
    await it.open(`/people/${await newDataset("Which column")}/import`);
    const csv = "Kontakt,Name\nada@example.zz,Ada\n";
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
    await page.getByRole("alert").getByText("No column holds an email").waitFor();
    await page.getByLabel("What Kontakt becomes").selectOption("email");
    await page.getByRole("button", { name: "Import 1 person" }).click();
    await heading(page, "Which column");
    await page.getByRole("row").filter({ hasText: "ada@example.zz" }).waitFor();
  });

  test("a person is found, changed, refused at the field, and another's change is shown beside", async () => {
    const { page, service } = it;
    const datasetId = await newDataset("Engines");
    const path = `/api/v1/datasets/${datasetId}/leads`;
    const { id } = (await service.api("POST", path, {
      email: "ada@engines.zz",
      first_name: "Ada",
      custom: { team: "Engines", size: 3 },
    })) as { id: string };
    await it.open("/people");
    await page.keyboard.press("/");
    await page.keyboard.type("ada@engines.zz");
    // Others are found by what is typed first.
    await page.waitForURL((url) => url.searchParams.get("q") === "ada@engines.zz");
    const found = page.getByRole("row").filter({ hasText: "ada@engines.zz" });
    await found.getByRole("link", { name: "Ada" }).click();
    await heading(page, "Ada");
    await page.goBack();
    await found.getByRole("link", { name: "Ada" }).waitFor();
    expect(await page.getByRole("searchbox").inputValue()).toBe("ada@engines.zz");
    expect(await inspect(page, () => quiet(page))).toEqual([]);
    await page.goForward();
    await heading(page, "Ada");

    await page.keyboard.press("e");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Country").fill("Atlantis");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.waitForSelector("input[name=country]:focus");
    expect(await dialog.getByLabel("Country").inputValue()).toBe("Atlantis");
    await dialog.getByLabel("Country").fill("DE");
    await dialog.getByLabel("Title").fill("Countess");

    await service.api("PATCH", `${path}/${id}`, { title: "Analyst", company: "Engines Ltd" });
    await dialog.getByRole("button", { name: "Save" }).click();
    const note = dialog.getByRole("alert");
    await note.getByText("Analyst").waitFor();
    await note.getByRole("button", { name: "Take theirs" }).click();
    expect(await dialog.getByLabel("Title").inputValue()).toBe("Analyst");
    expect(await dialog.getByLabel("Country").inputValue()).toBe("DE");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await service.api("GET", `${path}/${id}`)).toMatchObject({
      country: "DE",
      title: "Analyst",
      company: "Engines Ltd",
      custom: { team: "Engines", size: 3 },
    });
    expect(await inspect(page, () => quiet(page))).toEqual([]);

    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Suppress the address" }).click();
    await page.getByRole("button", { name: "Suppress the address" }).click();
    await page.getByText("ada@engines.zz gets no mail any more.").waitFor();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Erase everywhere" }).click();
    const erase = page.getByRole("button", { name: "Erase the person" });
    expect(await erase.isDisabled()).toBe(true);
    await page.getByRole("dialog").getByRole("textbox").fill("ada@engines.zz");
    await erase.click();
    await heading(page, "Engines");
    await page.getByText("Nobody is in this dataset yet.").waitFor();
  });

  test("what a verification costs is said before", async () => {
    const { page, service } = it;
    const id = await newDataset("To verify");
    await service.api("POST", `/api/v1/datasets/${id}/leads`, { email: "x@nowhere.zz" });
    await it.open(`/people/${id}`);
    await page.getByRole("button", { name: "Verify the addresses" }).click();
    await page.getByRole("button", { name: "Verify for at most 1 credit" }).click();
    await page.getByRole("heading", { name: /addresses (verified|are verified)/ }).waitFor();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill(HOSTILE);
    await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
    await heading(page, HOSTILE);
    expect(await page.locator("img").count()).toBe(0);
  });

  test("a sheet that nobody may read says with whom to share it", async () => {
    const { page } = it;
    await it.open(`/people/${await newDataset("Sheet")}/import`);
    expect(await inspect(page, () => quiet(page))).toEqual([]);
    await page.getByLabel("Address of the sheet").fill("https://example.com/no-sheet");
    await page.getByRole("button", { name: "Look at the sheet" }).click();
    await page.locator("main").getByRole("alert").waitFor();
    expect(await page.getByLabel("Address of the sheet").inputValue()).toContain("no-sheet");
  });
});

describe.runIf(hasBrowser)("texts and refusals", () => {
  const it = useConsole();

  test("a template is written beside what a person gets, kept, archived and deleted", async () => {
    const { page, service } = it;
    const made = (await service.api("POST", "/api/v1/datasets", { name: "Preview" })) as {
      id: string;
    };
    await service.api("POST", `/api/v1/datasets/${made.id}/leads`, {
      email: "grace@preview.zz",
      first_name: HOSTILE,
    });
    await it.open("/templates");
    await page.getByText("There is no template yet.").waitFor();
    expect(await inspect(page, () => quiet(page))).toEqual([]);
    await page.keyboard.press("n");
    await heading(page, "New template");
    await page.getByLabel("Name").fill("First");
    await page.getByLabel("Subject").fill("Hello {{ first_name }}");
    const body = page.getByLabel("Text", { exact: true });
    await body.fill("<p>Good <b>day</b>, {{ first_name }}</p><script>alert(1)</script>");
    const letter = page.locator(".letter");
    await letter.getByText("Good day, Ada").waitFor();
    await letter.locator("b", { hasText: "day" }).waitFor();
    expect(await letter.locator("script").count()).toBe(0);
    await page.getByRole("button", { name: "Try it on a person" }).click();
    await page.getByRole("dialog").getByRole("searchbox").fill("grace@preview");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: HOSTILE }).click();
    await letter.getByText(`Hello ${HOSTILE}`).waitFor();
    await body.fill("{{ nothing_of_the_kind }}");
    await page.getByText("This person would be skipped.").waitFor();
    await page.getByLabel("nothing_of_the_kind").fill("a value");
    await letter.getByText("a value").waitFor();
    expect(await inspect(page, () => quiet(page))).toEqual([]);
    await body.fill("{% if %}");
    await page.locator(".beside").getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Save the template" }).click();
    await page.locator("form.form").getByRole("alert").waitFor();
    expect(await body.inputValue()).toBe("{% if %}");
    await body.fill("Good day");
    await page.getByRole("button", { name: "Save the template" }).click();
    await heading(page, "First");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Archive" }).click();
    await page.getByText("archived", { exact: true }).waitFor();
    await it.open("/templates?archived=true");
    await page.getByRole("link", { name: "First" }).click();
    await heading(page, "First");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete the template" }).click();
    await heading(page, "Templates");
    expect(await page.locator("img").count()).toBe(0);
  });

  test("addresses are suppressed by hand and from a file, found, and allowed again", async () => {
    const { page, service } = it;
    await it.open("/suppressions");
    await page.getByText("Everybody may be written to.").waitFor();
    expect(await inspect(page, () => quiet(page))).toEqual([]);
    await page.keyboard.press("n");
    await page.getByLabel("Address or domain").fill("not an address");
    await page.keyboard.press("Enter");
    await page.locator("dialog .fault").waitFor();
    await page.getByLabel("Address or domain").fill("gone@example.zz");
    await page.keyboard.press("Enter");
    await page.getByRole("row").filter({ hasText: "gone@example.zz" }).waitFor();
    await page.getByRole("button", { name: "Import" }).click();
    await page.locator("dialog input[type=file]").setInputFiles({
      name: "list.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(`value\nold@example.zz\n${HOSTILE}\nclosed.example\n`),
    });
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/^Row 2: /).waitFor();
    expect(await inspect(page, () => quiet(page))).toEqual([]);
    await dialog.locator(".dialog-foot").getByRole("button", { name: "Close" }).click();
    await page.getByRole("searchbox").fill("closed");
    const row = page.getByRole("row").filter({ hasText: "closed.example" });
    await page
      .getByRole("row")
      .filter({ hasText: "gone@example.zz" })
      .waitFor({ state: "detached" });
    await row.getByText("whole domain").waitFor();
    expect(new URL(page.url()).searchParams.get("q")).toBe("closed");
    expect(await inspect(page, () => quiet(page))).toEqual([]);
    await row.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("button", { name: "Allow mail again" }).click();
    await page.getByText("None is like that.").waitFor();
    const csv = await page.getByRole("link", { name: "Export" }).getAttribute("href");
    expect(csv).toBe("/api/v2/suppressions.csv");
    expect(await service.api("GET", "/api/v1/suppressions")).toMatchObject({
      items: [{ value: "gone@example.zz" }, { value: "old@example.zz" }],
    });
  });
});
