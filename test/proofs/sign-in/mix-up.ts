import { type Group, LIMITED, locationOf } from "./kinds.ts";
import { CALLBACK, ISSUER, ORIGIN, type SignInSite } from "./site.ts";

/** Mix-up: the browser is always sent back with the issuer of this server, and with one code or error. */
export async function mixUp(site: SignInSite): Promise<Group> {
  const ada = await site.invited("mixed");
  const { client } = await site.connected(ada.cookie);
  const evil = "https://evil.example/auth";
  const crafted: readonly Readonly<Record<string, string | readonly string[]>>[] = [
    { iss: evil },
    { state: `s&iss=${evil}` },
    { state: `s#iss=${evil}` },
    { state: `s\r\nLocation: ${evil}` },
    { code: "evil" },
    { iss: [evil, ISSUER], code: "evil" },
    { error: "x", iss: evil },
    { prompt: "none", scope: "admin", iss: evil },
    { scope: "read everything", iss: evil },
    { resource: "https://other.example", iss: evil },
    { code_challenge_method: "plain", iss: evil },
  ];
  return {
    name: "mix-up",
    kinds: [
      {
        name: "with another issuer",
        attempts: 330,
        async attempt(n) {
          const answer = await site.authorize(client, ada.cookie, crafted[n % crafted.length]);
          if (answer.status === 429) return LIMITED;
          const { origin, pathname, searchParams, hash } = locationOf(answer);
          if (origin === ORIGIN) return null;
          const isOwn = `${origin}${pathname}` === CALLBACK && hash === "" && answer.status === 302;
          const issuers = searchParams.getAll("iss").join();
          const answers = [...searchParams.getAll("code"), ...searchParams.getAll("error")];
          return isOwn && issuers === ISSUER && answers.length === 1 && answers[0] !== "evil"
            ? null
            : `sent to ${answer.headers.location}`;
        },
      },
      {
        name: "by another host name",
        attempts: 80,
        async attempt(n) {
          const paths = [
            "/.well-known/oauth-authorization-server/auth",
            "/.well-known/oauth-authorization-server",
            "/.well-known/oauth-protected-resource",
            "/.well-known/oauth-protected-resource/api/mcp",
          ];
          const names = ["evil.example", "market.example.evil.example"];
          const proxied = {
            "x-forwarded-host": "evil.example",
            "x-forwarded-proto": "http",
            forwarded: "host=evil.example",
          };
          const headers = n % 3 < 2 ? { host: names[n % 3]! } : proxied;
          const answer = await site.send(paths[n % 4]!, headers);
          if (answer.status === 429) return LIMITED;
          return answer.body.includes("evil.example/") ? answer.body : null;
        },
      },
    ],
    async control() {
      const { body } = await site.send("/.well-known/oauth-authorization-server/auth");
      const { issuer, authorization_response_iss_parameter_supported: isNamed } = JSON.parse(body);
      return issuer === ISSUER && isNamed === true ? null : body;
    },
  };
}
