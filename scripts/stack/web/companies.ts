/** An invented company and its website. Names, places and numbers are there to be found again in a draft. */
export interface Company {
  host: string;
  name: string;
  city: string;
  country: string;
  founded: string;
  employees: number;
  /** What it does, in one sentence. */
  does: string;
  about: string[];
  news: { title: string; text: string }[];
  jobs: string[];
  /** What a newspaper wrote, for search engines. */
  press: { title: string; snippet: string };
}

/** Some are companies of the search engines' people, some those of the demo's leads. */
export const COMPANY_SITES: readonly Company[] = [
  {
    host: "nordwind-robotics.zz",
    name: "Nordwind Robotics",
    city: "Hamburg",
    country: "DE",
    founded: "2011",
    employees: 240,
    does: "Nordwind Robotics builds gripping arms that sort parcels of any shape in harbour warehouses.",
    about: [
      "Nordwind Robotics began in 2011 in a disused fish hall in Hamburg, with one gripper and a borrowed conveyor belt.",
      "Today 240 people build arms that sort 18,000 parcels an hour at 42 sites, from Gdansk to Rotterdam.",
      "Our founder Katharina Lindemann still tests each new gripper on smoked eels, because nothing is harder to hold.",
    ],
    news: [
      {
        title: "Third assembly hall opens in Bremerhaven",
        text: "In March 2026 Nordwind opened a third hall in Bremerhaven, which will employ 65 people and run on tidal power.",
      },
      {
        title: "Gripper G7 wins the Baltic Engineering Prize",
        text: 'The jury called the G7 "the first hand that does not mind rain".',
      },
    ],
    jobs: ["Controls engineer, Hamburg", "Service technician for Gdansk", "Head of field training"],
    press: {
      title: "Nordwind Robotics opens hall in Bremerhaven",
      snippet:
        "Nordwind Robotics, maker of parcel grippers, opened its third hall in Bremerhaven in March 2026; 65 jobs are planned.",
    },
  },
  {
    host: "quarzo-foods.zz",
    name: "Quarzo Foods",
    city: "Bologna",
    country: "IT",
    founded: "1987",
    employees: 95,
    does: "Quarzo Foods mills chestnut flour and bakes gluten-free pasta for school canteens.",
    about: [
      "Quarzo Foods was founded in 1987 by the sisters Marta and Elena Quarzo in a water mill near Bologna.",
      "95 people serve 1,300 school canteens in Emilia-Romagna with pasta of chestnut flour.",
    ],
    news: [
      {
        title: "Mill wheel back after 40 years",
        text: "The water wheel of 1911 turns again since May 2026 and covers a fifth of the mill's power.",
      },
    ],
    jobs: ["Food technologist", "Route planner for school deliveries"],
    press: {
      title: "Quarzo Foods restores its water wheel",
      snippet:
        "Quarzo Foods of Bologna, which feeds 1,300 school canteens, restored the mill wheel of 1911 in May 2026.",
    },
  },
  {
    host: "kestrel-logistics.zz",
    name: "Kestrel Logistics",
    city: "Leeds",
    country: "GB",
    founded: "1999",
    employees: 410,
    does: "Kestrel Logistics moves vaccines and blood products by night, at two to eight degrees.",
    about: [
      "Kestrel Logistics has carried cold freight since 1999; not one of 2.4 million boxes was lost to warmth in 2025.",
      "410 drivers and dispatchers work from Leeds, Cardiff and Inverness.",
    ],
    news: [
      {
        title: "Electric night fleet",
        text: "Since January 2026 half of the 120 vans are electric, and drivers choose their own routes home.",
      },
    ],
    jobs: ["Night dispatcher, Leeds", "Refrigeration engineer"],
    press: {
      title: "Kestrel Logistics makes half its vans electric",
      snippet:
        "Kestrel Logistics of Leeds put 60 electric vans on its night runs with vaccines in January 2026.",
    },
  },
  {
    host: "tundra-software.zz",
    name: "Tundra Software",
    city: "Tromsø",
    country: "NO",
    founded: "2016",
    employees: 38,
    does: "Tundra Software writes planning tools for polar research stations and reindeer herders.",
    about: [
      "Tundra Software was founded in 2016 in Tromsø by Ingrid Solberg and two former meteorologists.",
      "38 people keep 27 research stations supplied, with software that works without a network for 90 days.",
    ],
    news: [
      {
        title: "Drift 4.0",
        text: "Drift 4.0, released in February 2026, plans supplies for 27 stations and reads ice charts by itself.",
      },
    ],
    jobs: ["Offline-first engineer", "Product manager who owns skis"],
    press: {
      title: "Tundra Software plans for 27 polar stations",
      snippet: "Tundra Software of Tromsø released Drift 4.0, which reads ice charts by itself.",
    },
  },
  {
    host: "analytical-engines.zz",
    name: "Analytical Engines",
    city: "London",
    country: "GB",
    founded: "1843",
    employees: 12,
    does: "Analytical Engines restores mechanical calculators and teaches schools to program with punched cards.",
    about: [
      "Analytical Engines keeps 312 mechanical calculators running, the oldest of 1843.",
      "Twelve people in London lend engines to 58 schools, each with a box of punched cards.",
    ],
    news: [
      {
        title: "A loom that computes",
        text: "In April 2026 our loom of 1804 wove the first 100 Bernoulli numbers for a school in Leeds.",
      },
    ],
    jobs: ["Brass finisher", "Teacher of punched cards"],
    press: {
      title: "Analytical Engines weaves Bernoulli numbers",
      snippet:
        "Analytical Engines of London let a loom of 1804 weave the first 100 Bernoulli numbers.",
    },
  },
  {
    host: "compiler-works.zz",
    name: "Compiler Works",
    city: "Arlington",
    country: "US",
    founded: "1952",
    employees: 77,
    does: "Compiler Works translates payroll programs of the 1960s into languages that somebody still speaks.",
    about: [
      "Compiler Works has moved 61 million lines of COBOL since 1952, and found one moth.",
      "77 people in Arlington and Norfolk work for payroll offices, harbours and three navies.",
    ],
    news: [
      {
        title: "Nanoseconds by the metre",
        text: "Visitors get a wire of 29.9 cm since June 2026: that is how far light gets in a nanosecond.",
      },
    ],
    jobs: ["COBOL translator", "Moth keeper (part time)"],
    press: {
      title: "Compiler Works passes 61 million lines",
      snippet:
        "Compiler Works of Arlington has moved 61 million lines of COBOL, it said in June 2026.",
    },
  },
];
