import { generateKeyPairSync } from "node:crypto";
import {
  type GoogleOptions,
  type GooglePart,
  startGoogle,
} from "../../scripts/stack/google/google.ts";

export const GOOGLE_ACCOUNT = "overture@project.iam.gserviceaccount.com";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
export const GOOGLE_KEY = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
export { publicKey as GOOGLE_PUBLIC_KEY };

/** The local Google, whose account is the one of these tests. */
export const startTestGoogle = (more: Partial<GoogleOptions> = {}): Promise<GooglePart> =>
  startGoogle({
    account: { email: GOOGLE_ACCOUNT, privateKey: GOOGLE_KEY },
    readsPerMinute: 100_000,
    ...more,
  });

/** What the Worker is told of it. */
export const googleEnv = ({ url, tokenUrl }: GooglePart): Record<string, string> => ({
  GOOGLE_SERVICE_ACCOUNT_EMAIL: GOOGLE_ACCOUNT,
  GOOGLE_SERVICE_ACCOUNT_KEY: GOOGLE_KEY,
  GOOGLE_TOKEN_URL: tokenUrl,
  GOOGLE_SHEETS_BASE: url,
  GOOGLE_EXPORT_BASE: url,
});

export const sheetUrl = (id: string, more = ""): string =>
  `https://docs.google.com/spreadsheets/d/${id}/edit${more}`;
