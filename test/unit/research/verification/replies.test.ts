import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { classify } from "#src/domain/research/verification/classify.ts";
import type { ReplyVerdict } from "#src/providers/probe/index.ts";
import labels from "./reply-labels.json" with { type: "json" };

/**
 * Refusals of real providers (ActiveCampaign/smtp-field-manual, MIT) as they stand beside the project, read by hand
 * once. A label with bars allows each of its verdicts: the text does not say more.
 */
const file = `${process.env["SHARED_DATA"] ?? new URL("../../../../../shared/data", import.meta.url).pathname}/smtp-replies.json`;
const isThere = existsSync(file);
if (!isThere)
  // oxlint-disable-next-line no-console -- a notice to whoever runs the tests
  console.info("The replies of real providers are not beside the project: their test is left out.");

interface Fixture {
  provider: string;
  reply: number;
  text: string;
}

/** The rules were written with an eye on these; the others are for judging them. */
const TUNE = new Set(
  "google yahoo outlook exchangeonline yandex apple proofpoint gmx webde comcast zoho".split(" "),
);

/** A mail host of theirs, where the operator's name counts. */
const HOSTS: Record<string, string> = {
  outlook: "outlook-com.olc.protection.outlook.com",
  exchangeonline: "corp-com.mail.protection.outlook.com",
};

function readFixture({ provider, reply, text }: Fixture): ReplyVerdict {
  const said = text.replace(/^smtp; ?/i, "").replace(/^\d{3}[ -]/, "");
  const enhanced = /^([245]\.\d{1,3}\.\d{1,3})\s/.exec(said)?.[1];
  return classify(
    { code: reply, text: said, ...(enhanced === undefined ? {} : { enhanced }) },
    HOSTS[provider] ?? `mx.${provider}.example`,
  );
}

const labelOf = ({ text }: Fixture): string | undefined =>
  (labels as Record<string, string>)[createHash("sha256").update(text).digest("hex").slice(0, 16)];

const fixtures = (): Fixture[] => JSON.parse(readFileSync(file, "utf8")) as Fixture[];

test.runIf(isThere)("every reply of the collection has been read by hand", () => {
  expect(fixtures().filter((fixture) => labelOf(fixture) === undefined)).toEqual([]);
});

test.runIf(isThere)("no refusal by policy or trouble of the line is read as a missing user", () => {
  const wrong = fixtures().filter((fixture) => {
    const verdict = readFixture(fixture);
    const isFinal = verdict === "no_such_user" || verdict === "disabled" || verdict === "accepted";
    return isFinal && !labelOf(fixture)!.split("|").includes(verdict);
  });
  expect(wrong.map((each) => [each.text.slice(0, 90), readFixture(each)])).toEqual([]);
});

test.runIf(isThere)("the replies of real providers are read as a person reads them", () => {
  const share = (chosen: Fixture[]) => {
    const wrong = chosen.filter((each) => !labelOf(each)!.split("|").includes(readFixture(each)));
    return { of: chosen.length, wrong };
  };
  const all = fixtures();
  const tune = share(all.filter(({ provider }) => TUNE.has(provider)));
  const heldOut = share(all.filter(({ provider }) => !TUNE.has(provider)));
  for (const [name, { of, wrong }] of Object.entries({ tune, "held out": heldOut })) {
    // oxlint-disable-next-line no-console -- the figures are the result
    console.info(`${name}: ${of - wrong.length} of ${of} read right`);
    if (process.env["SHOW"])
      for (const each of wrong)
        // oxlint-disable-next-line no-console -- on demand
        console.info(`  ${readFixture(each)}, not ${labelOf(each)}: ${each.text.slice(0, 110)}`);
  }
  expect(tune.wrong.length / tune.of).toBeLessThan(0.05);
  expect(heldOut.wrong.length / heldOut.of).toBeLessThan(0.15);
});
