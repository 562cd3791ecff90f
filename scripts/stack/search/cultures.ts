import type { Split } from "../farm/format.ts";

/** Invented people of a country: which names they have and what the network writes in its language. */
export interface Culture {
  country: string;
  language: string;
  split: Split;
  given: string[];
  family: string[];
  /** Beginnings and ends of further family names. */
  halves: [string, string];
  cities: string[];
  roles: string[];
  /** Between role and employer. */
  at: string;
  /** In front of the employer, the place and the school in a result's text. */
  labels: [experience: string, place: string, education: string];
}

const words = (text: string) => text.split(" ");

export const CULTURES: readonly Culture[] = [
  {
    country: "US",
    language: "en",
    halves: [
      "Whit Hay Carl Ells Brad Thorn Hart Wake Stan Mer Lang Fair Oak Pem Ash Had Win",
      "field ward worth ford well ley brook ton ham bury combe stead shaw man",
    ],
    split: "tune",
    given: words(
      "Robert William Jennifer Katherine Michael Elizabeth Daniel Samantha Christopher Patricia Andrew Rebecca",
    ),
    family: words(
      "Miller Whitfield Carver Thompson O'Neill Hayward Sutton Fletcher Ramsey Brockman Ellsworth Draper",
    ),
    cities: ["Austin", "Denver", "Portland"],
    roles: ["Head of Sales", "Software Engineer", "VP Marketing", "Founder"],
    at: "at",
    labels: ["Experience", "Location", "Education"],
  },
  {
    country: "DE",
    language: "de",
    halves: [
      "Linden Hof Stein Wald Brück Küh Rosen Eichen Vogel Ober Unter Neu Kirch Haber Lauter Wies Amsel",
      "mann stetter bauer feld egger hagen berger reuter huber meister kamp thal stock korn",
    ],
    split: "tune",
    given: words(
      "Jürgen Katharina Matthias Stefanie Wolfgang Käthe Johannes Ursula Tobias Anneliese",
    ),
    family: words(
      "Müller Schäfer Köhler Weißmann Brückner Hofstetter Lindemann Vogelsang Jäger Großmann",
    ),
    cities: ["Berlin", "Hamburg", "Stuttgart"],
    roles: ["Geschäftsführer", "Leiterin Vertrieb", "Entwickler", "Projektmanagerin"],
    at: "bei",
    labels: ["Berufserfahrung", "Ort", "Ausbildung"],
  },
  {
    country: "FR",
    language: "fr",
    halves: [
      "Beau Mont Clair Font Char Grand Bel Val Roche Haute Lon Mar Saint Tour Vau Du",
      "champ repos fort ville rière lieu pré gny vallier court mont lande bois beau",
    ],
    split: "tune",
    given: words("Jean-Luc Élodie François Amélie Benoît Chloé Mathéo Geneviève"),
    family: words("Lefèvre Marchand Dubois-Renard Girardot Beauchêne Lacroix Fontaine Périer"),
    cities: ["Lyon", "Nantes", "Lille"],
    roles: ["Directrice commerciale", "Ingénieur logiciel", "Responsable marketing"],
    at: "chez",
    labels: ["Expérience", "Lieu", "Formation"],
  },
  {
    country: "ES",
    language: "es",
    halves: [
      "Zubi Eche Aran Men Iri Goi Sala Urru Bara Olai Gara Leza Mendi Arri Txo Bel",
      "zarreta verría guren dizábal barren tegui coetxea zola goitia mendi koa rreta lde ñaga",
    ],
    split: "tune",
    given: words("Francisco Guadalupe Ignacio Begoña Joaquín Lucía Íñigo Rocío"),
    family: [
      "García Márquez",
      "Núñez",
      "Ibáñez Peralta",
      "Zubizarreta",
      "Olmedo",
      "Castaño Ruiz",
      "Quiroga",
      "Peñalver",
    ],
    cities: ["Valencia", "Bilbao", "Sevilla"],
    roles: ["Directora de ventas", "Ingeniero", "Consultora"],
    at: "en",
    labels: ["Experiencia", "Ubicación", "Educación"],
  },
  {
    country: "SE",
    language: "sv",
    halves: [
      "Sjö Häll Ek Berg Nord Lind Alm Björk Gran Hag Sten Öst Väster Rosen Sand Lager",
      "ström qvist gren lund mark dahl blad lind man ros kvist feldt berg hammar",
    ],
    split: "tune",
    given: words("Åsa Björn Göran Elsa Sören Märta Anders Ingrid"),
    family: words("Lindström Åkerblom Sjögren Nordqvist Bergström Hällström Wikander Öberg"),
    cities: ["Malmö", "Uppsala", "Göteborg"],
    roles: ["Försäljningschef", "Utvecklare", "Verkställande direktör"],
    at: "på",
    labels: ["Erfarenhet", "Plats", "Utbildning"],
  },
  {
    country: "IT",
    language: "it",
    halves: [
      "Bel Cas Mon Pel Ros Vil Gal Tor Bran Cor Fer Gua Luc Mar Pas San",
      "landi tellani tefiore legrino setti lani toni etti ucci elli atti ardi ossi igo",
    ],
    split: "held_out",
    given: words("Alessandro Giuseppe Niccolò Francesca Lorenzo Benedetta Salvatore Chiara"),
    family: [
      "D'Angelo",
      "Bellandi",
      "Della Rovere",
      "Castellani",
      "Di Stefano",
      "Marchetti",
      "Forlì",
      "Pellegrino",
    ],
    cities: ["Torino", "Bologna", "Verona"],
    roles: ["Responsabile vendite", "Ingegnere", "Amministratore delegato"],
    at: "presso",
    labels: ["Esperienza", "Località", "Formazione"],
  },
  {
    country: "NL",
    language: "nl",
    halves: [
      "Hoek Kuij Ver Haan Wester Brou Kool Zand Blok Dek Mole Rijn Slot Vos Water Berk",
      "stra pers meulen brink hof wers man veld kamp huis burg laan dijk stein",
    ],
    split: "held_out",
    given: words("Pieter Sanne Willem Marijke Joost Femke Thijs Anouk"),
    family: [
      "van der Berg",
      "de Groot",
      "Hoekstra",
      "van Dijk",
      "ten Brink",
      "Kuijpers",
      "Vermeulen",
      "van 't Hof",
    ],
    cities: ["Utrecht", "Eindhoven", "Groningen"],
    roles: ["Accountmanager", "Ontwikkelaar", "Directeur"],
    at: "bij",
    labels: ["Ervaring", "Locatie", "Opleiding"],
  },
  {
    country: "PL",
    language: "pl",
    halves: [
      "Dąbrow Śliw Jabłoń Wiśniow Kędzier Gołęb Żółk Brzeź Czern Gór Kamień Lip Mal Now Ost Piotr",
      "ski iński ecki owski icki iewski niak czyk owicz ewicz ak ek arz uk",
    ],
    split: "held_out",
    given: words("Łukasz Małgorzata Tomasz Agnieszka Stanisław Żaneta Paweł Jadwiga"),
    family: words(
      "Wałęsa Dąbrowska Brzęczyszczykiewicz Śliwiński Żółkiewski Jabłońska Gołąb Kędzierska",
    ),
    cities: ["Gdańsk", "Poznań", "Wrocław"],
    roles: ["Kierownik sprzedaży", "Programista", "Dyrektor"],
    at: "w",
    labels: ["Doświadczenie", "Lokalizacja", "Wykształcenie"],
  },
  {
    country: "BR",
    language: "pt",
    halves: [
      "Figuei Casta Magal Brand Corde Arau Vascon Olive Alva Bar Cam Dur Fer Gou Lou Mor",
      "redo nheira hães eiro larga celos rinho enga bosa argo nandes veia redo ães",
    ],
    split: "held_out",
    given: words("João Conceição Thiago Antônia Murilo Lúcia Otávio Renata"),
    family: [
      "Silva Santos",
      "Gonçalves",
      "Araújo",
      "Magalhães Prado",
      "Assunção",
      "Cordeiro",
      "Brandão",
      "Figueiró",
    ],
    cities: ["Curitiba", "Recife", "Fortaleza"],
    roles: ["Gerente de vendas", "Engenheira", "Diretor"],
    at: "na",
    labels: ["Experiência", "Localidade", "Formação acadêmica"],
  },
];

const FIRST = words(
  "Nordwind Helios Quarzo Blueriver Tamarind Kestrel Ostrava Meridian Larkspur Solvang Ferrum Candela Brightwater Halcyon Zenobia Arbutus Corvid Palisade Tundra Vireo",
);
const SECOND = words(
  "Robotics Foods Logistics Analytics Energy Textiles Software Medical Partners Consulting",
);
const LEGAL: Record<string, string[]> = {
  US: ["Inc", "LLC", ""],
  DE: ["GmbH", "AG"],
  FR: ["SAS", "SARL"],
  ES: ["SL", "SA"],
  SE: ["AB"],
  IT: ["SpA", "Srl"],
  NL: ["BV", ""],
  PL: ["sp. z o.o.", ""],
  BR: ["Ltda", "SA"],
};

/** Twenty first names times ten trades; the same first name with another trade is another company. */
export const COMPANIES: readonly { first: string; name: string }[] = FIRST.flatMap((first) =>
  SECOND.map((second) => ({ first, name: `${first} ${second}` })),
);
export const legalForms = (country: string): readonly string[] => LEGAL[country] ?? [""];
