import { newKey } from "../../src/access/keys/key-format.ts";
import { sendTo } from "../support/oauth-app.ts";
import { createSignInClient, encoded } from "../support/sign-in-client.ts";
import { a2aCall } from "./a2a.ts";
import { ACCEPT, mcpCall } from "./proof-server.ts";

/** Ways to sign in to the server. */
interface Voice {
  readonly url: string;
  /** Notes an output, which is searched. */
  see(where: string, text: string): void;
  /** Runs a command and returns its output, which is noted by the caller. */
  command(...argv: readonly string[]): Promise<string>;
}

/** A secret of sign-in, and the number of outputs that show it on purpose. */
export interface IssuedSecret {
  readonly what: string;
  readonly text: string;
  readonly shown: number;
}

const SESSION = "market_signal_session=";

/** Signs people and apps in by every way, rightly and wrongly, sends what they got to wrong places, and ends it. */
export async function sendSignIns({ url, see, command }: Voice): Promise<readonly IssuedSecret[]> {
  const secrets: IssuedSecret[] = [];
  const note = (what: string, text: string, shown = 0): string => {
    secrets.push({ what, text, shown });
    return text;
  };
  const canary = (what: string) => note(what, `canary${newKey("live").slice(8)}`);
  let answers = 0;
  const send = async (path: string, headers?: Readonly<Record<string, string>>, body?: object | string) => {
    const answer = await sendTo(url, path, headers, body);
    const { status, cookies } = answer;
    // a problem names the path of its own request
    const text = (JSON.stringify([answer.headers, cookies]) + answer.body).replaceAll(path, "");
    see(`answer ${++answers} of sign-in, to ${path.slice(0, 9)} (${status})`, text);
    return answer;
  };
  const client = createSignInClient(send, url);
  /** Runs a command that shows a link once. `shown`: outputs that show the link. */
  const linkOf = async (shown: number, ...argv: readonly string[]) => {
    const out = await command(...argv, "--json");
    see(`stdout of ${argv.join(" ")}`, out);
    return note(
      `the link of ${argv.join(" ")}`,
      new URL(JSON.parse(out).url).pathname.split("/").at(-1)!,
      shown,
    );
  };
  /** Notes a cookie, which the answer sets in its encoded form. */
  const noteCookie = (whose: string, cookie: string): string => {
    const value = cookie.slice(SESSION.length);
    note(`the cookie of ${whose}`, value, 1);
    note(`the signature of the cookie of ${whose}`, decodeURIComponent(value).split(".")[1]!);
    return cookie;
  };

  const [first, second, ada] = [
    await linkOf(1, "open"),
    await linkOf(1, "open"),
    await linkOf(2, "accounts", "invite", "ada"),
  ];
  await linkOf(1, "accounts", "invite", "bob", "--role", "viewer");
  const byLink = noteCookie("a link", await client.open(first));
  await client.open(first).catch(() => {});
  await send(`/open/${second}`, { "sec-purpose": "prefetch" });
  await send(`/invited/${ada}`);
  const adas = noteCookie("an invited person", await client.open(ada));
  await linkOf(1, "accounts", "reset-sign-in", "ada");
  await send("/account", { cookie: adas });

  const password = canary("a password");
  await client.setPassword({ account: "owner", cookie: byLink }, password);
  await client.setPassword(
    { account: "owner", cookie: byLink },
    `x${canary("a password that is too long").repeat(4)}`,
  );
  const own = { origin: url, cookie: byLink };
  await send("/api/v1/sign-in/password", own, { secret: canary("a password in a wrong field") });
  await send("/api/v1/sign-in/password", own, `{"password":"${canary("a password in broken JSON")}`);
  const signedIn = await client.signInWith("owner", password);
  const cookie = noteCookie("a password", signedIn.cookies[0]!.split(";")[0]!);
  await client.signInWith("owner", canary("a wrong password"));
  await client.signInWith(canary("a password as a name"), password);
  await client.form("/auth/sign-in/email", { email: "owner", password: canary("a password in a form") });
  await send(`/auth/sign-in/email?password=${canary("a password in a URL")}`, { origin: url }, {});

  const app = await client.newClient();
  const unused = await client.codeFor(app, cookie);
  note("an unused code", unused, 1);
  const used = await client.codeFor(app, cookie);
  note("a used code", used, 1);
  const redeemed = JSON.parse((await client.redeem(app, used)).body);
  const other = await client.newClient();
  const connected = await client.connected(cookie, {}, other);
  const renewed = JSON.parse((await client.refreshed(other, connected.refresh)).body);
  for (const [what, text] of [
    ["an access token", redeemed.access_token],
    ["a refresh token", redeemed.refresh_token],
    ["another access token", connected.access],
    ["a refresh token that was used", connected.refresh],
    ["a renewed access token", renewed.access_token],
    ["a renewed refresh token", renewed.refresh_token],
  ] as const) {
    note(what, text, 1);
    note(`${what} without its prefix`, text.slice(6), 1);
  }
  await client.redeem(app, canary("a wrong code"));
  await client.refreshed(app, `ms_rt_${canary("a wrong refresh token")}`);
  await client.redeem(app, unused, { code_verifier: canary("a wrong verifier") });

  const wrong = `ms_at_${canary("a wrong access token")}`;
  for (const token of [redeemed.access_token, renewed.access_token, wrong]) {
    const bearer = { authorization: `Bearer ${token}` };
    for (const { path, headers, body } of [mcpCall("get_quota", {}), a2aCall("get_quota", {})])
      await send(path, { ...headers, ...bearer }, body as object);
    await send("/api/v1/quota", bearer);
    await send(`/api/mcp?access_token=${token}`, ACCEPT, {});
    await send(`/api/v1/quotes/stream?stream_token=${token}`);
    await send("/api/v1/quota", { "x-api-key": token, cookie: `${SESSION}${token}` });
  }
  for (const path of [
    "/api/v1/quota",
    "/account",
    "/api/mcp",
    "/api/v1/installation/log",
    "/api/v1/installation/keys",
  ])
    await send(path, { cookie });
  await send(`/api/v1/quota?${encoded({ session: cookie.slice(SESSION.length) })}`);
  await send("/api/v1/quota", { authorization: `Bearer ${cookie.slice(SESSION.length)}` });
  await send(`/sign-in?${encoded({ error: canary("an error in a URL") })}`);
  await client.form("/auth/oauth2/revoke", { client_id: app, token: redeemed.access_token });
  for (const argv of [
    ["accounts", "apps", "owner", "--json"],
    ["accounts", "apps", "owner", "--disconnect", other],
    ["accounts", "export", "ada", "--json"],
    ["accounts", "list", "--json"],
  ])
    see(`stdout of ${argv.slice(0, 2).join(" ")}`, await command(...argv));
  await send("/sign-out", { cookie: byLink, origin: url, "sec-fetch-site": "same-origin" }, "");
  return secrets;
}
