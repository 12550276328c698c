import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { OutgoingRequest } from "../../../src/domain/alerts/outbound-client-port.ts";
import { allowList } from "../../../src/transports/outbound/allow-list.ts";
import { createPost, type PostOptions, secondsOf } from "../../../src/transports/outbound/post.ts";
import { stoppedClock } from "../../support/context.ts";
import { type Reply, receiver, status } from "../../support/receiver.ts";
import { tempDir } from "../../support/temp-dir.ts";

const MESSAGE = {
  account: "one",
  headers: { "content-type": "application/json", "x-own": "1" },
  body: '{"é":1}',
} as const;

/** A resolver that returns the next result at each lookup of a host. */
const namesOf = (answers: Readonly<Record<string, readonly (readonly string[])[]>>) => {
  const requested: string[] = [];
  const resolve: PostOptions["resolve"] = async (host) => {
    const known = answers[host] ?? [[]];
    const found = known[Math.min(requested.filter((one) => one === host).length, known.length - 1)];
    requested.push(host);
    return found ?? [];
  };
  return { requested, resolve };
};

const postOf = (allowed: readonly string[], options: Partial<PostOptions> = {}) =>
  createPost({
    enabled: true,
    clock: stoppedClock(),
    allow: allowList(allowed),
    resolve: namesOf({}).resolve,
    ...options,
  });

async function openReceiver(reply?: Reply) {
  const opened = await receiver(reply);
  onTestFinished(() => opened.close());
  return opened;
}
const unavailable = (message: string) => ({ code: "UPSTREAM_UNAVAILABLE", message });
const home = postOf(["127.0.0.1"]);
const to = (url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  ...MESSAGE,
  url,
  ...more,
});

describe("a message", () => {
  it("reaches a receiver with its headers and its body", async () => {
    const { got, url } = await openReceiver(status(202));
    expect(await home.send(to(`${url}?a=1`))).toEqual({ status: 202, retryAfter: null });
    expect(got).toEqual([
      {
        method: "POST",
        path: "/hook?a=1",
        body: '{"é":1}',
        headers: expect.objectContaining({
          "content-type": "application/json",
          "content-length": "8",
          "x-own": "1",
          "user-agent": expect.stringMatching(/^market-signal\/\d/),
          connection: "close",
        }),
      },
    ]);
  });

  it("does not follow redirects", async () => {
    const { got: elsewhere, url } = await openReceiver();
    const { url: first } = await openReceiver(status(307, { location: url }));
    expect(await home.send(to(first))).toEqual({ status: 307, retryAfter: null });
    expect(elsewhere).toEqual([]);
  });

  it("returns Retry-After, in seconds or as a date", async () => {
    const { url } = await openReceiver(status(429, { "retry-after": "120" }));
    expect(await home.send(to(url))).toEqual({ status: 429, retryAfter: 120 });
    const now = new Date("2026-01-15T15:00:00.000Z");
    expect(secondsOf("Thu, 15 Jan 2026 15:01:30 GMT", now)).toBe(90);
    expect(secondsOf("Thu, 15 Jan 2026 14:00:00 GMT", now)).toBe(0);
    expect(secondsOf("soon", now)).toBeNull();
    expect(secondsOf("-5", now)).toBeNull();
  });

  it("stops reading an endless response after 4 KB", async () => {
    let written = 0;
    const { url } = await openReceiver((response) => {
      response.writeHead(200);
      const more = setInterval(() => {
        written += 1_024;
        response.write("x".repeat(1_024));
      }, 1);
      response.on("close", () => clearInterval(more));
    });
    expect(await home.send(to(url))).toEqual({ status: 200, retryAfter: null });
    expect(written).toBeGreaterThan(4_096);
    expect(written).toBeLessThan(256 * 1_024);
  });

  it("fails at the deadline, but not if only the body is late", async () => {
    const impatient = postOf(["127.0.0.1"], { deadlineMs: 150 });
    const hanging = await openReceiver(() => {});
    await expect(impatient.send(to(hanging.url))).rejects.toMatchObject(
      unavailable("The receiver did not respond in time"),
    );
    const slow = await openReceiver((response) => void response.writeHead(200).write("a"));
    expect(await postOf(["127.0.0.1"], { deadlineMs: 1_500 }).send(to(slow.url))).toEqual({
      status: 200,
      retryAfter: null,
    });
  });

  it("can be cancelled by its caller", async () => {
    const { url } = await openReceiver(() => {});
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 30);
    await expect(home.send(to(url, { signal: stop.signal }))).rejects.toMatchObject({ code: "CANCELLED" });
  });

  it("fails with our own message if there is no receiver or no HTTP response", async () => {
    const { port, close } = await receiver();
    await close();
    const failure = (url: string) => home.send(to(url)).catch((thrown: unknown) => thrown);
    expect(await failure(`http://127.0.0.1:${port}/`)).toMatchObject(
      unavailable("The receiver refuses connections"),
    );
    const odd = createServer((socket) => socket.end("SECRET WORDS\r\n\r\n")).listen(0, "127.0.0.1");
    onTestFinished(() => void odd.close());
    await once(odd, "listening");
    const oddPort = (odd.address() as AddressInfo).port;
    expect(await failure(`http://127.0.0.1:${oddPort}/`)).toMatchObject(
      unavailable("The connection to the receiver failed"),
    );
    expect(await failure(`https://127.0.0.1:${oddPort}/`)).toMatchObject(
      unavailable("The receiver does not support https"),
    );
  });

  it("sends at most four at once to one host without delaying others", async () => {
    const pending: (() => void)[] = [];
    const { got, port } = await openReceiver((response) => void pending.push(() => response.end()));
    const other = await openReceiver();
    const both = postOf(["slow.lan", "127.0.0.1"], {
      resolve: namesOf({ "slow.lan": [["127.0.0.1"]] }).resolve,
    });
    const slow = Array.from({ length: 6 }, () => both.send(to(`http://slow.lan:${port}/`)));
    expect((await both.send(to(other.url))).status).toBe(204);
    await expect.poll(() => got.length).toBe(4);
    for (let i = 0; i < 6; i++) {
      await expect.poll(() => pending.length).toBeGreaterThan(i);
      pending[i]!();
    }
    expect((await Promise.all(slow)).map((one) => one.status)).toEqual(Array(6).fill(200));
  });

  it("is not sent if WEBHOOKS=off", async () => {
    const { got, url } = await openReceiver();
    const off = postOf(["127.0.0.1"], { enabled: false });
    await expect(off.send(to(url))).rejects.toMatchObject({ code: "NOT_CONNECTED" });
    await expect(off.check(url)).rejects.toMatchObject({ code: "NOT_CONNECTED" });
    expect(got).toEqual([]);
  });
});

