import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classify } from "#src/domain/research/verification/classify.ts";
import { decide } from "#src/domain/research/verification/decide.ts";

const GOOGLE = "aspmx.l.google.com";
const M365 = "corp-com.mail.protection.outlook.com";
const HOTMAIL = "hotmail-com.olc.protection.outlook.com";
const ELSEWHERE = "mx.corp.zz";

const read = (line: string, host = ELSEWHERE) => {
  const [, code, enhanced, text = ""] =
    /^(\d{3})(?: ([245]\.\d{1,3}\.\d{1,3})(?= |$))? ?(.*)$/.exec(line)!;
  const said = enhanced === undefined ? {} : { enhanced };
  return classify({ code: Number(code), ...said, text: `${enhanced ?? ""} ${text}`.trim() }, host);
};

describe("what one reply says", () => {
  test.each([
    ["250 2.1.5 OK", "accepted"],
    ["251 User not local; will forward", "accepted"],
    ["252 Cannot VRFY user, but will accept message", "unverified"],
    ["354 Start mail input", "unclear"],
    ["550 5.1.1 The account you tried to reach does not exist", "no_such_user"],
    [
      "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup",
      "no_such_user",
    ],
    ["550 No such user here", "no_such_user"],
    ["550 Benutzer unbekannt", "no_such_user"],
    ["550 Utilisateur inconnu", "no_such_user"],
    ["550 El usuario no existe", "no_such_user"],
    ["550 Utente sconosciuto", "no_such_user"],
    ["550 Destinatário não existe", "no_such_user"],
    ["550 Ontvanger onbekend", "no_such_user"],
    ["550 Nieznany użytkownik", "no_such_user"],
    ["550 Mottagaren finns inte", "no_such_user"],
    ["550 Casella inesistente", "no_such_user"],
    ["550 Boîte aux lettres inexistante", "no_such_user"],
    ["550 Diese Adresse gibt es hier nicht", "no_such_user"],
    ["550 Нет такого пользователя", "no_such_user"],
    ["550 Nincs ilyen felhasználó", "no_such_user"],
    ["550 Ο χρήστης δεν υπάρχει", "no_such_user"],
    ["550 Recipient not in our directory", "no_such_user"],
    ["550 We do not know this person", "no_such_user"],
    ["550 Compte inactif", "disabled"],
    ["550 Postfach stillgelegt", "disabled"],
    ["550 Il dominio del mittente è inesistente", "policy"],
    ["550 Le domaine de l'expéditeur n'existe plus", "policy"],
    ["550 Ο τομέας του αποστολέα δεν υπάρχει", "policy"],
    ["550 Feladó: nincs ilyen cím", "policy"],
    ["551 User has moved; no longer here", "no_such_user"],
    ["552 Requested action aborted: mailbox not found", "no_such_user"],
    ["550 5.2.1 This mailbox is disabled", "disabled"],
    ["552 5.2.2 Mailbox full", "full"],
    ["552 5.1.1 Boîte du destinataire pleine", "full"],
    ["452 4.2.2 over quota", "full"],
    ["452 4.3.1 Insufficient system storage", "temporary"],
    ["450 4.7.3 Organization queue quota exceeded", "temporary"],
    ["452 4.5.3 Too many recipients", "too_many_recipients"],
    ["450 4.2.0 Greylisted, come back in 60 seconds", "greylisted"],
    ["451 4.7.1 Please try again later", "greylisted"],
    ["451 4.3.0 Temporary lookup failure, greylisted for 1 second", "greylisted"],
    ["451 4.3.0 Temporary lookup failure", "temporary"],
    ["451 4.7.1 Sender reputation too low", "temporary"],
    ["550 5.1.8 Domain of sender address does not exist", "policy"],
    ["550 Absender unbekannt", "policy"],
    ["550 5.1.0 Adresse de l'expéditeur inconnue", "policy"],
    ["550 5.7.1 Recipient rejected: user unknown", "no_such_user"],
    ["553 5.3.0 <x@corp.zz>... No such user here", "no_such_user"],
    ["550 <x@corp.zz> is not a registered gateway user", "no_such_user"],
    ["550 x@corp.zz is not user of this server", "no_such_user"],
    ["525 5.7.13 Disabled recipient address", "disabled"],
    ["550 5.7.13 Go away", "policy"],
    ["550 5.7.1 User unknown; rejected by policy", "policy"],
    ["550 5.7.1 Recipient unknown to our directory, or access denied", "policy"],
    ["550 5.7.1 <probe@us.zz>: Sender address rejected: User unknown", "policy"],
    ["550 5.7.1 The user you are trying to reach does not exist", "no_such_user"],
    ["554 5.7.1 No mail from unknown users", "policy"],
    ["550 5.7.1 This is not a registered gateway", "policy"],
    ["550 5.7.1 Unknown user of our relay: authentication required", "policy"],
    ["550 5.1.8 No such user", "policy"],
    ["550 5.5.1 Mailbox unavailable", "unclear"],
    ["550 mailbox unavailable: reject due to policy restrictions", "policy"],
    ["554 5.7.1 Relay access denied", "policy"],
    ["550 Mailbox unavailable or access denied", "unclear"],
    ["550 5.1.1 Temporary lookup failure", "unclear"],
    ["550 5.1.1 Recipient not found: the resolver says SERVFAIL for corp.zz", "unclear"],
    ["550 Rejected", "unclear"],
    ["550", "unclear"],
  ] as const)("%s: %s", (line, verdict) => {
    expect(read(line)).toBe(verdict);
  });

  test("who runs the host changes what it means", () => {
    const blocked = "550 5.4.1 Recipient address rejected: Access denied";
    expect([read(blocked, M365), read(blocked)]).toEqual(["no_such_user", "unclear"]);
    const unavailable = "550 5.5.0 Requested action not taken: mailbox unavailable";
    expect([read(unavailable, HOTMAIL), read(unavailable)]).toEqual(["no_such_user", "unclear"]);
  });

  test("a mailbox that gets too much mail is there, in 4xx and in 5xx", () => {
    const words = "The user you are trying to contact is receiving mail at a rate that is too high";
    expect(read(`450 4.2.1 ${words}`, GOOGLE)).toBe("throttled");
    expect(read(`550 5.2.1 ${words}`, GOOGLE)).toBe("throttled");
  });

  test("an enhanced code that contradicts the reply code is left out", () => {
    expect(read("450 5.1.1 no such user")).toBe("temporary");
    expect(read("550 4.1.1 whatever")).toBe("unclear");
  });
});

