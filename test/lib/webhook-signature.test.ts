import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newSigningSecret, signatureHeaders, verifySignature } from "../../src/lib/webhook-signature.ts";

const AT = new Date("2026-01-15T15:00:00.400Z");
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const BODY = '{"test": 2432232314}';
const later = (ms: number) => new Date(AT.getTime() + ms);
const signed = signatureHeaders({ id: "al_1", at: AT, body: BODY }, SECRET);

describe("a signature", () => {
  /** @see Standard Webhooks, reference libraries: this secret, id, time and body give this signature. */
  it("is the one that other libraries make", () => {
    const at = new Date(1_614_265_330_000);
    expect(signatureHeaders({ id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at, body: BODY }, SECRET)).toEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  it.each([
    ["unpadded base64", "whsec_+/8", "v1,GsA3DVU/Lw54G3CW1aLW5gpsS7KDhL9FCRyfrn6qZLE="],
    ["URL-safe base64", "whsec_-_8=", "v1,GsA3DVU/Lw54G3CW1aLW5gpsS7KDhL9FCRyfrn6qZLE="],
    ["no key at all", "whsec_", "v1,MKhr3awSPcR2qSlsGwIKSh0M8ad8ViRQVOPLZ8vZt4U="],
  ])("accepts a secret of a client in %s", (_encoding, secret, expected) => {
    expect(signatureHeaders({ id: "al_1", at: AT, body: BODY }, secret)["webhook-signature"]).toBe(expected);
  });

  it("is accepted for five minutes, before and after", () => {
    const secondsAfter = [-299, 0, 300, 301, -302].map((s) => later(s * 1_000));
    expect(secondsAfter.map((now) => verifySignature(signed, BODY, SECRET, now))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it("may be one of several", () => {
    const among = { ...signed, "webhook-signature": `v2,AAAA v1,AAAA ${signed["webhook-signature"]}` };
    expect(verifySignature(among, BODY, SECRET, AT)).toBe(true);
  });

  it("is of this secret, id, time and body alone", () => {
    const other = (headers: Partial<typeof signed>, body = BODY, secret = SECRET) =>
      verifySignature({ ...signed, ...headers }, body, secret, AT);
    expect(other({})).toBe(true);
    expect(other({}, BODY, newSigningSecret())).toBe(false);
    expect(other({ "webhook-id": "al_2" })).toBe(false);
    expect(other({ "webhook-timestamp": String(Number(signed["webhook-timestamp"]) + 1) })).toBe(false);
    expect(other({ "webhook-timestamp": "now" })).toBe(false);
    expect(other({ "webhook-signature": "v1," })).toBe(false);
    expect(verifySignature({}, BODY, SECRET, AT)).toBe(false);
    fc.assert(fc.property(fc.string(), (body) => body === BODY || !other({}, body)));
  });
});

describe("a new secret", () => {
  it("holds 32 bytes, others each time", () => {
    const made = [newSigningSecret(), newSigningSecret()];
    for (const secret of made) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
    }
    expect(made[0]).not.toBe(made[1]);
  });
});
