import { expect, test } from "vitest";
import { speaksAgainstAuthor } from "#src/domain/replies/inbound/authorship.ts";
import { parseInbound } from "#src/domain/replies/inbound/parse.ts";

/** A mail from ann@acme.co.uk, with these fields above its own. */
const speaks = async (from: string | undefined, ...results: string[]): Promise<boolean> => {
  const fields = results.map((each) => `Authentication-Results: ${each}`);
  const raw = [...fields, "From: Ann <ann@acme.co.uk>", "Subject: Hello", "", "Stop."].join("\r\n");
  const envelope = from === undefined ? {} : { from };
  return speaksAgainstAuthor(await parseInbound(new TextEncoder().encode(raw), envelope));
};

test.each([
  ["nobody says anything", undefined, []],
  ["the envelope is of the same organisation", "b@bounces.acme.co.uk", []],
  ["the envelope is the null sender's", "", []],
  ["DMARC passes", "x@relay.zz", ["mx.zz; dmarc=pass header.from=acme.co.uk"]],
  ["DMARC passes of nobody in particular", "x@relay.zz", ["mx.zz; dmarc=pass"]],
  ["its signature passes", "x@relay.zz", ["mx.zz; dkim=pass header.d=mail.acme.co.uk"]],
  ["its signature passes by its identity", "x@relay.zz", ["mx.zz; dkim=pass header.i=@acme.co.uk"]],
  ["SPF passes", "ann@acme.co.uk", ["mx.zz; spf=pass smtp.mailfrom=ann@acme.co.uk; dmarc=fail"]],
  [
    "one of two signatures passes",
    "x@relay.zz",
    ["mx.zz; dkim=fail header.d=acme.co.uk; dkim=pass header.d=acme.co.uk; dmarc=fail"],
  ],
  ["no method has a result", "ann@acme.co.uk", ["mx.zz; spf=none; dkim=none; dmarc=none"]],
])("a mail does not speak against its author where %s", async (_, from, results) => {
  expect(await speaks(from, ...results)).toBe(false);
});

test.each([
  ["the envelope is another's", "x@evil.zz", []],
  ["the envelope is another's of one suffix", "x@evil.co.uk", []],
  ["DMARC fails", "ann@acme.co.uk", ["mx.zz; dmarc=fail header.from=acme.co.uk"]],
  ["SPF refuses the envelope", "ann@acme.co.uk", ["mx.zz; spf=fail smtp.mailfrom=acme.co.uk"]],
  ["another's signature passes", "x@evil.zz", ["mx.zz; dkim=pass header.d=evil.zz"]],
  ["another's SPF passes", "x@evil.zz", ["mx.zz; spf=pass smtp.mailfrom=x@evil.zz"]],
  [
    "another's name stands where a domain does not count",
    "x@evil.zz",
    ["mx.zz; spf=pass smtp.mailfrom=evil.zz header.d=acme.co.uk (smtp.mailfrom=acme.co.uk)"],
  ],
  ["DMARC passes for a second author", "x@evil.zz", ["mx.zz; dmarc=pass header.from=evil.zz"]],
  [
    "only a host below the topmost one vouches for it",
    "x@evil.zz",
    ["mx.zz; dmarc=none", "elsewhere.zz; dmarc=pass header.from=acme.co.uk"],
  ],
])("it does where %s", async (_, from, results) => {
  expect(await speaks(from, ...results)).toBe(true);
});
