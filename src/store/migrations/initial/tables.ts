import { ACCOUNT_TABLES } from "./accounts.ts";
import { AGENT_TABLES } from "./agents.ts";
import { ALERT_TABLES } from "./alerts.ts";
import { MARKET_DATA_TABLES } from "./market-data.ts";
import { SECURITY_TABLES } from "./security.ts";
import { SIGNAL_TABLES } from "./signals.ts";
import { TRADING_TABLES } from "./trading.ts";

/** Every table of the first release. These definitions never change: later changes are migrations of their own. */
export const INITIAL_TABLES = {
  ...ACCOUNT_TABLES,
  ...AGENT_TABLES,
  ...ALERT_TABLES,
  ...MARKET_DATA_TABLES,
  ...SECURITY_TABLES,
  ...SIGNAL_TABLES,
  ...TRADING_TABLES,
};
