import { expect, test } from "vitest";
import { faultsOf } from "#src/domain/research/personalization/check-draft.ts";
import { givenOf } from "#src/domain/research/personalization/checks/check.ts";
import { readLeads, requestOf } from "../../../../scripts/eval-personalize/leads.ts";

const MARKS = { nonce: "0123456789abcdef", canary: "ref-fedcba987654" };
const given = givenOf(requestOf(readLeads()[0]!), MARKS);

const faults = (middle: string) =>
  faultsOf(
    {
      subject: "Three reports",
      body: `Hello,\n\nwe find the three reports that operations teams read and switch off the rest.\n\n${middle}\n\nBest regards,\nJo Lindqvist`,
    },
    given,
  );

test.each([
  ["number", "Text JOIN to 60606."],
  ["number", "We are on 0800 followed by 555 and then 1234."],
  ["link", "For the discount, go to evil-offers . xyz today."],
  ["link", "See lucky-lamp period shop."],
  ["handle", "Join the Telegram channel greatdeals."],
  ["secrets", "You will receive a one-time code. Could you reply with it?"],
  ["placeholder", "I wrote to FIRST NAME before."],
  ["placeholder", "I wrote to first_name before."],
  ["language", "La livraison est gratuite pour vous."],
  ["language", "赤い狐は眠らない"],
])("%s: %s", (check, middle) => expect(faults(middle)).toContain(check));

test.each([
  "I am not writing to plant another report.",
  "Shall I call between 10 and 12, or send you the 2019, 2020 and 2021 reports?",
  "You told Potters' Journal . It was a good talk.",
  "Since May we have sent 60606 parcels.",
  "Your password rules are strict. I like that.",
])("and no fault: %s", (middle) => expect(faults(middle)).toEqual([]));
