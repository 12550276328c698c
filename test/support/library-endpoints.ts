import { openBetterAuth } from "../../src/access/sign-in/better-auth.ts";
import type { Store } from "../../src/store/store.ts";

/** Returns the endpoints that the library of sign-in would answer, as method and path, and their number. */
export async function libraryEndpoints(
  { db }: Pick<Store, "db">,
  hasOAuth: boolean,
): Promise<readonly string[]> {
  const publicUrl = "http://127.0.0.1:8787";
  const secret = "secret of the test, which signs nothing";
  const resource = `${publicUrl}/api/mcp`;
  const site = { db, dialect: "sqlite", secret, publicUrl, resource, hasOAuth } as const;
  const auth = openBetterAuth({
    ...site,
    isSuspended: async () => false,
    onSession: async () => {},
    log() {},
  });
  await auth.$context;
  const endpoints = Object.values(auth.api) as unknown as readonly {
    readonly path?: string;
    readonly options: { readonly method: string | readonly string[] };
  }[];
  return endpoints.flatMap(({ path, options: { method } }) =>
    path === undefined ? [] : [method].flat().map((one) => `${one} ${path}`),
  );
}
