import { issuerGrants, ownGrants } from "../access/sign-in/app-grants.ts";
import { createAppAuthenticator } from "../access/sign-in/app-tokens.ts";
import { createIssuer } from "../access/sign-in/issuer.ts";
import { createLockOut } from "../access/sign-in/lock-out.ts";
import { createRecoveryCodes } from "../access/sign-in/recovery-codes.ts";
import { createSignIn } from "../access/sign-in/sign-in.ts";
import { MESSAGE_PATHS } from "../transports/http/paths.ts";
import { allowsApps, type Config, tokenIssuerOf } from "./config.ts";
import { type openConfirmations, requesterNames } from "./confirmations.ts";
import type { App, Installation } from "./installation.ts";

type SignInConfig = Pick<
  Config,
  | "OAUTH"
  | "OAUTH_ISSUER"
  | "PUBLIC_URL"
  | "OIDC_ISSUER"
  | "OIDC_CLIENT_ID"
  | "OIDC_CLIENT_SECRET"
  | "OIDC_NAME"
>;
type SignInDeps = Pick<
  Installation,
  | "access"
  | "browserSessions"
  | "clock"
  | "ids"
  | "keyedHash"
  | "log"
  | "people"
  | "peopleAdmin"
  | "resolvePrincipal"
  | "signInRecords"
  | "signInSecret"
  | "store"
  | "windows"
> & {
  readonly config: SignInConfig;
  readonly confirming: ReturnType<typeof openConfirmations>;
  readonly countInvalidKey: (address: string) => Promise<void>;
};

/** Returns a function that opens sign-in of people and their apps at an address of the server. */
export const signInOf =
  ({
    config,
    store,
    signInSecret: secret,
    signInRecords: records,
    confirming,
    ...deps
  }: SignInDeps): App["openSignIn"] =>
  (publicUrl) => {
    confirming.listenAt(publicUrl);
    const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME } = config;
    const resource = `${publicUrl}${MESSAGE_PATHS.mcp}`;
    const tokenIssuer = tokenIssuerOf(config);
    const isOn = allowsApps(config);
    const issuer = OIDC_ISSUER === undefined ? null : createIssuer({ ...deps, url: OIDC_ISSUER });
    const identity =
      issuer === null || OIDC_CLIENT_ID === undefined
        ? undefined
        : { issuer, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET };
    const grantOf =
      tokenIssuer === null || issuer === null
        ? ownGrants({ ...deps, resource })
        : issuerGrants({ ...deps, issuer, resource });
    const lockOut = createLockOut(deps.windows, deps.keyedHash);
    const sessions = deps.browserSessions;
    return {
      signIn: createSignIn({
        ...deps,
        records,
        lockOut,
        db: store.db,
        dialect: store.file === null ? "postgres" : "sqlite",
        secret,
        publicUrl,
        resource,
        hasOAuth: isOn && tokenIssuer === null,
        tokenIssuer,
        identity,
        identityName: OIDC_NAME ?? (issuer === null ? "" : new URL(issuer.url).hostname),
      }),
      recoveryCodes: createRecoveryCodes({ ...deps, records, sessions, lockOut, secret }),
      identifyApp: createAppAuthenticator({ ...deps, grantOf }),
      peopleAdmin: deps.peopleAdmin,
      confirmations: confirming.confirmations(),
      requesterName: requesterNames(deps),
    };
  };
