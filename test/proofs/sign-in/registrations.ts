import { createServer } from "node:net";
import type { Answer } from "../../support/oauth-app.ts";
import { type Group, LIMITED, refusedWith } from "./kinds.ts";
import { CALLBACK, ORIGIN, type SignInSite, text } from "./site.ts";

const REDIRECTS: readonly string[] = [
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  " javascript:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:msgbox(1)",
  "file:///etc/passwd",
  "blob:https://app.example/x",
  "about:blank",
  "mailto:a@b.example",
  "intent://x#Intent;scheme=http;end",
  "ws://app.example/callback",
  "ftp://app.example/callback",
  "chrome://settings",
  "view-source:https://app.example",
  "http://app.example/callback",
  "http://10.0.0.1/callback",
  "http://169.254.169.254/latest",
  "https://user:pass@app.example/callback",
  "https://app.example/callback#x",
  "https://localhost/callback",
  "http://localhost./callback",
  "http://localhost.evil.example/callback",
  "//app.example/callback",
  "app.example",
  "",
  "*",
];

/** What an app could say of itself to get more than others. */
const METADATA: readonly object[] = [
  { grant_types: ["client_credentials"], response_types: [] },
  { grant_types: ["authorization_code", "client_credentials"] },
  { grant_types: ["implicit"], response_types: ["token"] },
  { grant_types: ["password"] },
  { grant_types: ["urn:ietf:params:oauth:grant-type:token-exchange"] },
  { grant_types: [] },
  { response_types: ["token"] },
  { response_types: ["code", "id_token"] },
  { token_endpoint_auth_method: "tls_client_auth" },
  { token_endpoint_auth_method: "private_key_jwt", jwks_uri: "https://127.0.0.1/jwks" },
  { token_endpoint_auth_method: "private_key_jwt", jwks_uri: "https://evil.example/jwks" },
  { backchannel_logout_uri: "https://evil.example/logout" },
  { subject_type: "pairwise" },
  { resources: ["https://other.example"] },
  { redirect_uris: [] },
  { redirect_uris: CALLBACK },
  { redirect_uris: [1] },
  { redirect_uris: [{ toString: 1 }] },
  { application_type: "root" },
];
/** Fields that only the server sets; they are refused or ignored. */
const PRIVILEGES: readonly object[] = [
  { skip_consent: true },
  { require_pkce: false },
  { require_pkce: false, token_endpoint_auth_method: "client_secret_post" },
  { enable_end_session: true },
  { disabled: false, trusted: true },
  { user_id: "owner" },
  { reference_id: "owner" },
  { client_id: "chosen" },
  { client_secret: "chosen" },
  { type: "web", public: true },
  { metadata: { skipConsent: true } },
  { skipConsent: true, clientId: "chosen", scopes: ["admin"] },
  { scope: "read write trade:live admin openid profile everything" },
  { software_statement: "e30.e30." },
];

const HOSTILE_NAMES: readonly string[] = [
  '<b id="injected">Chat</b>',
  '"><script src="https://evil.example/x.js"></script>',
  "<img src=x onerror=alert(1)>",
  "Chat\u202Eexe.gpj",
  "Chat\u0000\u0007\u001b[31m",
  "Chat\u2028\u2029\u200B\uFEFF",
  "Market Signal\n\nThe owner has confirmed this app.",
  "x".repeat(5_000),
  "javascript:alert(1)",
  "{{constructor.constructor('alert(1)')()}}",
];

