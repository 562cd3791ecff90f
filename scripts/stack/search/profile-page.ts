import type { Chance } from "../chance.ts";
import type { Culture } from "./cultures.ts";
import type { Page } from "./format.ts";

/** A person as the profile shows them. */
export interface Shown {
  given: string;
  family: string;
  culture: Culture;
  company: string;
  style?: "cut" | "in_text" | "bare";
}

/** As a name is written without its marks. */
export function inAscii(name: string, writtenOut: boolean): string {
  const table: Record<string, string> = {
    ä: "ae",
    ö: "oe",
    ü: "ue",
    Ä: "Ae",
    Ö: "Oe",
    å: "aa",
    Å: "Aa",
  };
  const spelled = writtenOut ? name.replace(/[äöüÄÖåÅ]/g, (letter) => table[letter]!) : name;
  return spelled
    .replace(/ß/g, "ss")
    .replace(/[łŁ]/g, (l) => (l === "ł" ? "l" : "L"))
    .normalize("NFD")
    .replace(/\p{M}/gu, "");
}

const countryName = ({ country, language }: Culture): string =>
  new Intl.DisplayNames([language], { type: "region" }).of(country)!;

/** Puts the profile into the web and says its slug. */
export function addProfile(chance: Chance, pages: Page[], shown: Shown): string {
  const { given, family, culture, company } = shown;
  const number = Math.floor(chance.next() * 2 ** 32)
    .toString(16)
    .padStart(8, "0");
  const slug = `${inAscii(`${given}-${family}`, false)}-${number}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  const name = `${given} ${family}`;
  const role = chance.pick(culture.roles);
  const [experience, place, education] = culture.labels;
  const titles: Record<NonNullable<Shown["style"]> | "full", string[]> = {
    full: [
      `${name} - ${role} - ${company} | LinkedIn`,
      `${name} – ${role} – ${company} | LinkedIn`,
      `${name} - ${role} ${culture.at} ${company} | LinkedIn`,
      `${name} - ${company} | LinkedIn`,
    ],
    cut: [
      `${name} - ${role} ${culture.at} ${company.slice(0, 9)} ...`,
      `${name} - ${role} - ${company.slice(0, 11)}…`,
    ],
    in_text: [`${name} - ${role} | LinkedIn`, `${name} | LinkedIn`],
    bare: [`${name} | LinkedIn`, `${name} - LinkedIn`],
  };
  const city = chance.pick(culture.cities);
  const country = chance.happens(0.6) ? `, ${countryName(culture)}` : "";
  const employer =
    shown.style === "bare" || shown.style === "cut" ? "" : `${experience}: ${company} · `;
  const subdomain =
    chance.happens(0.6) && culture.country !== "US" ? culture.country.toLowerCase() : "www";
  pages.push({
    url: `https://${subdomain}.linkedin.com/in/${slug}${chance.happens(0.15) ? `/${culture.country.toLowerCase()}` : ""}${chance.happens(0.1) ? "?trk=public" : ""}`,
    title: chance.pick(titles[shown.style ?? "full"]),
    snippet: `${employer}${education}: ${city} University · ${place}: ${city}${country} · ${100 + Math.floor(chance.next() * 400)} connections on LinkedIn.`,
    country: culture.country,
  });
  return slug;
}
