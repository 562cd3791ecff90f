/**
 * What user agents say of themselves. Gmail, Yahoo and Outlook.com load images through a proxy when
 * a person opens the message (https://support.google.com/mail/answer/145919,
 * https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html).
 */
const IMAGE_PROXY = /GoogleImageProxy|YahooMailProxy|OutlookImageProxy/i;

/**
 * Apple's Mail Privacy Protection loads the images of every message, read or not
 * (https://www.apple.com/legal/privacy/data/en/mail-privacy-protection/); this is all it says of itself.
 */
const APPLE_PRIVACY_PROXY = "Mozilla/5.0";

/**
 * Gmail prefetches images for users who have it open, under this name, which no browser has
 * (https://www.sparkpost.com/blog/gmail-prefetching-images/).
 */
const GMAIL_PREFETCH =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0";

/** Scanners, previews and scripts that say so. A Cubot is a telephone. */
const SCANNER = new RegExp(
  [
    String.raw`(?<!cu)bot\b`,
    "crawl|spider|scan|preview|headless|phantomjs|puppeteer|playwright|selenium",
    "barracuda|mimecast|proofpoint|forcepoint|fireeye|trellix|symantec|sophos|ironport|zscaler",
    "existence discovery|facebookexternalhit|slackbot|whatsapp|skypeuripreview",
    String.raw`python|\bcurl\/|wget|go-http-client|\bjava\/|okhttp|libwww|httpclient|node-fetch|axios|undici|scrapy|guzzle`,
  ].join("|"),
  "i",
);

export type AgentKind =
  | "no_user_agent"
  | "apple_privacy_proxy"
  | "image_proxy"
  | "gmail_prefetch"
  | "scanner_user_agent"
  | "other";

export function agentKind(userAgent: string | null): AgentKind {
  const agent = userAgent?.trim() ?? "";
  if (agent === "") return "no_user_agent";
  if (agent === APPLE_PRIVACY_PROXY) return "apple_privacy_proxy";
  if (agent === GMAIL_PREFETCH) return "gmail_prefetch";
  if (IMAGE_PROXY.test(agent)) return "image_proxy";
  return SCANNER.test(agent) ? "scanner_user_agent" : "other";
}