describe("a host name", () => {
  const PRIVATE =
    "The address resolves to this machine, a local network or a reserved range. No message is sent there.";

  it("with a private address, even among others, is rejected", async () => {
    const { resolve } = namesOf({
      "inside.example.com": [["127.0.0.1"]],
      "both.example.com": [["93.184.215.14", "10.0.0.1"]],
      "mapped.example.com": [["::ffff:169.254.169.254"]],
      "public.example.com": [["93.184.215.14", "2606:4700::1111"]],
    });
    const post = postOf([], { resolve });
    for (const name of ["inside", "both", "mapped"]) {
      const url = `https://${name}.example.com/`;
      await expect(post.check(url)).rejects.toMatchObject({ code: "INVALID_INPUT", message: PRIVATE });
      await expect(post.send(to(url))).rejects.toMatchObject({ code: "REFUSED", message: PRIVATE });
    }
    await expect(post.check("https://public.example.com/")).resolves.toBeUndefined();
  });

  it("that resolves to a private address only after the check is rejected", async () => {
    const { got, port } = await openReceiver();
    const { requested, resolve } = namesOf({ "rebound.example.com": [["93.184.215.14"], ["127.0.0.1"]] });
    const post = postOf([], { resolve });
    const url = `https://rebound.example.com:${port}/`;
    await post.check(url);
    await expect(post.send(to(url))).rejects.toMatchObject({ code: "REFUSED", message: PRIVATE });
    expect([requested.length, got.length]).toEqual([2, 0]);
  });

  it("is looked up once per message, so the checked address is the one called", async () => {
    const { got, port } = await openReceiver();
    const { requested, resolve } = namesOf({ "once.lan": [["127.0.0.1"], ["10.255.255.1"]] });
    const post = postOf(["once.lan"], { resolve });
    await post.send(to(`http://once.lan:${port}/`));
    expect([requested, got.length]).toEqual([["once.lan"], 1]);
    expect(got[0]!.headers.host).toBe(`once.lan:${port}`);
  });

  it("allows http only for allowed hosts and networks", async () => {
    const { got, port } = await openReceiver();
    const { resolve } = namesOf({
      "nas.example.com": [["127.0.0.1"]],
      "web.example.com": [["93.184.215.14"]],
    });
    const post = postOf(["127.0.0.0/8"], { resolve });
    await post.check(`http://nas.example.com:${port}/`);
    expect((await post.send(to(`http://nas.example.com:${port}/`))).status).toBe(204);
    expect(got).toHaveLength(1);
    await expect(post.check("http://web.example.com/")).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: "The address uses http, which is not encrypted. No message is sent there.",
    });
  });

  it("that does not exist is rejected by check, and an outage for send", async () => {
    const post = postOf([]);
    await expect(post.check("https://gone.example.com/")).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: "The address has a host that does not exist. No message is sent there.",
    });
    await expect(post.send(to("https://gone.example.com/"))).rejects.toMatchObject(
      unavailable("The host of the receiver does not exist"),
    );
  });

  it("counts as an outage if the name server does not respond in time", async () => {
    const post = postOf([], { resolve: () => new Promise(() => {}), deadlineMs: 50 });
    const url = "https://slow.example.com/";
    for (const work of [post.check(url), post.send(to(url))])
      await expect(work).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });
});

describe("https", () => {
  it("requires a trusted certificate for the host name", async () => {
    const dir = tempDir();
    const [key, cert] = [join(dir, "key.pem"), join(dir, "cert.pem")];
    const subject = ["-subj", "/CN=hooks.lan", "-addext", "subjectAltName=DNS:hooks.lan"];
    const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    execFileSync("openssl", [...made, "-keyout", key, "-out", cert, "-days", "2", ...subject], {
      stdio: "ignore",
    });
    const ca = readFileSync(cert, "utf8");
    const server = createTlsServer({ key: readFileSync(key), cert: ca }, (_, response) => response.end("ok"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { resolve } = namesOf({ "hooks.lan": [["127.0.0.1"]], "other.lan": [["127.0.0.1"]] });
    const names = ["hooks.lan", "other.lan"];
    const trusting = postOf(names, { resolve, ca });
    expect((await trusting.send(to(`https://hooks.lan:${port}/`))).status).toBe(200);
    const distrusted = { message: "The certificate of the receiver is not trusted" };
    await expect(trusting.send(to(`https://other.lan:${port}/`))).rejects.toMatchObject(distrusted);
    await expect(postOf(names, { resolve }).send(to(`https://hooks.lan:${port}/`))).rejects.toMatchObject(
      distrusted,
    );
  });
});
