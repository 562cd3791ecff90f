import { expect, test } from "vitest";
import { zoneNamed } from "#src/platform/zone-names.ts";

test("each zone that the runtime lists, and each link, is itself in any case", () => {
  const links = ["Asia/Calcutta", "Asia/Kolkata", "Europe/Kiev", "Europe/Kyiv", "US/Eastern"];
  const others = ["America/Argentina/ComodRivadavia", "Etc/GMT-14", "GMT", "UTC", "W-SU", "Zulu"];
  for (const zone of [...Intl.supportedValuesOf("timeZone"), ...links, ...others])
    for (const spelled of [zone.toUpperCase(), zone.toLowerCase(), zone])
      expect(zoneNamed(spelled)).toBe(zone);
});

test("offsets, letters that lower case makes ASCII and made-up names are none", () => {
  for (const text of ["+02:00", "", "Mars", "Europe/\u212Aiev", " UTC", "UTC\n", "a".repeat(200)])
    expect(zoneNamed(text)).toBeNull();
});