const FINAL = ["no_such_user", "disabled"];
const words = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.constantFrom(
    "user unknown",
    "no such user",
    "mailbox disabled",
    "does not exist",
    "unbekannt",
  ),
);
const text = fc.array(words, { maxLength: 6 }).map((parts) => parts.join(" "));
const host = fc.constantFrom(GOOGLE, M365, HOTMAIL, ELSEWHERE, "");

describe("whatever a host says", () => {
  test("4xx is never a missing mailbox", () => {
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 499 }), text, host, (code, said, at) => {
        expect(FINAL).not.toContain(classify({ code, text: said }, at));
      }),
    );
  });

  test("a refusal of us is never a missing mailbox, whatever else it says", () => {
    const aboutUs = fc.constantFrom(
      "rejected by policy",
      "poor reputation",
      "listed at zen.spamhaus.org",
      "spam",
      "your IP is blacklisted",
      "no PTR record for your client",
      "relay access denied",
      "sender address rejected",
      "SPF check failed",
      "DMARC policy",
    );
    fc.assert(
      fc.property(text, aboutUs, text, host, (before, us, after, at) => {
        const said = { code: 550, text: `${before} ${us} ${after}` };
        expect(FINAL).not.toContain(classify(said, at));
      }),
    );
  });

  test("5.1.7 and 5.1.8 are about us, and 5.7.x unless plain words speak of the recipient", () => {
    const about = fc.oneof(
      fc.tuple(
        fc.integer({ min: 0, max: 999 }).map((detail) => `5.7.${detail}`),
        fc.constantFrom("", "does not exist", "unbekannt", "mailbox unavailable", "access denied"),
      ),
      fc.tuple(fc.constantFrom("5.1.7", "5.1.8"), text),
    );
    fc.assert(
      fc.property(about, host, ([status, said], at) => {
        expect(FINAL).not.toContain(classify({ code: 550, enhanced: status, text: said }, at));
      }),
    );
  });

  test("only 250 and 251 are an acceptance", () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 599 }), text, host, (code, said, at) => {
        const accepted = classify({ code, text: said }, at) === "accepted";
        expect(accepted).toBe(code === 250 || code === 251);
      }),
    );
  });
});

