/** As a robots.txt calls us. */
export const BOT_NAME = "OvertureBot";

/** Reads pages of the open web for what tenants name: public hosts only, in small amounts, and as a stranger. */
export interface Web {
  /** Never throws for what hosts and lines do. The signal ends it early. */
  read(url: string, how: WebReading, signal: AbortSignal): Promise<WebAnswer>;
}

export interface WebReading {
  /** `page`: HTML or plain text, nothing else; `robots`: whatever type it is sent with. */
  what: "page" | "robots";
  /** Asked of the URL and of each one that it leads to, before it is fetched: why it may not be, or null. */
  faultOf?(url: URL): Promise<string | null>;
}

export type WebAnswer =
  | {
      kind: "read";
      /** Where the redirects ended. */
      url: string;
      text: string;
      isHtml: boolean;
    }
  /** The URL, or one that it redirects to, is no public website; `why` in plain words. */
  | { kind: "refused"; why: string }
  /** By `faultOf`. */
  | { kind: "disallowed"; why: string }
  /** 4xx and 5xx, and what is no answer to a GET. */
  | { kind: "status"; status: number }
  | { kind: "other_type"; type: string }
  | { kind: "failed"; reason: WebFailure; detail: string };

export type WebFailure =
  /** No connection, or one that broke. */
  | "unreachable"
  /** DNS knows no address of the host. */
  | "no_host"
  | "timeout"
  | "too_many_redirects";
