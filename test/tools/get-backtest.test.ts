import { getBacktest } from "../../tools/get-backtest.ts";
import { runBacktest } from "../../tools/run-backtest.ts";
import { smallMarket } from "../support/market.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";
import { trader } from "../support/trades.ts";

const { ports } = smallMarket();
await callerOf(runBacktest, ports, trader)({ symbol: "AAPL", strategy: "buy_hold", picture: false });

toolContract(getBacktest, { ports });
