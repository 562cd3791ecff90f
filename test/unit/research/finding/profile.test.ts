import fc from "fast-check";
import { expect, test } from "vitest";
import { companyEvidence } from "#src/domain/research/finding/profile/company-evidence.ts";
import { jaroWinkler } from "#src/domain/research/finding/profile/jaro-winkler.ts";
import { nameLikeness } from "#src/domain/research/finding/profile/name-likeness.ts";
import { readProfilePage } from "#src/domain/research/finding/profile/profile-page.ts";
import { readTitle } from "#src/domain/research/finding/profile/profile-title.ts";
import { queriesFor } from "#src/domain/research/finding/profile/find-profile.ts";
import { scoreProfiles } from "#src/domain/research/finding/profile/score.ts";
import { readFullName } from "#src/domain/research/finding/names/read-name.ts";

const page = (slug: string, title: string, snippet = "", host = "www") => ({
  url: `https://${host}.linkedin.com/in/${slug}`,
  title: `${title} | LinkedIn`,
  snippet,
});
const score = (
  asked: { name: string; company?: string; location?: string },
  ...hits: ReturnType<typeof page>[]
) => scoreProfiles({ company: null, location: null, ...asked }, hits);
const best = (...of: Parameters<typeof score>) => score(...of)[0]?.confidence ?? 0;

test("Jaro and Winkler agree with the published examples", () => {
  expect(jaroWinkler("martha", "marhta")).toBeCloseTo(0.961, 3);
  expect(jaroWinkler("dixon", "dicksonx")).toBeCloseTo(0.813, 3);
  expect(jaroWinkler("dwayne", "duane")).toBeCloseTo(0.84, 3);
  expect(jaroWinkler("", "a")).toBe(0);
  expect(jaroWinkler("abc", "xyz")).toBe(0);
});

test("one person's page is one address, whatever its subdomain, language and query", () => {
  for (const url of [
    "https://www.linkedin.com/in/anna-lind",
    "https://linkedin.com/in/Anna-Lind/",
    "http://se.linkedin.com/in/anna-lind/sv?trk=people#top",
  ])
    expect(readProfilePage(url)?.url).toBe("https://www.linkedin.com/in/anna-lind");
  expect(readProfilePage("https://uk.linkedin.com/in/a")?.country).toBe("GB");
  expect(readProfilePage("https://www.linkedin.com/in/a")?.country).toBeNull();
  expect(readProfilePage("https://de.linkedin.com/in/j%C3%BCrgen-m%C3%BCller")?.slug).toBe(
    "jürgen-müller",
  );
});

test("what is no person's page there is none", () => {
  for (const url of [
    "https://www.linkedin.com/company/corp",
    "https://www.linkedin.com/posts/anna-lind_x",
    "https://www.linkedin.com/pub/dir/Anna/Lind",
    "https://www.linkedin.com/in/",
    "https://linkedin.com.evil.zz/in/anna-lind",
    "https://evil-linkedin.com/in/anna-lind",
    "https://evil.zz/linkedin.com/in/anna-lind",
    "javascript:alert(1)//linkedin.com/in/anna",
    "https://www.linkedin.com/in/%ff",
    "https://www.linkedin.com/in/a%2fb",
    `https://www.linkedin.com/in/${"a".repeat(300)}`,
    "",
  ])
    expect([url, readProfilePage(url)]).toEqual([url, null]);
});

test("a title is read in the ways the network and the engines write it", () => {
  expect(readTitle("Anna Lind - CTO - Corp | LinkedIn")).toEqual({
    name: "Anna Lind",
    parts: ["CTO", "Corp"],
    isCut: false,
  });
  expect(readTitle("Anna Lind – Geschäftsführerin – Corp | LinkedIn").parts.at(-1)).toBe("Corp");
  expect(readTitle("Jean-Luc Picard - LinkedIn")).toEqual({
    name: "Jean-Luc Picard",
    parts: [],
    isCut: false,
  });
  expect(readTitle("Anna Lind - CTO at Nordw...").isCut).toBe(true);
});

test("the same person: letters, order, small words, nicknames and initials of middle names make no difference", () => {
  for (const [asked, shown] of [
    ["Jürgen Müller", "Juergen Mueller"],
    ["Lukasz Walesa", "Łukasz Wałęsa"],
    ["Jan van der Berg", "Jan Berg"],
    ["Jan Berg", "Lind Berg Jan"],
    ["Robert Miller", "Bob Miller"],
    ["Bob Miller", "Robert J. Miller"],
    ["Conan O'Brien", "Conan OBrien"],
    ["Jean-Luc Picard", "Jean Luc Picard"],
    ["Anna Smith-Jones", "Anna Jones"],
    ["Александр Щербаков", "Aleksandr Shcherbakov"],
    ["田中太郎", "田中 太郎"],
  ] as const)
    expect([asked, shown, nameLikeness(readFullName(asked), shown) > 0.85]).toEqual([
      asked,
      shown,
      true,
    ]);
});

test("another person: half a name in common is nothing", () => {
  for (const [asked, shown] of [
    ["Anna Lind", "Anna Berg"],
    ["Anna Lind", "Eva Lind"],
    ["Martin Berg", "Martina Berg"],
    ["Anna Lindberg", "Anna Lindgren"],
    ["Otávio Silva Santos", "Renata Silva Santos"],
    ["J. Smith", "John Smith"],
    ["Anna Lind", ""],
    ["Anna Lind", "田中 太郎"],
  ] as const)
    expect([asked, shown, nameLikeness(readFullName(asked), shown) < 0.3]).toEqual([
      asked,
      shown,
      true,
    ]);
});

