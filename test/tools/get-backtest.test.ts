import { invoke } from "../../src/kernel/invoke.ts";
import { getBacktest } from "../../tools/get-backtest.ts";
import { runBacktest } from "../../tools/run-backtest.ts";
import { smallMarket } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports } = smallMarket();
const principal = { account: "contract", plan: "enterprise", scopes: ["read"] } as const;
await invoke(
  runBacktest,
  { symbol: "AAPL", strategy: "buy_hold", picture: false },
  { ports, principal, transport: "test" },
);

toolContract(getBacktest, { ports });
