import { expect, test } from "vitest";
import { arrivedByTls } from "#src/domain/replies/inbound/arrival.ts";
import { leastCostMs } from "../../../support/cost.ts";

const by = (...received: string[]) =>
  arrivedByTls(received.map((value) => ({ name: "received", value })));
const INSIDE = "by 2002:a05:6214:f2a:b0:6d8 with SMTP id kl10csp1; Thu, 26 Nov 2026 10:00:00 GMT";

test.each([
  [
    "as Gmail writes it",
    "from out.relay.zz (out.relay.zz. [8.8.4.1]) by mx.google.com with ESMTPS id a1 for <a@gmail.com> (version=TLS1_3 cipher=TLS_AES_256_GCM_SHA384 bits=256/256)",
    true,
  ],
  [
    "as Outlook writes it",
    "from out.relay.zz (8.8.4.1) by BN8NAM11FT010.mail.protection.outlook.com (10.13.177.53) with Microsoft SMTP Server (version=TLS1_2, cipher=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384) id 15.20",
    true,
  ],
  [
    "as Postfix writes it",
    "from out.relay.zz (out.relay.zz [8.8.4.1]) (using TLSv1.3 with cipher X) by mx.office.zz (Postfix) with ESMTPS id 1",
    true,
  ],
  ["as Exim writes it", "from out.relay.zz by mx.office.zz with esmtps (TLS1.3) id 1", true],
  ["with a login", "from out.relay.zz by mx.office.zz with ESMTPSA id 1", true],
  [
    "with an address that is not ASCII",
    "from out.relay.zz by mx.office.zz with UTF8SMTPS id 1",
    true,
  ],
  ["without TLS", "from out.relay.zz by mx.office.zz with ESMTP id 1", false],
  ["by the oldest protocol", "from out.relay.zz by mx.office.zz with SMTP id 1", false],
  ["by a protocol of its own", "from out.relay.zz by mx.office.zz with HTTP id 1", null],
  ["without a word of it", "from out.relay.zz by mx.office.zz; Thu, 26 Nov 2026", null],
  ["within one organisation", "from a.office.zz by b.office.zz with ESMTP id 1", null],
  ["into a host without a name", "from out.relay.zz by localhost with ESMTP id 1", null],
  ["unreadable", "(((((".repeat(3000), null],
])("a mail that came %s", (_how, received, tls) => {
  expect(by(INSIDE, received)).toBe(tls);
});

test("the hop between the two organisations counts, and the first of them from above", () => {
  const inside = "from a.office.zz by b.office.zz with ESMTP id 2";
  const hop = "from out.relay.zz by mx.office.zz with ESMTPS id 1";
  const before = "from home.elsewhere.zz by out.relay.zz with ESMTP id 0";
  expect(by(inside, hop, before)).toBe(true);
  expect(by(inside)).toBeNull();
  expect(by()).toBeNull();
});

test("a header made to be slow is read at once", async () => {
  const slow = Array(2000).fill(`from ${"by x with ".repeat(800)}`);
  expect(await leastCostMs(() => expect(by(...slow)).not.toBe(true))).toBeLessThan(500);
});
