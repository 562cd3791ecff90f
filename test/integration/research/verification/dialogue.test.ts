import { afterEach, describe, expect, test } from "vitest";
import { decide } from "#src/domain/research/verification/decide.ts";
import {
  closeSinks,
  hostThat,
  listen,
  planFor,
  probeOf,
  RANDOM,
  TARGET,
  verbs,
} from "./setting.ts";
import type { ProbePlan } from "#src/providers/probe/index.ts";
import type { Sink } from "../../mail/raw-sink.ts";

afterEach(closeSinks);

const unknownIs = { isCatchAll: null };

async function ask(sink: Sink, over: Partial<ProbePlan> = {}) {
  const run = await probeOf({ "mx.corp.zz": sink.port }).probe(planFor(over));
  await run.closed;
  return { run, ...decide(run, TARGET, unknownIs) };
}

const NO = "550 5.1.1 User unknown";
const YES = "250 2.1.5 OK";

describe("one session", () => {
  test("asks the target first and an address of nobody second", async () => {
    const sink = await listen(hostThat({ rcpt: (to) => (to === TARGET ? YES : NO) }));
    const { reason, isCatchAll } = await ask(sink);
    expect({ reason, isCatchAll }).toEqual({ reason: "mailbox_exists", isCatchAll: false });
    expect(sink.connections[0]!.received).toEqual([
      "EHLO probe.overture.zz",
      "MAIL FROM:<probe@overture.zz>",
      `RCPT TO:<${TARGET}>`,
      `RCPT TO:<${RANDOM}>`,
      "QUIT",
    ]);
  });

  test("does not ask the second when the first is refused", async () => {
    const sink = await listen(hostThat({ rcpt: () => NO }));
    expect(await ask(sink)).toMatchObject({ reason: "no_such_user", isCatchAll: false });
    expect(verbs(sink.connections[0]!)).toEqual(["EHLO", "MAIL", "RCPT", "QUIT"]);
  });

  test("a host that takes both takes everything", async () => {
    const sink = await listen(hostThat({}));
    expect(await ask(sink)).toMatchObject({ reason: "accepts_everything", isCatchAll: true });
  });

  test("252 to the address of nobody is not a host that tells them apart", async () => {
    const sink = await listen(hostThat({ rcpt: (to) => (to === TARGET ? YES : "252 maybe") }));
    expect(await ask(sink)).toMatchObject({ reason: "accepts_everything" });
  });

  test.each([
    ["252 Will try", "accepts_everything"],
    [NO, "unclear_reply"],
  ])("252 to the target, and to the address of nobody %s", async (said, reason) => {
    const sink = await listen(
      hostThat({ rcpt: (to) => (to === TARGET ? "252 2.0.0 Will try" : said) }),
    );
    expect(await ask(sink)).toMatchObject({ reason });
    expect(verbs(sink.connections[0]!)).toEqual(["EHLO", "MAIL", "RCPT", "RCPT", "QUIT"]);
  });

  test("a refusal of us says nothing of the address", async () => {
    const sink = await listen(
      hostThat({ rcpt: () => "554 5.7.1 Client host blocked, user unknown" }),
    );
    expect(await ask(sink)).toMatchObject({ reason: "policy", isCatchAll: null });
  });

  test("a candidate refused as unknown makes the random address needless", async () => {
    const sink = await listen(hostThat({ rcpt: (to) => (to === "b@corp.zz" ? YES : NO) }));
    const plan = { recipients: ["a@corp.zz", "b@corp.zz", "c@corp.zz"], maxRefusals: 8 };
    const { run } = await ask(sink, plan);
    expect(decide(run, "b@corp.zz", unknownIs).reason).toBe("mailbox_exists");
    expect(verbs(sink.connections[0]!)).toEqual(["EHLO", "MAIL", "RCPT", "RCPT", "QUIT"]);
  });

  test("stops at its cap of refusals", async () => {
    const sink = await listen(hostThat({ rcpt: () => NO }));
    const recipients = Array.from({ length: 12 }, (_, index) => `p${index}@corp.zz`);
    await ask(sink, { recipients, maxRefusals: 8 });
    expect(verbs(sink.connections[0]!).filter((verb) => verb === "RCPT")).toHaveLength(8);
  });
});

