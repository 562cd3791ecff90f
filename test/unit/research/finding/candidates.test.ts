import fc from "fast-check";
import { expect, test } from "vitest";
import {
  candidatesFor,
  confidenceWhenAccepted,
  isShared,
  MAX_CANDIDATES,
  SURE,
  worthAsking,
} from "#src/domain/research/finding/email/candidates.ts";
import { readFullName, readName } from "#src/domain/research/finding/names/read-name.ts";

const locals = (first: string, last: string, domain = "corp.com", learned = {}) =>
  candidatesFor(readName(first, last), domain, learned).map(({ email }) => email.split("@")[0]);

test("nothing known: first.last, then the next common patterns", () => {
  expect(locals("Anna", "Lind").slice(0, 3)).toEqual(["anna.lind", "alind", "anna"]);
});

test("a name is written as at such a domain", () => {
  const firstChoice: [first: string, last: string, domain: string, local: string][] = [
    ["Dr. Robert", "Miller Jr.", "corp.com", "robert.miller"],
    ["Prof. Dr. Eva", "Lind, PhD", "corp.com", "eva.lind"],
    ["Conan", "O'Brien", "corp.com", "conan.obrien"],
    ["Gianni", "D’Angelo", "corp.it", "gianni.dangelo"],
    ["Jean-Luc", "Picard", "corp.fr", "jeanluc.picard"],
    ["Jan", "van der Berg", "corp.nl", "jan.vanderberg"],
    ["Ludwig van", "Beethoven", "corp.com", "ludwig.vanbeethoven"],
    ["Omar", "al-Rashid", "corp.com", "omar.alrashid"],
    ["Maria José", "Silva", "corp.com", "maria.silva"],
    ["Gabriel", "García Márquez", "corp.es", "gabriel.garcia"],
    ["João", "Silva Santos", "corp.com.br", "joao.santos"],
    ["Jürgen", "Müller", "corp.de", "juergen.mueller"],
    ["Jörgen", "Åkesson", "corp.se", "jorgen.akesson"],
    ["Łukasz", "Wałęsa", "corp.pl", "lukasz.walesa"],
    ["Şule", "Yıldız", "corp.com.tr", "sule.yildiz"],
    ["Александр", "Щербаков", "corp.ru", "aleksandr.shcherbakov"],
    ["Олена", "Гончар", "corp.ua", "olena.honchar"],
    ["Γιώργος", "Παπαδόπουλος", "corp.gr", "giorgos.papadopoulos"],
    ["J. Robert", "Oppenheimer", "corp.com", "robert.oppenheimer"],
  ];
  for (const [first, last, domain, local] of firstChoice)
    expect([first, last, locals(first, last, domain)[0]]).toEqual([first, last, local]);
});

test("the other ways to write a name come later", () => {
  const among: [first: string, last: string, domain: string, ...others: string[]][] = [
    ["Conan", "O'Brien", "corp.com", "conan.o.brien"],
    ["Anna", "Smith-Jones", "corp.com", "anna.smith-jones", "anna.smith", "anna.jones"],
    ["Jan", "van der Berg", "corp.nl", "jan.berg"],
    ["Jürgen", "Müller", "corp.de", "jurgen.muller"],
    ["Jörg", "Müller", "corp.com", "joerg.mueller", "jorg.muller"],
    ["Gabriel", "García Márquez", "corp.es", "gabriel.garciamarquez", "gabriel.marquez"],
    ["Robert", "Miller", "corp.com", "bob.miller"],
    ["Bob", "Miller", "corp.com", "robert.miller"],
    ['William "Chip"', "Lind", "corp.com", "chip.lind"],
    ["Наталья", "Юрьева", "corp.ru", "natalia.iureva"],
  ];
  for (const [first, last, domain, ...others] of among)
    expect(locals(first, last, domain)).toEqual(expect.arrayContaining(others));
});

test("letters that do not tell how they sound give no candidates", () => {
  expect(locals("太郎", "田中")).toEqual([]);
  expect(locals("محمد", "الراشد")).toEqual([]);
  expect(locals("Taro", "田中")).toEqual([]);
});

test("what was learned of a domain comes first, and more of it counts more", () => {
  expect(locals("Anna", "Lind", "corp.com", { flast: 1 })[0]).toBe("alind");
  const share = (hits: number) =>
    candidatesFor(readName("Anna", "Lind"), "corp.com", { flast: hits })[0]!.prior;
  expect(share(10)).toBeGreaterThan(share(2));
  expect(locals("Anna", "Lind", "corp.com", { flast: 1, "first.last": 9 })[0]).toBe("anna.lind");
});

