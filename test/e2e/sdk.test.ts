import * as fs from "node:fs";
import * as path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rootFolder } from "../../scripts/command.ts";
import { checkTypes, type InstalledPackage, installPackage } from "../support/sdk-package.ts";
import { launchCampaign } from "../support/service.ts";
import { type SharedService, sharedService } from "../support/shared-service.ts";

/** docs/sdk.md, whose blocks of TypeScript are programs. */
const page = fs.readFileSync(path.join(rootFolder, "docs/sdk.md"), "utf8");
const [quickstart, inAServer] = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(
  ([, code]) => code!,
);

let service: SharedService;
let installed: InstalledPackage;
beforeAll(async () => {
  service = await sharedService();
  installed = await installPackage({
    OVERTURE_URL: service.baseUrl,
    OVERTURE_API_KEY: service.access.api_key,
  });
});
afterAll(() => installed?.remove());

test("the package has nothing beside it, and its programs are typed and run in an empty folder", async () => {
  expect(fs.readdirSync(path.join(installed.folder, "node_modules")).toSorted()).toEqual([
    ".bin",
    ".package-lock.json",
    "overture",
  ]);
  installed.write("quickstart.ts", quickstart);
  installed.write("server.ts", inAServer);
  expect(await checkTypes(installed, ["quickstart.ts", "server.ts"])).toMatchObject({
    code: 0,
    out: "",
  });
  const { code, out, err } = await installed.run(process.execPath, ["quickstart.ts"]);
  expect({ code, out, err }).toEqual({
    code: 0,
    out: "ada@inbox.zz\n404 CAMPAIGN_NOT_FOUND true\nThere is no such campaign.\n",
    err: "",
  });
});

test("a slip in a program is found before it runs", async () => {
  const head =
    'import { Overture } from "overture";\nconst { campaigns } = new Overture({ baseUrl: "", apiKey: "" });\n';
  const slips = [
    "campaigns.lunch('a');",
    "campaigns.launch(7);",
    "campaigns.list({ state: 'active' });",
    "campaigns.change('a', { daily_limit: '7' });",
  ];
  const files = slips.map((slip, index) => installed.write(`slip-${index}.ts`, head + slip));
  const { out } = await checkTypes(installed, files);
  for (const file of files) expect(out).toContain(`${file}(3,`);
});

test("the command says of a lead that waits what the API says, and of the stack that it is well", async () => {
  const variants = [{ type: "INLINE", subject: "Hello", body: "A word." }];
  const steps = [{ step: 1, variants }];
  const id = await launchCampaign(service, { aliases: 1, emails: ["ann@inbox.zz"], steps });
  const at = `/api/v2/campaigns/${id}`;
  const { items } = (await service.api("GET", `${at}/leads`)) as {
    items: { id: string; lead_id: string }[];
  };
  const [{ id: place, lead_id }] = items as [(typeof items)[number]];
  await service.api("POST", `${at}/leads/${place}/hold`, { hold_reason: "Asked us to wait" });
  await service.api("POST", `${at}/pause`);
  const { lead, reasons } = (await service.api(
    "GET",
    `${at}/sending-status?lead_id=${lead_id}`,
  )) as Record<"lead", { reasons: { message: string }[] }> & { reasons: { message: string }[] };
  expect([lead.reasons.length, reasons.length]).toEqual([1, 1]);
  const { code, out } = await installed.overture(["why", id, "Ann@inbox.zz"]);
  expect(code).toBe(0);
  for (const { message } of [...lead.reasons, ...reasons]) expect(out).toContain(message);
  const doctor = await installed.overture(["doctor"]);
  expect(doctor).toMatchObject({ code: 0, err: "" });
  expect(doctor.out).toContain("ok    deployment: is ");
});