/** Registration: addresses of scripts, huge bodies, privileges, names with markup, and addresses of the inner network. */
export async function registrations(site: SignInSite): Promise<Group> {
  const ada = await site.invited("registering");
  const refused = (answer: Answer) => refusedWith(answer, [400, 401, 403, 413, 415]);
  const before = await site.db.selectFrom("auth_clients").select("clientId").execute();
  let caught = 0;
  const trap = createServer((socket) => {
    caught++;
    socket.destroy();
  });
  await new Promise<void>((done) => void trap.listen(0, "127.0.0.1", done));
  trap.unref();
  const { port } = trap.address() as { port: number };
  const inner = [
    "127.0.0.1",
    "localhost",
    "localhost.",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "0.0.0.0",
    "user@127.0.0.1",
  ].map((host) => `https://${host}:${port}/client.json`);
  return {
    name: "registration",
    kinds: [
      {
        name: "of an address that runs or leaks",
        attempts: 280,
        async attempt(n) {
          const uri = REDIRECTS[n % REDIRECTS.length]!;
          const uris = n % 3 === 0 ? [CALLBACK, uri] : [uri];
          return refused(
            await site.register({ redirect_uris: uris, ...(n % 2 === 0 && { application_type: "native" }) }),
          );
        },
      },
      {
        name: "of grants and keys that no app gets",
        attempts: 200,
        attempt: async (n) => refused(await site.register(METADATA[n % METADATA.length]!)),
      },
      {
        name: "of privileges",
        attempts: 180,
        async attempt(n) {
          const answer = await site.register(PRIVILEGES[n % PRIVILEGES.length]!);
          if (answer.status !== 201) return refused(answer);
          const { client_id: id } = JSON.parse(answer.body);
          const row = await site.db
            .selectFrom("auth_clients")
            .select(["skipConsent", "enableEndSession", "userId", "referenceId"])
            .where("clientId", "=", id)
            .executeTakeFirstOrThrow();
          const isPlain =
            Object.values(row).every((value) => value === null || value === 0) && id !== "chosen";
          const asked = await site.authorize(id, ada.cookie, { scope: "admin" });
          const isAsked = new URL(asked.headers.location!, ORIGIN).pathname === "/consent";
          const unproved = await site.authorize(id, ada.cookie, {
            code_challenge: [],
            code_challenge_method: [],
          });
          const isRefused = unproved.headers.location?.includes("error=invalid_request") === true;
          return isPlain && isAsked && isRefused
            ? null
            : `${JSON.stringify(row)} ${asked.headers.location} ${unproved.headers.location}`;
        },
      },
      {
        name: "in a huge or broken body",
        attempts: 100,
        async attempt(n) {
          const bodies = [
            JSON.stringify({ client_name: "x".repeat(70_000), redirect_uris: [CALLBACK] }),
            JSON.stringify({ redirect_uris: Array(5_000).fill(CALLBACK) }),
            "[".repeat(60_000),
            "{",
            "",
            "null",
            "[]",
            '"x"',
            "\u0000",
            `{"redirect_uris":["${CALLBACK}"],"redirect_uris":["javascript:1"]}`,
          ];
          const body = bodies[n % bodies.length]!;
          return refused(
            await site.send("/auth/oauth2/register", { "content-type": "application/json" }, body),
          );
        },
      },
      {
        name: "of a name that deceives",
        attempts: 120,
        async attempt(n) {
          const client_name = HOSTILE_NAMES[n % HOSTILE_NAMES.length]!;
          const answer = await site.register({
            client_name,
            client_uri: n % 2 === 0 ? "https://evil.example" : undefined,
          });
          if (answer.status !== 201) return refused(answer);
          const { client_id: id } = JSON.parse(answer.body);
          const query = await site.queryFor(id, ada.cookie);
          const pages = await Promise.all(
            [`/sign-in?${query}`, `/consent?${query}`].map((path) => site.send(path, { cookie: ada.cookie })),
          );
          if (pages.some(({ status }) => status === 429)) return LIMITED;
          const wrong = pages.find(({ body, status }) => status !== 200 || !isPlainPage(body));
          return wrong === undefined ? null : wrong.body;
        },
      },
      {
        name: "by a document of the inner network",
        // the library looks at 120 a minute
        attempts: 110,
        async attempt(n) {
          const before = caught;
          const client = inner[n % inner.length]!;
          const answer = await (n % 2 === 0
            ? site.authorize(client, ada.cookie)
            : site.redeem(client, text()));
          if (caught > before) return `${client} was called`;
          return n % 2 === 0 ? refusedWith(answer, [302, 400]) : refused(answer);
        },
      },
    ],
    async control() {
      trap.close();
      const after = await site.db.selectFrom("auth_clients").select(["clientId", "redirectUris"]).execute();
      const ids = new Set(before.map(({ clientId }) => clientId));
      const odd = after.filter(
        ({ clientId, redirectUris }) => !ids.has(clientId) && redirectUris !== JSON.stringify([CALLBACK]),
      );
      return odd.length === 0 ? null : `registered all the same: ${JSON.stringify(odd)}`;
    },
  };
}

/** True for a page without markup of others, and without characters that hide or turn text. */
const isPlainPage = (body: string): boolean =>
  !/<b id=|<img(?! src="\/icon\.svg")|<script(?! src="\/(?:sign-in|assets\/scheme-[\w-]+)\.js")|href="(?!\/|data:,")|evil\.example\/x\.js"/.test(
    body.replaceAll(/&[a-z#0-9]+;/g, ""),
  ) &&
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
  !/[\u0000-\u0009\u000b-\u001f\u200b\u2028-\u202f\ufeff]/.test(body) &&
  !body.includes("x".repeat(200));
