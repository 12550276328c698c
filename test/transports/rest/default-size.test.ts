import { describe, expect, it } from "vitest";
import { useInstallation } from "../../support/installation.ts";
import { movingClock } from "../../support/store.ts";

const clock = movingClock();

describe.each([
  { share: undefined, named: "the default share" },
  { share: "0", named: "no default size" },
])("a paper trade without a size, with $named", ({ share }) => {
  const installation = useInstallation("sample", share === undefined ? {} : { TRADING_RISK_PCT: share }, {
    clock,
  });

  async function post(path: string, body: object) {
    const { key } = await installation.key("enterprise", ["read", "write", "trade:paper"]);
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const call = async (route: string, sent: object) => {
      const response = await fetch(`${installation.url}/api/broker/${route}`, {
        method: "POST",
        headers,
        body: JSON.stringify(sent),
      });
      return { status: response.status, data: (await response.json()) as Record<string, unknown> };
    };
    await call("connect-broker", { broker: "paper", credentials: { api_key: "any", api_secret: "any" } });
    return call(path, body);
  }

  it(
    share === undefined ? "is previewed with a ticket and sent" : "is refused, with how to size it",
    async () => {
      const preview = await post("preview-trade", { symbol: "XOM" });
      const sent = await post("execute-trade", { symbol: "XOM" });
      expect(preview.status).toBe(200);
      if (share === undefined) {
        expect(preview.data).toMatchObject({
          ticket_id: expect.stringMatching(/^tk_/),
          reason: null,
          sizing: { method: "risk_pct" },
          odds: { bars: 20 },
          odds_reason: null,
        });
        expect(sent).toMatchObject({ status: 200, data: { order: { status: "filled" } } });
        return;
      }
      const reason = "There is no default size: the owner set TRADING_RISK_PCT=0";
      expect(preview.data).toMatchObject({
        ticket_id: null,
        reason,
        hint: expect.stringContaining("pass risk_pct"),
      });
      expect(sent).toMatchObject({
        status: 422,
        data: { code: "REFUSED", detail: expect.stringContaining(reason) },
      });
    },
  );
});
