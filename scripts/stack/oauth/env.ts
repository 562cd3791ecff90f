import type { Client } from "./token-endpoint.ts";
import type { OauthPart } from "./oauth.ts";

/** The Worker's bindings by which the part stands in for all three providers, with the deployment's app at each. */
export const oauthEnv = (
  { endpoints }: OauthPart,
  { id, secret }: Client,
): Record<string, string> => ({
  ...Object.assign(
    {},
    ...Object.entries(endpoints).map(([provider, { authorizeUrl, tokenUrl }]) => {
      const name = `MAIL_OAUTH_${provider.toUpperCase()}`;
      return {
        [`${name}_CLIENT_ID`]: id,
        [`${name}_CLIENT_SECRET`]: secret,
        [`${name}_AUTHORIZE_URL`]: authorizeUrl,
        [`${name}_TOKEN_URL`]: tokenUrl,
      };
    }),
  ),
  MAIL_OAUTH_OTHER_SCOPES: "mail openid email",
});
