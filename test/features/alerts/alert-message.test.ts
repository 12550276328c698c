import { expect, it } from "vitest";
import { formatPriceAlert } from "../../../src/features/alerts/alert-message.text.ts";
import { quote } from "../../support/market.ts";

it("names check_order in an alert on an instrument, and not in one on an index", () => {
  const at = quote({ price: 21.5 });
  expect(formatPriceAlert("AAPL", "above", 20, at)).toMatch(
    /\)\. check_order checks an order in AAPL before it is placed\.$/,
  );
  expect(formatPriceAlert("^VIX", "above", 20, at)).toMatch(/^\^VIX is above 20 USD: .*\)\.$/);
});
