/**
 * Networks that rent out servers, or belong to mail security firms: what comes from them is a program
 * more often than a person. Autonomous system numbers and names are the registries'
 * (`https://rdap.arin.net/registry/autnum/<number>`, `https://rdap.db.ripe.net/autnum/<number>`,
 * `https://rdap.apnic.net/autnum/<number>`). Left out on purpose: Cloudflare (13335), Fastly (54113)
 * and Akamai (20940, 36183), through which Apple's Private Relay brings people
 * (https://developer.apple.com/icloud/prepare-your-network-for-icloud-private-relay/), and Google's
 * own network (15169), from which Gmail's image proxy comes.
 */
const DATACENTRE_NETWORKS: ReadonlyMap<number, string> = new Map([
  [14618, "AMAZON-AES"],
  [16509, "AMAZON-02"],
  [8075, "MICROSOFT-CORP-MSN-AS-BLOCK"],
  [396982, "GOOGLE-CLOUD-PLATFORM"],
  [31898, "ORACLE-BMC-31898"],
  [36351, "SOFTLAYER"],
  [14061, "DIGITALOCEAN-ASN"],
  [63949, "AKAMAI-LINODE-AP"],
  [20473, "AS-VULTR"],
  [16276, "OVH"],
  [24940, "HETZNER-AS"],
  [213230, "HETZNER-CLOUD2-AS"],
  [12876, "Online SAS (Scaleway)"],
  [51167, "CONTABO"],
  [60781, "LEASEWEB-NL-AMS-01"],
  [8560, "IONOS-AS"],
  [197540, "NETCUP-AS"],
  [45102, "ALIBABA-CN-NET"],
  [37963, "ALIBABA-CN-NET"],
  [45090, "TENCENT-NET-AP"],
  [132203, "TENCENT-NET-AP-CN"],
  [136907, "HWCLOUDS-AS-AP"],
  [13916, "Proofpoint"],
  [22843, "Proofpoint"],
  [26211, "Proofpoint"],
  [30031, "Mimecast"],
  [15324, "Barracuda Networks"],
]);

export const isDatacentre = (asn: number | null): boolean =>
  asn !== null && DATACENTRE_NETWORKS.has(asn);
