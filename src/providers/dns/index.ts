export type DnsType = "A" | "AAAA" | "CNAME" | "MX" | "PTR" | "TXT";

/**
 * What DNS says of a name and type. Records are text: TXT with its strings joined, MX as
 * `<preference> <host>`, names in lower case without the last dot. `error` says nothing of the name.
 */
export type DnsAnswer =
  | { kind: "records"; records: string[] }
  | { kind: "no_name" }
  | { kind: "no_data" }
  | { kind: "error"; reason: string };

export interface Dns {
  /** Never throws; follows CNAME, except when CNAME is asked for. */
  lookup(name: string, type: DnsType): Promise<DnsAnswer>;
  /**
   * The addresses of a host, IPv4 first, as the first resolver gives them that answers: large providers
   * tell each asker others, so that several resolvers would never agree. Never throws.
   */
  addresses(name: string): Promise<DnsAnswer>;
}
