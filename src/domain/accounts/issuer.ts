import { z } from "zod";

/** Id of the external issuer among the ways to sign in; part of its redirect address. */
export const IDENTITY_PROVIDER = "oidc";

/** What an OpenID Connect issuer says of itself. @see OpenID Connect Discovery 1.0, 3 */
export const IssuerMetadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});
export type IssuerMetadata = z.output<typeof IssuerMetadata>;

/** A person at an issuer. Nothing else identifies them, least of all an e-mail address. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** Returns the text that stands for an identity; an issuer is a URL, which has no space. */
export const identityKey = ({ issuer, subject }: Identity): string => `${issuer} ${subject}`;