test("a name that is an office or a machine is not written to", () => {
  expect(locals("Sales", "Lind")).not.toContain("sales");
  expect(locals("Abuse", "Lind")).not.toContain("abuse");
});

test("after other refusals an acceptance that somebody else may have says less", () => {
  const all = candidatesFor(readName("Anna", "Lind"), "corp.com");
  const accepted = (local: string) => {
    const at = all.findIndex(({ email }) => email.startsWith(`${local}@`));
    return confidenceWhenAccepted(all[at]!, all.slice(0, at));
  };
  expect(accepted("anna.lind")).toBeGreaterThan(0.98);
  expect(accepted("anna")).toBeLessThan(0.75);
});

test("an address that others may have is asked for last, and first of all never", () => {
  const asked = (learned = {}) =>
    worthAsking(candidatesFor(readName("Anna", "Lind"), "corp.com", learned)).map(
      ({ email }) => email.split("@")[0],
    );
  expect(asked()).not.toContain("alind");
  expect(asked({ first: 5 })[0]).toBe("anna.lind");
  expect(asked({ first: 5 }).slice(-2)).toEqual(["anna", "annie"]);
});

/** What is asked for, with what the first acceptance of it would be worth. */
const askedFor = (first: string, last: string, learned = {}) =>
  worthAsking(candidatesFor(readName(first, last), "corp.com", learned)).map((each) => ({
    ...each,
    local: each.email.split("@")[0],
  }));

test("a common name is a colleague's too: its initial says little, however well the company is known", () => {
  const worth = (last: string, local: string) => {
    const all = candidatesFor(readName("Hector", last), "corp.com", { flast: 20 });
    const at = all.findIndex(({ email }) => email.startsWith(`${local}@`));
    return confidenceWhenAccepted(all[at]!, all.slice(0, at));
  };
  expect(worth("Quillfeather", "hquillfeather")).toBeGreaterThan(0.99);
  expect(worth("Chen", "hchen")).toBeLessThan(0.9);
});

test("both first names in one are asked for before the first alone, which may be another person's", () => {
  const locals = askedFor("José María", "Ibáñez").map(({ local }) => local);
  expect(locals.indexOf("josemaria.ibanez")).toBeLessThan(locals.indexOf("jose.ibanez"));
  expect(locals).not.toContain("maria.ibanez");
});

test("a nickname's long form is looked for in every pattern, and a name of its own is no nickname", () => {
  const locals = (first: string, last: string) => askedFor(first, last).map(({ local }) => local);
  expect(locals("Peggy", "Quillfeather")).toContain("mquillfeather");
  expect(locals("Bob", "Quillfeather")).toContain("robert.quillfeather");
  expect(locals("Hans", "Quillfeather")).toContain("jquillfeather");
  expect(locals("Hans", "Quillfeather")).not.toContain("johannes.quillfeather");
  expect(locals("Johannes", "Quillfeather")).not.toContain("hans.quillfeather");
});

test("what shows another first name beside a common family name is rather a colleague's", () => {
  const worth = (first: string, last: string, local: string, learned = {}) => {
    const asked = askedFor(first, last, learned);
    const at = asked.findIndex((each) => each.local === local);
    return confidenceWhenAccepted(asked[at]!, asked.slice(0, at));
  };
  const known = { "first.last": 2 };
  expect(worth("Bill", "Miller", "william.miller", known)).toBeLessThan(SURE);
  expect(worth("Bill", "Quillfeather", "william.quillfeather", known)).toBeGreaterThan(SURE);
  expect(worth("Thu Trang", "Le", "trang.le", known)).toBeLessThan(SURE);
  expect(worth("Thu Trang", "Le", "trang.le", { "first.last": 9 })).toBeGreaterThan(SURE);
  const shared = askedFor("Bill", "Miller", known).find(({ local }) => local === "william.miller");
  expect(isShared(shared!)).toBe(true);
});

test("an initial that the name's own form gives is no less its bearer's where the long form gives it too", () => {
  const chance = (first: string, local: string) =>
    candidatesFor(readName(first, "Quillfeather"), "corp.com").find(({ email }) =>
      email.startsWith(`${local}@`),
    )!.someoneElse;
  expect(chance("Wm.", "quillfeatherw")).toBe(chance("Bregje", "quillfeatherb"));
  expect(chance("Peggy", "mquillfeather")).toBeGreaterThan(chance("Peggy", "pquillfeather"));
});

