import type { RiskLimits } from "../../domain/trading/risk.ts";
import { CAPS } from "../sizing/caps.ts";

export const DEFAULT_LIMITS: RiskLimits = {
  max_notional_usd: "25000",
  max_notional_pct: String(CAPS.notional * 100),
  max_quantity: "10000",
  max_price_off_pct: "10",
  max_open_risk_pct: String(CAPS.open * 100),
  max_trade_risk_pct: null,
  max_position_pct: null,
  max_adv_pct: null,
  max_daily_loss_pct: "3",
  halt_drawdown_pct: "20",
  max_stop_over_target_points: null,
  max_orders_a_minute: 10,
  max_quote_age_seconds: 60,
  cooldown_stop_outs: 3,
  cooldown_minutes: 1_440,
  symbols: null,
  hours: "regular",
  unconfirmed_live_usd: null,
  unconfirmed_live_closing: false,
};
