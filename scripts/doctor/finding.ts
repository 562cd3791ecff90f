/** One line of what the doctor says. `off`: not configured, which is no fault. */
export interface Finding {
  part: string;
  verdict: "ok" | "warn" | "fail" | "off";
  says: string;
  /** What to do about it, and where. */
  fix?: string;
}

/** What one check found, before it is known which part it is of. */
export type Said = Omit<Finding, "part">;

export const ok = (says: string): Said => ({ verdict: "ok", says });
export const off = (says: string): Said => ({ verdict: "off", says });
export const warn = (says: string, fix: string): Said => ({ verdict: "warn", says, fix });
export const fail = (says: string, fix: string): Said => ({ verdict: "fail", says, fix });