test("a company is known by its words, without its legal form", () => {
  const share = (company: string, title: string, snippet = "") => {
    const evidence = companyEvidence(company, title, snippet);
    return evidence.kind === "named" ? evidence.share : evidence.kind;
  };
  expect(share("Acme Robotics", "Anna - CTO - Acme Robotics GmbH | LinkedIn")).toBe(1);
  expect(share("ACME ROBOTICS INC.", "Anna - CTO at Acme Robotics | LinkedIn")).toBe(1);
  expect(share("Acme Robotics", "Anna - CTO | LinkedIn", "Experience: Acme Robotics")).toBe(0.85);
  expect(share("Acme Robotics", "Anna - CTO - Acme | LinkedIn")).toBe(0.7);
  expect(share("International Business Machines", "Anna - CTO - IBM | LinkedIn")).toBe(0.7);
  expect(share("Acme Robotics", "Anna - CTO at Acme Rob...")).toBe(0.7);
  expect(share("Acme Robotics", "Anna - CTO - Acme Foods | LinkedIn")).toBe("another");
  expect(share("Acme Robotics", "Anna | LinkedIn")).toBe("silent");
});

test("name and company: surely; the name at another company: not found", () => {
  const asked = { name: "Anna Lind", company: "Corp" };
  expect(best(asked, page("a", "Anna Lind - CTO - Corp"))).toBeGreaterThanOrEqual(0.95);
  expect(best(asked, page("a", "Anna Lind - CTO - Other"))).toBe(0);
  expect(best(asked, page("a", "Eva Lind - CTO - Corp"))).toBe(0);
  expect(best(asked, page("anna-lind-1a2b3c4d", "LinkedIn", "Works at Corp."))).toBeGreaterThan(
    0.8,
  );
});

test("a name alone is worth its share among those who have it, and the country tells them apart", () => {
  const one = page("a", "Anna Lind - CTO - X", "", "se");
  const two = page("b", "Anna Lind - CEO - Y", "", "no");
  expect(best({ name: "Anna Lind" }, one)).toBe(0.55);
  expect(score({ name: "Anna Lind" }, one, two)).toEqual([]);
  const found = score({ name: "Anna Lind", location: "SE" }, one, two);
  expect(found[0]).toMatchObject({ profileUrl: "https://www.linkedin.com/in/a", confidence: 0.65 });
  expect(score({ name: "Anna Lind", location: "Norwegen" }, one, two)[0]?.profileUrl).toMatch(
    /\/b$/,
  );
  const oslo = page("c", "Anna Lind", "Place: Oslo, Norway · 300 connections");
  expect(best({ name: "Anna Lind", location: "Oslo" }, oslo)).toBe(0.65);
  expect(best({ name: "Anna Lind", location: "SE" }, oslo)).toBe(0.45);
});

test("the same page from two engines is one person", () => {
  const found = score(
    { name: "Anna Lind", company: "Corp" },
    page("a", "Anna Lind - CTO", ""),
    page("A", "Anna Lind - Corp", "", "se"),
  );
  expect(found).toHaveLength(1);
});

test("the exact question has the name in quotes, the loose one what the person is called besides", () => {
  const { exact, loose, country } = queriesFor({
    name: 'Dr. Bob "x" Miller, PhD',
    company: 'Corp "Ltd"',
    location: "Germany",
  });
  expect(exact).toBe('site:linkedin.com/in "Bob Miller" Corp Ltd');
  expect(loose).toBe("site:linkedin.com/in robert Miller Corp Ltd");
  expect(country).toBe("DE");
});

const text = fc.oneof(fc.string({ maxLength: 300 }), fc.string({ unit: "binary", maxLength: 300 }));
test("of any names and hits: at most five profiles, best first, none below 0.3, all of them people's pages", () => {
  const hit = fc.record({
    url: fc.oneof(
      text,
      text.map((slug) => `https://www.linkedin.com/in/${slug}`),
    ),
    title: text,
    snippet: text,
  });
  fc.assert(
    fc.property(
      text,
      fc.option(text),
      fc.option(text),
      fc.array(hit, { maxLength: 8 }),
      (name, company, location, hits) => {
        const sure = {
          url: "https://www.linkedin.com/in/x",
          title: `${name} - ${company}`,
          snippet: "",
        };
        const found = scoreProfiles({ name, company, location }, [...hits, sure]);
        expect(found.length).toBeLessThanOrEqual(5);
        for (const [at, { profileUrl, confidence }] of found.entries()) {
          expect(profileUrl).toMatch(/^https:\/\/www\.linkedin\.com\/in\/[^/?#\s]+$/);
          expect(confidence).toBeGreaterThanOrEqual(0.3);
          expect(confidence).toBeLessThanOrEqual(found[at - 1]?.confidence ?? 1);
        }
        queriesFor({ name, company, location });
      },
    ),
    { numRuns: 300 },
  );
});

test("one Arabic name in two spellings is one person's, and no neighbour's", () => {
  const likeness = (asked: string, shown: string) => nameLikeness(readFullName(asked), shown);
  for (const [one, other] of [
    ["Abd al-Rahman al-Masri", "Abdulrahman Almasri"],
    ["Abdulrahman Almasri", "Abd al-Rahman al-Masri"],
    ["Abd al Rahman al Masri", "Abdulrahman Almasri"],
  ])
    expect([one, likeness(one!, other!) >= 0.8]).toEqual([one, true]);
  expect(likeness("Abd al-Rahman al-Masri", "Abdulaziz Almasri")).toBeLessThan(0.3);
  expect(likeness("Abd al-Rahman al-Masri", "Abdulrahman Haddad")).toBeLessThan(0.3);
});
