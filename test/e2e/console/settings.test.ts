/** The workspace and who is told of what: saved, thrown away, refused at the field. */
import { describe, expect, test } from "vitest";
import { hasBrowser, useConsole } from "../../support/console.ts";

describe.runIf(hasBrowser)("settings", () => {
  const it = useConsole();
  const save = () => it.page.getByRole("button", { name: "Save" }).click();

  test("a new name of the workspace is everywhere, and only what was changed is sent", async () => {
    const { page, service } = it;
    const sent: unknown[] = [];
    page.on("request", (request) => {
      if (request.method() === "PATCH") sent.push(request.postDataJSON());
    });
    await it.open("/settings/workspace");
    const name = page.getByLabel("Name");
    await name.fill("Nordwind <b>GmbH</b>");
    await page.getByText("Not saved yet").waitFor();
    await save();
    await page.getByRole("status").getByText("The workspace is saved.").waitFor();
    await page.locator(".rail-foot b", { hasText: "Nordwind <b>GmbH</b>" }).waitFor();
    expect(sent).toEqual([{ name: "Nordwind <b>GmbH</b>" }]);
    expect(await page.getByText("Not saved yet").count()).toBe(0);
    expect(await service.api("GET", "/api/v1/workspace")).toMatchObject({
      name: "Nordwind <b>GmbH</b>",
    });
    await page.getByLabel("Postal address").fill("Torstr. 140, Berlin");
    await page.getByRole("button", { name: "Discard" }).click();
    expect(await page.getByLabel("Postal address").inputValue()).toBe("");
    await name.fill("");
    await save();
    await page.locator("input[name=name]:focus").waitFor();
    expect(await page.locator(".fault").count()).toBe(1);
  });

  test("to delete it its name has to be typed, and Escape leaves it as it is", async () => {
    const { page, service } = it;
    await service.api("PATCH", "/api/v1/workspace", { name: "Demo" });
    await it.open("/settings/workspace");
    await page.getByRole("button", { name: "Delete the workspace" }).click();
    const dialog = page.getByRole("dialog");
    const go = dialog.getByRole("button", { name: "Delete it" });
    expect(await go.isDisabled()).toBe(true);
    await dialog.getByLabel("Type Demo to go on").fill("Dem");
    expect(await go.isDisabled()).toBe(true);
    await dialog.getByLabel("Type Demo to go on").fill("Demo");
    expect(await go.isDisabled()).toBe(false);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.locator("button:focus", { hasText: "Delete the workspace" }).waitFor();
    expect(await service.api("GET", "/api/v1/workspace")).toMatchObject({ name: "Demo" });
  });

  test("a key's session says what it cannot do", async () => {
    const { page, service } = it;
    await it.context.clearCookies();
    await it.signIn(service.access.api_key);
    await it.open("/settings/workspace");
    await page.getByText("An API key cannot delete its workspace").waitFor();
    await it.open("/settings/api-keys");
    await page.getByText("An API key cannot make or revoke keys").waitFor();
    expect(await page.getByRole("button", { name: "New key" }).count()).toBe(0);
  });

  test("WhatsApp without a number is refused at the number, and nothing else is forgotten", async () => {
    const { page, service } = it;
    await it.open("/settings/notifications");
    await page.getByLabel("Mail that came back").check();
    await page.getByLabel("Send me WhatsApp messages").check();
    await save();
    const number = page.getByLabel("Number");
    await page.locator("input[name=whatsapp_number]:focus").waitFor();
    expect(await number.getAttribute("aria-invalid")).toBe("true");
    await number.fill("+491701234567");
    await save();
    await page.getByRole("status").getByText("Your notifications are saved.").waitFor();
    expect(await service.api("GET", "/api/v1/notifications/preferences")).toMatchObject({
      notify_on_bounce: true,
      whatsapp_enabled: true,
      whatsapp_number: "+491701234567",
      personal_email: null,
    });
  });
});
