import { expect, test } from "vitest";
import { operatorOf } from "#src/domain/research/verification/operator.ts";

test.each([
  ["aspmx.l.google.com", "google", "google"],
  ["GOOGLE.com.", "google", "google"],
  // A name that only ends alike is somebody else's.
  ["mx.notgoogle.com", "notgoogle.com", ""],
  ["corp-zz.mail.protection.outlook.com", "microsoft365", "microsoft365"],
  ["hotmail-com.olc.protection.outlook.com", "outlook", "outlook"],
  // A national cloud speaks as the others do, and has limits of its own.
  ["corp-zz.mail.protection.partner.zz", "partner.zz", "microsoft365"],
  ["mx1.corp.co.uk", "corp.co.uk", ""],
  ["mx1.eu.corp.zz", "corp.zz", ""],
])("%s is run by %s and speaks as '%s'", (host, key, dialect) => {
  expect(operatorOf(host)).toMatchObject({ key, dialect });
});