const session = (...said: [recipient: string, code: number, text: string][]) => ({
  host: ELSEWHERE,
  address: null,
  stage: "rcpt" as const,
  end: "done" as const,
  goodbye: { code: 221, text: "bye" },
  ms: 1,
  exchanges: said.map(([recipient, code, text]) => ({
    stage: "rcpt" as const,
    recipient,
    isRandom: recipient === "x7q@corp.zz",
    reply: { code, text },
    ms: 1,
  })),
});
const decided = (
  connections: ReturnType<typeof session>[],
  recipient = "ann@corp.zz",
  isCatchAll: boolean | null = null,
) => decide({ connections, opinions: [], failure: null }, recipient, { isCatchAll });

describe("a 5xx to the address that nobody has", () => {
  const suspicious = [554, "5.7.1 Suspicious recipient, blocked by policy"] as const;
  test("behind an acceptance in the session is about that address", () => {
    const said = session(["ann@corp.zz", 250, "Ok"], ["x7q@corp.zz", ...suspicious]);
    expect(decided([said])).toEqual({
      reason: "mailbox_exists",
      isCatchAll: false,
      learnt: null,
    });
  });

  test.each([
    [[554, "5.7.1 Too many recipients from your network, rate limit exceeded"]],
    [[450, "4.7.1 Policy: come back later"]],
  ] as const)("%s says nothing of it", ([code, text]) => {
    const said = session(["ann@corp.zz", 250, "Ok"], ["x7q@corp.zz", code, text]);
    expect(decided([said]).reason).toBe("catch_all_unclear");
  });

  test("over a connection of its own may be about us", () => {
    const said = [session(["ann@corp.zz", 250, "Ok"]), session(["x7q@corp.zz", ...suspicious])];
    expect(decided(said).reason).toBe("catch_all_unclear");
  });
});

test("a refusal at a domain that is known to take everything says nothing of the others there", () => {
  const said = session(["ann@corp.zz", 550, "5.1.1 User unknown"]);
  expect(decided([said], "ann@corp.zz", true)).toEqual({
    reason: "no_such_user",
    isCatchAll: true,
    learnt: null,
  });
  expect(decided([said])).toMatchObject({ isCatchAll: false, learnt: null });
});

test.each([
  [252, "accepts_everything"],
  [550, "unclear_reply"],
] as const)("252 to an address, and %i to one that nobody has: %s", (code, reason) => {
  const said = session(["ann@corp.zz", 252, "Will try"], ["x7q@corp.zz", code, "Said to nobody"]);
  expect(decided([said]).reason).toBe(reason);
});

test.each([
  ["unclear", "mailbox_exists"],
  ["disabled", "mailbox_exists"],
  ["accepted", "accepts_everything"],
  ["temporary", "catch_all_unclear"],
] as const)("an address was accepted, and one that nobody has is %s: %s", (verdict, reason) => {
  const opinions = [
    { recipient: "ann@corp.zz", isRandom: false, verdict: "accepted" as const },
    { recipient: "x7q@corp.zz", isRandom: true, verdict },
  ];
  const transcript = { connections: [], opinions, failure: null };
  expect(decide(transcript, "ann@corp.zz", { isCatchAll: null }).reason).toBe(reason);
});
