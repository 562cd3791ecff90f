import { expect, test } from "vitest";
import { useReading } from "../replies/inboxes/reading-setting.ts";
import { alias, seed, seen, sending, tenant, TOO_LATE } from "./placement-setting.ts";

useReading();

/** Who takes the domain's mail, by the placement of its tests alone. */
async function placed(domainId: string) {
  const { body } = await tenant.call("GET", `/api/v1/mailer/domains/${domainId}/operators`);
  const operators: { operator: string; placement: Record<string, unknown> }[] = body.operators;
  return Object.fromEntries(
    operators.map(({ operator, placement }) => {
      const { last_at: _, ...counts } = placement;
      return [operator, counts];
    }),
  );
}

test("an operator that spams, one that files into categories and one that loses mail are told apart", async () => {
  const { body: domain } = await tenant.call("POST", "/api/v1/mailer/domains", {
    domain: "placing.zz",
  });
  const sender = await alias("ann@placing.zz", { inbox: false });
  await sending.api.sql.query("update mail_aliases set domain_id = $1 where id = $2", [
    domain.id,
    sender.id,
  ]);
  const seeds = await Promise.all(
    ["plain.zz", "spams.zz", "tabs.zz", "tabs.zz", "drops.zz"].map(seed),
  );
  await sending.api.sql.query(
    `insert into recipient_domains (domain, operator, due_at, used_at) values ('tabs.zz', 'google', $1, $1)`,
    [sending.api.deps.clock.now()],
  );
  const test = await seen([sender], seeds, { after: [6, ...TOO_LATE] });
  expect(test.status).toBe("done");
  const nothing = { inbox: 0, spam: 0, other: 0, missing: 0, categories: [] };
  expect(await placed(domain.id)).toEqual({
    "plain.zz": { ...nothing, mails: 1, inbox: 1 },
    "spams.zz": { ...nothing, mails: 1, spam: 1 },
    google: { ...nothing, mails: 2, inbox: 2, categories: [{ category: "primary", mails: 2 }] },
    "drops.zz": { ...nothing, mails: 1, missing: 1 },
  });
  await tenant.call("DELETE", `/api/v1/mailer/placement-tests/${test.id}`);
  expect(await placed(domain.id)).toEqual({});
});