describe("what a host asks for", () => {
  test("HELO where EHLO is not known", async () => {
    const sink = await listen(hostThat({ ehlo: "502 what", rcpt: () => NO }));
    expect(await ask(sink)).toMatchObject({ reason: "no_such_user" });
    expect(verbs(sink.connections[0]!)).toEqual(["EHLO", "HELO", "MAIL", "RCPT", "QUIT"]);
  });

  test("the empty sender where ours is refused", async () => {
    const mail = (line: string) => (line.includes("<>") ? "250 OK" : "550 5.7.1 no");
    const sink = await listen(hostThat({ mail, rcpt: () => NO }));
    expect(await ask(sink)).toMatchObject({ reason: "no_such_user" });
  });

  test("TLS, with whatever certificate, and only then", async () => {
    const sink = await listen(async (connection) => {
      connection.say("220 mx");
      const replies = ["250-mx\r\n250 STARTTLS", "530 5.7.0 Must issue a STARTTLS command first"];
      for (const reply of [...replies, "220 go on"]) {
        await connection.line();
        connection.say(reply);
      }
      connection.startTls();
      for (const reply of ["250 mx", "250 OK", NO, "221 bye"]) {
        await connection.line();
        connection.say(reply);
      }
    });
    expect(await ask(sink)).toMatchObject({ reason: "no_such_user" });
    expect(verbs(sink.connections[0]!)).toEqual([
      "EHLO",
      "MAIL",
      "STARTTLS",
      "EHLO",
      "MAIL",
      "RCPT",
      "QUIT",
    ]);
  });

  test("bytes behind the 220 to STARTTLS end the session", async () => {
    const sink = await listen(async (connection) => {
      connection.say("220 mx");
      for (const reply of ["250-mx\r\n250 STARTTLS", "530 5.7.0 STARTTLS first"]) {
        await connection.line();
        connection.say(reply);
      }
      await connection.line();
      connection.sayRaw("220 go on\r\n250 2.1.5 injected\r\n");
      connection.startTls();
      for (const reply of ["250 mx", "250 OK", NO]) {
        await connection.line();
        connection.say(reply);
      }
    });
    expect(await ask(sink)).toMatchObject({ reason: "broken_host" });
  });

  test("one recipient a session: the random address goes over a second connection", async () => {
    const rcpt = (to: string, asked: number) =>
      asked > 1 ? "452 4.5.3 Too many recipients" : to === TARGET ? YES : NO;
    let isGone = false;
    const wasGone: boolean[] = [];
    const sink = await listen(async (connection, index) => {
      if (index > 0) wasGone.push(isGone);
      // Its goodbye takes a while; until then the connection counts.
      const say = (...lines: string[]) => {
        if (lines[0] !== "221 bye") return connection.say(...lines);
        setTimeout(() => {
          isGone = true;
          connection.say(...lines);
        });
      };
      await hostThat({ rcpt })({ ...connection, say, end: () => {} });
    });
    expect(await ask(sink)).toMatchObject({ reason: "mailbox_exists" });
    expect(
      sink.connections.map((each) => verbs(each).filter((verb) => verb === "RCPT").length),
    ).toEqual([2, 1]);
    expect(wasGone).toEqual([true]);
  });

  test("SMTPUTF8 for an address beyond ASCII, which without it is unknown", async () => {
    const plan = { recipients: ["jörg@corp.zz"], random: null };
    const without = await listen(hostThat({}));
    const refused = await ask(without, plan);
    expect(decide(refused.run, "jörg@corp.zz", unknownIs).reason).toBe("no_smtputf8");
    const withIt = await listen(hostThat({ extensions: ["SMTPUTF8"], rcpt: () => NO }));
    const { run } = await ask(withIt, plan);
    expect(decide(run, "jörg@corp.zz", unknownIs).reason).toBe("no_such_user");
    expect(withIt.connections[0]!.received[1]).toBe("MAIL FROM:<probe@overture.zz> SMTPUTF8");
  });

  test("a greylist is waited out once, and has then seen the random address too", async () => {
    const seen = new Set<string>();
    const rcpt = (to: string) => {
      if (!seen.has(to)) return seen.add(to) && "450 4.2.0 Greylisted";
      return to === TARGET ? YES : NO;
    };
    const sink = await listen(hostThat({ rcpt }));
    expect(await ask(sink, { budgetMs: 6_000 })).toMatchObject({ reason: "mailbox_exists" });
    expect(sink.connections).toHaveLength(2);
  });

  test("a greylist is not waited out where no time is left", async () => {
    const sink = await listen(hostThat({ rcpt: () => "450 4.2.0 Greylisted" }));
    expect(await ask(sink, { budgetMs: 2_000 })).toMatchObject({ reason: "greylisted" });
    expect(sink.connections).toHaveLength(1);
  });
});

describe("hosts of a domain", () => {
  test("the next one is asked when the first is dead, busy or refuses", async () => {
    for (const banner of ["421 busy", "554 no"]) {
      const first = await listen(hostThat({ banner }));
      const second = await listen(hostThat({ rcpt: () => NO }));
      const probe = probeOf({
        "a.corp.zz": first.port,
        "b.corp.zz": second.port,
        "dead.corp.zz": 1,
      });
      const run = await probe.probe(planFor({ hosts: ["dead.corp.zz", "a.corp.zz", "b.corp.zz"] }));
      expect(decide(run, TARGET, unknownIs).reason).toBe("no_such_user");
    }
  });

  test("at most four are tried", async () => {
    const sink = await listen(hostThat({ banner: "421 busy" }));
    const hosts = Array.from({ length: 9 }, (_, index) => `mx${index}.corp.zz`);
    const ports = Object.fromEntries(hosts.map((host) => [host, sink.port]));
    const run = await probeOf(ports).probe(planFor({ hosts }));
    expect(run.connections).toHaveLength(4);
    expect(decide(run, TARGET, unknownIs).reason).toBe("temporary");
  });

  test("one that leads to a private address is not dialled", async () => {
    let dialled = 0;
    const probe = probeOf(
      {},
      {
        dial: async () => {
          dialled++;
          throw new Error("dialled");
        },
        dns: {
          lookup: async () => ({ kind: "no_data" }),
          addresses: async () => ({ kind: "records", records: ["10.0.0.1"] }),
        },
      },
    );
    const run = await probe.probe(planFor());
    expect(decide(run, TARGET, unknownIs).reason).toBe("private_host");
    expect(dialled).toBe(0);
  });

  test("a line that drops in the middle is taken up once more", async () => {
    let connections = 0;
    const sink = await listen(async (connection) => {
      const isFirst = connections++ === 0;
      await hostThat({ rcpt: () => (isFirst ? null : NO) })(connection);
    });
    expect(await ask(sink)).toMatchObject({ reason: "no_such_user" });
    expect(connections).toBe(2);
  });

  test("a host that always drops is asked twice and no more", async () => {
    const sink = await listen(hostThat({ rcpt: () => null }));
    expect(await ask(sink)).toMatchObject({ reason: "unreachable" });
    expect(sink.connections).toHaveLength(2);
  });
});
