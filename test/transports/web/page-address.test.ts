import { describe, expect, it } from "vitest";
import { pageAfterSignIn, passkeyPlace } from "../../../src/transports/web/page-address.ts";

describe("the page after sign-in", () => {
  it.each([
    "/",
    "/account",
    "/screener",
    "/screener?sort=score&limit=20",
    "/connect",
    "/installation",
    "/symbol/AAPL",
    "/symbol/BRK.B?timeframe=1w",
  ])("is %s, a page of this server", (next) => {
    expect(pageAfterSignIn(next)).toBe(next);
  });

  it.each([
    undefined,
    "",
    "account",
    "//evil.example",
    "///evil.example/account",
    "//evil.example/account",
    "/\\evil.example",
    "/\\/evil.example",
    "\\\\evil.example",
    "/account\\..\\..",
    "/\t/evil.example",
    "/\n/evil.example",
    " /account",
    "/ /evil.example",
    "https://evil.example/account",
    "https:evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "/open/a-link-of-somebody-else",
    "/account/../open/a-link-of-somebody-else",
    "/account/%2e%2e/open/a-link-of-somebody-else",
    "/account/..//evil.example",
    "/..//evil.example",
    "/.//evil.example",
    "/%2f/evil.example",
    "/sign-out",
    "/auth/oauth2/authorize?client_id=x",
    "/api/v1/quota",
    "/nowhere",
  ])("is / in place of %j", (next) => {
    expect(pageAfterSignIn(next)).toBe("/");
  });
});

describe("the place of passkeys", () => {
  it.each([
    ["http://127.0.0.1:8787", "http://localhost:8787/account", { kind: "here" }],
    [
      "http://127.0.0.1:8787",
      "http://127.0.0.1:8787/sign-in?next=/account",
      { kind: "there", address: "http://localhost:8787/sign-in?next=/account" },
    ],
    [
      "http://127.0.0.1:8787",
      "http://[::1]:8787/account",
      { kind: "there", address: "http://localhost:8787/account" },
    ],
    ["http://127.0.0.1:8787", "http://192.168.1.20:8787/account", { kind: "nowhere" }],
    ["http://192.168.1.20:8787", "http://192.168.1.20:8787/account", { kind: "nowhere" }],
    ["http://signals.example", "http://signals.example/account", { kind: "nowhere" }],
    ["https://signals.example", "http://signals.example/account", { kind: "here" }],
    [
      "https://signals.example",
      "http://10.0.0.5:8787/account",
      { kind: "there", address: "https://signals.example/account" },
    ],
  ])("of a server at %s is known for a page at %s", (publicUrl, page, place) => {
    expect(passkeyPlace(publicUrl, new URL(page))).toEqual(place);
  });
});
