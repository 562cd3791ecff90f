import { expect, test } from "vitest";
import { identifierSlug, profileSlug } from "#src/domain/people/leads/profile-slug.ts";

test.each([
  ["https://www.linkedin.com/in/Ada-Lovelace", "ada-lovelace"],
  ["http://de.linkedin.com/in/ada-lovelace/en?trk=x#y", "ada-lovelace"],
  ["linkedin.com/in/andré", "andr%c3%a9"],
  ["https://www.linkedin.com/company/acme", null],
  ["https://www.linkedin.com/in/", null],
  ["not a page", null],
])("%s is the page of %s", (url, slug) => {
  expect(profileSlug(url)).toBe(slug);
});

test("a public identifier is compared as the page it names", () => {
  expect(identifierSlug("André")).toBe(profileSlug("https://www.linkedin.com/in/andr%C3%A9"));
});
