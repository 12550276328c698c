import { z } from "zod";
import { issuerUrl, oneOf, secret } from "./setting-values.ts";

/** Settings of how people and their apps sign in. */
export const SIGN_IN_SETTINGS = {
  OAUTH: oneOf(["auto", "on", "off"]).describe(
    "Whether apps may connect over MCP by sign-in instead of a key: on, off, or auto (on with PUBLIC_URL)",
  ),
  OAUTH_ISSUER: issuerUrl
    .optional()
    .describe(
      "External issuer of the access tokens of apps, instead of this server; must be OIDC_ISSUER too. Default: this server",
    ),
  OIDC_ISSUER: issuerUrl
    .optional()
    .describe(
      "OpenID Connect issuer with which people sign in after they connected their identity at /account, exactly as it calls itself. Default: none",
    ),
  OIDC_CLIENT_ID: z.string().trim().min(1).max(200).optional().describe("Id of this server at OIDC_ISSUER"),
  OIDC_CLIENT_SECRET: secret.describe(
    "Secret of this server at OIDC_ISSUER. Default: none, for a public client with PKCE",
  ),
  OIDC_NAME: z
    .string()
    .trim()
    .min(1)
    .max(40)
    .optional()
    .describe("Name of OIDC_ISSUER on the pages that sign in. Default: its host"),
};
