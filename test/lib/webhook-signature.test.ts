import { describe, expect, it } from "vitest";
import { newSigningSecret, signatureHeaders } from "../../src/lib/webhook-signature.ts";

const AT = new Date("2026-01-15T15:00:00.400Z");
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const BODY = '{"test": 2432232314}';

describe("a signature", () => {
  /** @see Standard Webhooks, reference libraries: this signature results from this secret, id, time and body. */
  it("matches the signature of the reference libraries", () => {
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
});

describe("a new secret", () => {
  it("has 32 random bytes", () => {
    const made = [newSigningSecret(), newSigningSecret()];
    for (const secret of made) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
    }
    expect(made[0]).not.toBe(made[1]);
  });
});
