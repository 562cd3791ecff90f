import { LEAD_TEXTS, type LeadTextName } from "#db/schema/leads.ts";
import { zoneNamed } from "#src/platform/zone-names.ts";
import { readCountry } from "./country.ts";
import { readWebsite } from "./profile-url.ts";

/** A field of a lead that holds text, by its name on the wire and in the database. */
export type TextField = "email" | LeadTextName;
export type LeadField = TextField | "tags";

interface LeadColumn {
  /** How long a text may be. */
  max: number;
  /** Headers that mean it, without case, spaces and punctuation; its own name need not be among them. */
  headers: string;
  /** What a dataset says of the column; absent: `text`. */
  type?: "email" | "url";
  /** Absent: the text is kept as it is; the identifying columns are read by `readLead` itself. */
  reads?: {
    /** The text as it is kept; null where it is none of the kind. */
    as(text: string): string | null;
    code: "INVALID_URL" | "INVALID_COUNTRY" | "INVALID_TIMEZONE";
    /** Why it is refused: `website "x" is not a web address`. */
    otherwise: string;
  };
}

/**
 * What is known of each text of a lead. Import, readers, export, preflight and the API are made of this list and of
 * the schema's: a new text is a line in each (CONTRIBUTING.md).
 */
export const LEAD_COLUMNS: Readonly<Record<TextField, LeadColumn>> = {
  email: {
    max: 254,
    headers:
      "emailaddress mail mailaddress workemail businessemail companyemail primaryemail emailprimary",
    type: "email",
  },
  first_name: { max: 255, headers: "givenname forename first vorname prenom nombre" },
  last_name: { max: 255, headers: "surname familyname last nachname nom apellido" },
  full_name: { max: 255, headers: "name contactname contact displayname" },
  company: {
    max: 255,
    headers:
      "companyname organization organisation organizationname employer firma account accountname",
  },
  title: { max: 255, headers: "jobtitle role position jobrole" },
  profile_url: {
    max: 2000,
    headers:
      "profile linkedinurl linkedin linkedinprofile linkedinprofileurl linkedinlink personlinkedinurl",
    type: "url",
  },
  phone: {
    max: 64,
    headers: "phonenumber mobile mobilephone mobilenumber telephone tel directphone workphone",
  },
  website: {
    max: 2000,
    headers: "websiteurl companywebsite companyurl homepage web url",
    type: "url",
    reads: { as: readWebsite, code: "INVALID_URL", otherwise: "is not a web address" },
  },
  location: { max: 255, headers: "place" },
  country: {
    max: 100,
    headers: "countrycode countryname land pays pais",
    reads: {
      as: readCountry,
      code: "INVALID_COUNTRY",
      otherwise: "is neither an ISO 3166-1 code nor a known name",
    },
  },
  timezone: {
    max: 100,
    headers: "tz timezonename ianatimezone",
    reads: {
      as: (text) => zoneNamed(text.trim()),
      code: "INVALID_TIMEZONE",
      otherwise: "is not an IANA time zone",
    },
  },
};

/** In the order in which they are exported. */
export const TEXT_FIELDS: readonly TextField[] = ["email", ...LEAD_TEXTS.map(({ name }) => name)];

export const TAGS = { headers: "tag labels", count: 50, length: 100 };

export const LEAD_FIELDS: readonly LeadField[] = [...TEXT_FIELDS, "tags"];

export const headersOf = (field: LeadField): string[] =>
  (field === "tags" ? TAGS : LEAD_COLUMNS[field]).headers.split(" ");

export const typeOf = (field: LeadField): string =>
  field === "tags" ? "list" : (LEAD_COLUMNS[field].type ?? "text");
