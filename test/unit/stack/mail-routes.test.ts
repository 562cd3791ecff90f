import { expect, test } from "vitest";
import { readZone } from "../../../scripts/stack/dns/zone-file.ts";
import { createMailRoutes } from "../../../scripts/stack/mail-routes.ts";

test("a domain's mail comes to a host by its MX, and by no other record or name", () => {
  const zone = readZone(
    [
      "ours.zz. MX 10 mx.service.zz.",
      "theirs.zz. MX 10 mx.elsewhere.zz.",
      "host.zz. CNAME mx.service.zz.",
      'text.zz. TXT "10 mx.service.zz."',
    ].join("\n"),
  );
  const isRouted = createMailRoutes("mx.service.zz", "reports.service.zz", () => zone);
  const domains = [
    "reports.service.zz",
    "Ours.zz",
    "sub.ours.zz",
    "theirs.zz",
    "host.zz",
    "text.zz",
    "absent.zz",
  ];
  expect(domains.filter((domain) => isRouted(`ann@${domain}`))).toEqual([
    "reports.service.zz",
    "Ours.zz",
  ]);
});
