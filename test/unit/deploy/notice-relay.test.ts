import { expect, test } from "vitest";
import { readConfig } from "#src/config.ts";
import { ask } from "../../../scripts/doctor/context.ts";
import { notices } from "../../../scripts/doctor/mail.ts";
import { readWrangler } from "../../../scripts/deploy/settings.ts";
import { ENVIRONMENT } from "../../support/environment.ts";

test.each([
  ["127.0.0.1:1", /127\.0\.0\.1.*loopback/],
  ["localhost:1", /the machine itself/],
  ["mail.internal:587", /only a private network knows/],
])("the doctor refuses a relay at %s, as the Worker will", async (host, why) => {
  const config = readConfig({
    ...ENVIRONMENT,
    SYSTEM_MAIL_FROM: "overture@mine.zz",
    SYSTEM_MAIL_URL: `smtp://me:secret@${host}`,
  });
  const context = { config, env: {}, wrangler: readWrangler(), isDeployed: false, ask };
  expect(await notices.run(context)).toEqual([
    { verdict: "fail", says: expect.stringMatching(why), fix: expect.stringContaining("587") },
  ]);
});