test("a Vietnamese first name is the last word, in whichever field the family name stands", () => {
  const first = (given: string, family: string) =>
    candidatesFor(readName(given, family), "corp.com")[0]!.email.split("@")[0];
  expect(first("Thị Thu Hà", "Trần")).toBe("ha.tran");
  expect(first("Van Minh", "Nguyen")).toBe("minh.nguyen");
  expect(first("Bùi", "Ngọc Lan")).toBe("lan.bui");
  // Anna Maria is another matter, at a family of three letters too.
  expect(first("Anna Maria", "Le")).toBe("anna.le");
});

test("initials and abbreviations stand for a name", () => {
  const locals = (first: string, last: string) =>
    candidatesFor(readName(first, last), "corp.com").map(({ email }) => email.split("@")[0]);
  expect(locals("R. K.", "Quillfeather")).toEqual(
    expect.arrayContaining(["rquillfeather", "rk.quillfeather", "r.quillfeather"]),
  );
  expect(locals("R. K.", "Quillfeather")).not.toContain("k.quillfeather");
  expect(locals("Wm.", "Quillfeather")).toContain("william.quillfeather");
  const pattern = candidatesFor(readName("R.", "Quillfeather"), "corp.com").find(({ email }) =>
    email.startsWith("r.quillfeather@"),
  )!.pattern;
  expect(pattern).toBe("f.last");
});

test("one Arabic name in several spellings gives the same addresses", () => {
  for (const [first, last] of [
    ["Abdulrahman", "Almasri"],
    ["Abd al-Rahman", "al-Masri"],
    ["Abd al Rahman", "al Masri"],
    ["Abdel Rahman", "Al-Masri"],
  ])
    expect([first, askedFor(first!, last!)[0]!.local]).toEqual([first, "abdulrahman.almasri"]);
});

test("what two people of the same letters have is known by its number, or by a second letter", () => {
  const [whole, initial] = ["hector.quillfeather", "hquillfeather"].map(
    (local) => askedFor("Hector", "Quillfeather").find((each) => each.local === local)!.namesakes,
  );
  expect([whole, initial]).toEqual([[], ["hquillfeather2@corp.com", "hequillfeather@corp.com"]]);
});

test("at a company known for one pattern nobody is guessed by another that anybody could have", () => {
  const all = candidatesFor(readName("Anna", "Lind"), "corp.com", { "first.last": 30 });
  expect(worthAsking(all).map(({ email }) => email)).not.toContain("anna@corp.com");
});

const anyName = fc.oneof(
  fc.string({ maxLength: 100 }),
  fc.string({ unit: "binary", maxLength: 100 }),
  fc
    .array(
      fc.constantFrom("van", "de", "O'Brien", "Müller-", "Dr.", "PhD", "'", ",", "(", "Łž", "é"),
    )
    .map((words) => words.join(" ")),
);

test("of any text: at most fourteen plain, different addresses, and shares that add up to one at most", () => {
  fc.assert(
    fc.property(
      anyName,
      anyName,
      fc.dictionary(fc.constantFrom("flast", "first", "fl"), fc.nat(50)),
      (first, last, learned) => {
        const all = candidatesFor(readName(first, last), "corp.de", learned);
        expect(all.length).toBeLessThanOrEqual(MAX_CANDIDATES);
        expect(new Set(all.map(({ email }) => email)).size).toBe(all.length);
        for (const { email, prior } of all) {
          expect(email).toMatch(/^[a-z0-9]+([._-][a-z0-9]+)*@corp\.de$/);
          expect(prior).toBeGreaterThan(0);
        }
        expect(all.reduce((sum, { prior }) => sum + prior, 0)).toBeLessThanOrEqual(1 + 1e-9);
        expect(worthAsking(all).length).toBeLessThanOrEqual(MAX_CANDIDATES);
      },
    ),
    { numRuns: 400 },
  );
});

test("a whole name in one field is taken apart", () => {
  const read = (name: string) => {
    const { given, particles, family } = readFullName(name);
    return [given.join(" "), [...particles, ...family].join(" ")];
  };
  expect(read("Prof. Dr. Anna van der Lind, PhD")).toEqual(["Anna", "van der Lind"]);
  expect(read("Lind, Anna Maria")).toEqual(["Anna Maria", "Lind"]);
  expect(read("Anna Maria Lind")).toEqual(["Anna Maria", "Lind"]);
  expect(read("Madonna")).toEqual(["", "Madonna"]);
  expect(read("")).toEqual(["", ""]);
});

test("a name of ten thousand characters takes no time to speak of", () => {
  for (const text of ["a", "-", "'", "van ", "é", "(", '"', ". ", "a.", "ph. d"]) {
    const long = text.repeat(10_000);
    expect(locals(long, long).length).toBeLessThanOrEqual(MAX_CANDIDATES);
  }
});
