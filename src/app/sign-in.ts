import { createAppAuthenticator } from "../access/sign-in/app-tokens.ts";
import { createSignIn } from "../access/sign-in/sign-in.ts";
import { MESSAGE_PATHS } from "../transports/http/paths.ts";
import type { Config } from "./config.ts";
import type { App, Installation } from "./installation.ts";

type SignInDeps = Pick<
  Installation,
  "clock" | "log" | "people" | "peopleAdmin" | "resolvePrincipal" | "signInSecret" | "store"
> & {
  readonly config: Pick<Config, "OAUTH" | "PUBLIC_URL">;
  readonly countInvalidKey: (address: string) => Promise<void>;
};

/** Returns a function that opens sign-in of people and their apps at an address of the server. */
export const signInOf =
  ({ config: { OAUTH, PUBLIC_URL }, store, signInSecret: secret, ...deps }: SignInDeps): App["openSignIn"] =>
  (publicUrl) => {
    const resource = `${publicUrl}${MESSAGE_PATHS.mcp}`;
    const hasOAuth = OAUTH === "on" || (OAUTH === "auto" && PUBLIC_URL !== undefined);
    const library = { db: store.db, dialect: "sqlite", secret, publicUrl, resource, hasOAuth } as const;
    return {
      signIn: createSignIn({ ...library, ...deps }),
      identifyApp: createAppAuthenticator({ ...deps, resource }),
      peopleAdmin: deps.peopleAdmin,
    };
  };
