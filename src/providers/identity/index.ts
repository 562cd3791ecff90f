/** What a login token says about its bearer. */
export interface LoginClaims {
  issuer: string;
  subject: string;
  email: string | null;
  name: string | null;
  expiresAt: Date;
}

/** Tells whether a login token is genuine; null when it is not, expired or of an unknown issuer. */
export interface IdentityProvider {
  verify(token: string): Promise<LoginClaims | null>;
}
