/** What a login token says about its bearer. */
export interface LoginClaims {
  issuer: string;
  subject: string;
  email: string | null;
  /** The issuer says that the address is theirs (`email_verified`). */
  emailVerified: boolean;
  name: string | null;
  expiresAt: Date;
  /** What the token was granted, in its issuer's words: ours may be among them. */
  granted?: readonly string[];
}

/** The issuer did not tell its keys: whether the token is genuine is not known, and may be in a moment. */
export class KeysNotTold extends Error {}

/** Tells whether a login token is genuine; null when it is not, expired or of an unknown issuer. Else throws `KeysNotTold`. */
export interface IdentityProvider {
  /**
   * `resource`: the token is shown at this resource (RFC 8707), for which it has to be made, or for the audience that the
   * operator named; one without an audience is then not enough.
   */
  verify(token: string, resource?: string): Promise<LoginClaims | null>;
}

/** What one sign-in is bound to; the browser keeps it sealed until it comes back. */
export interface SignIn {
  state: string;
  nonce: string;
  /** PKCE's (RFC 7636), of which only the hash is told. */
  verifier: string;
  redirectUri: string;
}

export type SignedIn =
  | { kind: "known"; claims: LoginClaims }
  /** The person, or their administrator, said no. */
  | { kind: "denied" }
  /** What came back is none of this sign-in, or the issuer refuses its own code; `words` are for the page. */
  | { kind: "refused"; words: string }
  /** No answer, or not one of an identity provider: it may pass. */
  | { kind: "unavailable"; reason: string };

/** An OpenID provider that people are sent to. Never throws. */
export interface Oidc {
  readonly issuer: string;
  /** The provider's page for this sign-in. */
  authorizeUrl(
    signIn: SignIn,
  ): Promise<{ kind: "url"; url: string } | Extract<SignedIn, { kind: "unavailable" }>>;
  /** Who came back with these parameters. */
  redeem(came: URLSearchParams, signIn: SignIn): Promise<SignedIn>;
}
