import { describe } from "vitest";
import { query, tenant } from "../../support/use-api.ts";
import {
  ago,
  alias,
  inbox,
  nothing,
  sent,
  tested,
  tryCases,
  useHealth,
  without,
  zoned,
} from "./domain-health-setting.ts";

useHealth();

describe("a rule that what was sent shows", () => {
  tryCases([
    [
      ...(["one_click", "ok", "a program has posted"] as const),
      async (made) => {
        await sent(made, 3, { unsubscribed: 1 });
        await query`
        insert into email_events (id, workspace_id, campaign_id, send_id, kind, at, link_index, classification, reasons)
        select gen_random_uuid(), workspace_id, campaign_id, id, 'unsubscribe', slot_at, 0, 'human', '{one_click}' from sends
        where workspace_id = ${tenant.workspaceId} and unsubscribed_at is not null and lane_id in (select id from mail_aliases where domain_id = ${made.id})`;
      },
      /by one click/,
      null,
    ],
    [
      "one_click",
      "unknown",
      "nothing was sent",
      nothing,
      /No campaign has sent/,
      /press Unsubscribe/,
    ],
    [
      ...(["one_click", "unknown", "people used the page"] as const),
      (made) => sent(made, 5, { unsubscribed: 2 }),
      /Each of 5 messages/,
      /press Unsubscribe/,
    ],
    [
      ...(["complaint_rate", "ok", "few complain"] as const),
      (made) => sent(made, 1001, { complained: 1 }),
      /^1 complaint on 1001 messages \(0\.09 %\)\.$/,
      null,
    ],
    [
      ...(["complaint_rate", "failing", "one in a thousand complains"] as const),
      (made) => sent(made, 1000, { complained: 1 }),
      /\(0\.1 %\): Google wants less than 0\.1 %/,
      /fewer people/,
    ],
    [
      ...(["complaint_rate", "failing", "three in a thousand complain"] as const),
      (made) => sent(made, 334, { complained: 2 }),
      /at 0\.3 % Google helps/,
      /seven days/,
    ],
    [
      ...(["complaint_rate", "unknown", "nobody complains"] as const),
      (made) => sent(made, 1500, {}),
      /nobody tells/,
      /JMRP/,
    ],
    [
      ...(["complaint_rate", "unknown", "too little was sent"] as const),
      (made) => sent(made, 299, { complained: 1 }),
      /it takes 1000 to tell/,
      /Postmaster/,
    ],
    [
      "bounce_rate",
      "ok",
      "few come back",
      (made) => sent(made, 100, { bounced: 4 }),
      /\(4 %\)/,
      null,
    ],
    [
      ...(["bounce_rate", "failing", "one in twenty comes back"] as const),
      (made) => sent(made, 100, { bounced: 5 }),
      /5 % is too much/,
      /Verify the addresses/,
    ],
    [
      ...(["bounce_rate", "unknown", "little was sent"] as const),
      (made) => sent(made, 49, { bounced: 9 }),
      /it takes 50/,
      /more was sent/,
    ],
    [
      ...(["bounce_rate", "unknown", "it was long ago"] as const),
      (made) => sent(made, 100, { bounced: 50 }, 31),
      /0 of 0 messages/,
      /more was sent/,
    ],
    ["tls", "ok", "a test arrived by it", (made) => tested(made, true), /by TLS/, null],
    [
      "tls",
      "failing",
      "a test arrived without",
      (made) => tested(made, false),
      /without TLS/,
      /STARTTLS/,
    ],
    [
      ...(["tls", "failing", "an alias speaks in the clear"] as const),
      (made) => alias(made, {}, { security: "none" }),
      /in the clear/,
      /starttls/,
    ],
    [
      "tls",
      "unknown",
      "no receiver has said it",
      (made) => tested(made, null),
      /no mailbox/,
      /Test an alias/,
    ],
    [
      ...(["tls", "unknown", "the relay is on this machine"] as const),
      (made) => alias(made, {}, { security: "none", host: "127.0.0.1" }),
      /no mailbox/,
      /Test an alias/,
    ],
    ["reply_address", "ok", "tests come back", (made) => tested(made, true), /come back\.$/, null],
    [
      ...(["reply_address", "ok", "an inbox is read"] as const),
      async (made) => inbox(await alias(made), false, ago(0.5)),
      /come back\.$/,
      null,
    ],
    [
      ...(["reply_address", "failing", "a test is lost"] as const),
      (made) => tested(made, null, { return_test_seen_at: null }),
      /do not come back/,
      /let it be read/,
    ],
    [
      ...(["reply_address", "failing", "an inbox is broken"] as const),
      async (made) => inbox(await tested(made, null), true, ago(0.5)),
      /cannot be read: The login was refused\.$/,
      /Mend its login/,
    ],
    [
      ...(["reply_address", "failing", "the domain takes no mail"] as const),
      async (made) => {
        await tested(made, null);
        await zoned(without("mx"))(made);
      },
      /has no mail host/,
      /MX record/,
    ],
    [
      ...(["reply_address", "unknown", "an inbox was not read for two days"] as const),
      async (made) => inbox(await alias(made), false, ago(2)),
      /is not known/,
      /Test it/,
    ],
    [
      ...([
        "reply_address",
        "unknown",
        "replies go elsewhere than to the inbox that is read",
      ] as const),
      async (made) => inbox(await alias(made, { reply_to: "ann@elsewhere.zz" }), false, ago(0.5)),
      /is not known/,
      /Test it/,
    ],
    ["reply_address", "unknown", "nobody sends", nothing, /No alias/, /Add a mail alias/],
  ]);
});
