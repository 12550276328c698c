import { foreignAddresses, type Group, locationOf, staysHere } from "./kinds.ts";
import { CALLBACK, ORIGIN, type SignInSite, text } from "./site.ts";

/** Addresses that look like the one of an app and are not. */
const LOOKALIKES: readonly string[] = [
  "https://evil.example/callback",
  `${CALLBACK}/`,
  `${CALLBACK}2`,
  `${CALLBACK}/../evil`,
  `${CALLBACK}/%2e%2e/evil`,
  `${CALLBACK}?next=https://evil.example`,
  `${CALLBACK}#fragment`,
  `${CALLBACK}#`,
  `${CALLBACK};x`,
  `${CALLBACK}%00`,
  "https://app.example/",
  "https://app.example",
  "https://app.example:8443/callback",
  "https://app.example:443/callback",
  "https://app.example./callback",
  "https://APP.example/callback",
  "https://app.example/CALLBACK",
  "https://app.example//callback",
  "https://app.example/%63allback",
  "https://app.example\\@evil.example/callback",
  "https://app.example@evil.example/callback",
  "https://user:pass@app.example/callback",
  "https://evil.example/https://app.example/callback",
  "https://app.example.evil.example/callback",
  "https://sub.app.example/callback",
  "http://app.example/callback",
  "ftp://app.example/callback",
  "//app.example/callback",
  "/callback",
  "callback",
  "javascript:alert(1)//app.example/callback",
  "data:text/html,https://app.example/callback",
  "http://localhost/callback",
  "http://127.0.0.1:47001/callback",
  "com.example.app:/callback",
  "",
];
/** The same for an app on a person's machine; its port is free. @see RFC 8252 7.3 */
const LOCAL = "http://localhost:47001/callback";
const LOCAL_LOOKALIKES: readonly string[] = [
  "http://127.0.0.1:47001/callback",
  "http://[::1]:47001/callback",
  "http://localhost.evil.example:47001/callback",
  "http://localhost.:47001/callback",
  "http://localhost:47001/callback/x",
  "http://localhost:47001@evil.example/callback",
  "http://user@localhost:47001/callback",
  "https://localhost:47001/callback",
  "http://localhost:47001/callback#x",
  "http://0.0.0.0:47001/callback",
  "http://localtest.me:47001/callback",
];

/** Redirect addresses: open redirects, prefixes, another host, port or scheme, user names and fragments. */
export async function redirects(site: SignInSite): Promise<Group> {
  const ada = await site.invited("redirected");
  const { client } = await site.connected(ada.cookie);
  const local = await site.newClient({ redirect_uris: [LOCAL] });
  const cookies = [ada.cookie, ""];
  /** Faults of a request that the server tells the app by sending the browser to it. */
  const faults: readonly Record<string, string>[] = [
    {},
    { scope: "read everything" },
    { response_type: "token" },
    { code_challenge_method: "plain" },
    { prompt: "none" },
    { prompt: "none login" },
    { resource: "https://other.example" },
    { response_mode: "fragment" },
  ];
  return {
    name: "redirect addresses",
    kinds: [
      {
        name: "like that of the app",
        attempts: 780,
        attempt: async (n) =>
          staysHere(
            await site.authorize(client, cookies[n % 2]!, {
              redirect_uri: LOOKALIKES[n % LOOKALIKES.length]!,
            }),
          ),
      },
      {
        name: "like that of an app on a machine",
        attempts: 220,
        attempt: async (n) =>
          staysHere(
            await site.authorize(local, ada.cookie, {
              redirect_uri: LOCAL_LOOKALIKES[n % LOCAL_LOOKALIKES.length]!,
            }),
          ),
      },
      {
        name: "in a request with a fault",
        attempts: 300,
        attempt: async (n) =>
          staysHere(
            await site.authorize(client, cookies[n % 2]!, {
              ...faults[n % faults.length],
              redirect_uri: LOOKALIKES[(n * 7) % LOOKALIKES.length]!,
            }),
          ),
      },
      {
        name: "given twice",
        attempts: 100,
        attempt: async (n) => {
          const twice = ["https://evil.example/callback", CALLBACK];
          return staysHere(
            await site.authorize(client, cookies[n % 2]!, {
              redirect_uri: n % 4 < 2 ? twice : twice.toReversed(),
            }),
          );
        },
      },
      {
        name: "of an unknown app",
        attempts: 100,
        attempt: async (n) =>
          staysHere(await site.authorize(["nobody", "", "*", `${client} `, text()][n % 5]!, ada.cookie)),
      },
      {
        name: "on the pages of sign-in",
        attempts: 100,
        async attempt(n) {
          const to = encodeURIComponent("https://evil.example/");
          const names = ["redirect_uri", "callbackURL", "next", "return_to", "url"];
          const [name, page] = [names[n % 5]!, ["/sign-in", "/consent", "/sign-in/recovery"][n % 3]!];
          const answer = await site.send(`${page}?${name}=${to}&error=x&client_id=${client}`, {
            cookie: ada.cookie,
          });
          if (locationOf(answer).origin !== ORIGIN) return `sent to ${answer.headers.location}`;
          const foreign = foreignAddresses(answer.body);
          return foreign.length === 0 ? null : `${page} leads to ${foreign.join()}`;
        },
      },
    ],
    async control() {
      const { headers } = await site.authorize(client, ada.cookie);
      return headers.location?.startsWith(`${CALLBACK}?code=`) === true
        ? null
        : `sent to ${headers.location}`;
    },
  };
}
