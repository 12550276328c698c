import { OAUTH_ENDPOINTS, SERVED_ENDPOINTS } from "../../../src/access/sign-in/sign-in.ts";
import { libraryEndpoints } from "../../support/library-endpoints.ts";
import { type Group, refusedWith } from "./kinds.ts";
import { ORIGIN, openSignInSite, type SignInSite } from "./site.ts";

/** Endpoints of the library that are not served, by every method, and all of OAuth while it is off. */
export async function endpoints(site: SignInSite): Promise<Group> {
  const owner = await site.signedIn();
  const member = await site.invited("enumerating");
  const known = await libraryEndpoints(site.app.store, true);
  const served = new Set([...SERVED_ENDPOINTS, ...OAUTH_ENDPOINTS]);
  const paths = [...new Set(known.map((endpoint) => endpoint.split(" ")[1]!.replaceAll(/:\w+/g, "x")))];
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
  const unserved = paths.flatMap((path) =>
    methods.filter((method) => !served.has(`${method} ${path}`)).map((method) => ({ method, path })),
  );
  const spelt = (path: string) => [
    `/auth${path}/`,
    `/auth/${path}`,
    `//auth${path}`,
    `/AUTH${path}`,
    `/auth${path.toUpperCase()}`,
    `/auth/x/..${path}/.`,
    `/auth/oauth2/authorize/..${path}`,
    `/auth${path}%2f`,
    `/auth${path};x`,
    `/auth%2f${path.slice(1)}`,
    `/api/auth${path}`,
    path,
  ];
  const hidden = [
    "/sign-up/email",
    "/get-session",
    "/list-sessions",
    "/update-user",
    "/admin/oauth2/create-client",
    "/oauth2/introspect",
  ];
  const off = await openSignInSite({ OAUTH: "off" });
  const documents = [
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/api/mcp",
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-authorization-server/auth",
    "/.well-known/openid-configuration",
    "/auth/.well-known/openid-configuration",
    "/auth/.well-known/oauth-authorization-server",
  ];
  const offEndpoints = [...OAUTH_ENDPOINTS].map((endpoint) => endpoint.split(" ") as [string, string]);
  const offCookie = (await off.signedIn()).cookie;
  const body = (method: string) => (["GET", "HEAD", "OPTIONS"].includes(method) ? undefined : {});
  return {
    name: "endpoints",
    kinds: [
      {
        name: "not served",
        attempts: unserved.length * 2,
        async attempt(n) {
          const { method, path } = unserved[n % unserved.length]!;
          const { cookie } = n % 2 === 0 ? owner : member;
          const headers = { cookie, origin: ORIGIN };
          return refusedWith(await site.send(`/auth${path}`, headers, body(method), method), [404]);
        },
      },
      {
        name: "not served, spelt otherwise",
        attempts: 360,
        async attempt(n) {
          const path = hidden[n % hidden.length]!;
          const all = spelt(path);
          const method = n % 2 === 0 ? "GET" : "POST";
          const headers = { cookie: owner.cookie, origin: ORIGIN };
          const url = all[Math.floor(n / hidden.length) % all.length]!;
          return refusedWith(await site.send(url, headers, body(method), method), [400, 404]);
        },
      },
      {
        name: "of OAuth while it is off",
        attempts: 150,
        async attempt(n) {
          const [method, path] = offEndpoints[n % offEndpoints.length]!;
          const headers = { cookie: offCookie, origin: ORIGIN };
          return refusedWith(await off.send(`/auth${path}`, headers, body(method), method), [404]);
        },
      },
      {
        name: "documents of OAuth while it is off",
        attempts: 150,
        attempt: async (n) => refusedWith(await off.send(documents[n % documents.length]!), [404]),
      },
    ],
    async control() {
      const challenge = (await off.send("/api/mcp", {}, {})).headers["www-authenticate"] ?? "";
      return challenge.includes("resource_metadata")
        ? `OAuth is off, and the challenge is ${challenge}`
        : null;
    },
    async close() {
      await off.stop();
      return off.errors;
    },
  };
}
