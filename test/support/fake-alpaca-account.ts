import Big from "big.js";

/** An order request in Alpaca's format. */
export interface AlpacaOrderRequest {
  readonly client_order_id: string;
  readonly symbol: string;
  readonly qty: string;
  readonly side: "buy" | "sell";
  readonly type: string;
  readonly time_in_force: string;
  readonly limit_price?: string;
  readonly stop_price?: string;
  readonly order_class?: string;
  readonly take_profit?: { readonly limit_price: string };
  readonly stop_loss?: { readonly stop_price: string };
}

/** An order in Alpaca's response format. */
export type AlpacaOrder = Record<string, unknown> & {
  id: string;
  client_order_id: string;
  symbol: string;
  side: "buy" | "sell";
  type: string;
  qty: string;
  status: string;
  filled_qty: string;
  limit_price: string | null;
  stop_price: string | null;
  submitted_at: string;
  legs: AlpacaOrder[] | null;
};

export interface Asset {
  /** US dollars. */
  readonly price: number;
  readonly crypto?: boolean;
  readonly fractionable?: boolean;
}

export interface AlpacaAccountOptions {
  /** Epoch ms. */
  readonly now: () => number;
  /** The asset under an order's symbol (`AAPL`, `BTC/USD`); undefined if it is not traded. */
  readonly asset: (symbol: string) => Asset | undefined;
  readonly cash?: string;
  readonly number?: string;
  readonly shorting?: boolean;
}

/** An error response. */
export class AlpacaError extends Error {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  constructor(status: number, code: number, message: string, more: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.body = { ...more, code, message };
  }
}

const MULTIPLIER = 4;
const LIVE = new Set(["new", "accepted", "pending_new"]);

/** Simulated Alpaca account; market orders are filled at the next call. */
export class AlpacaAccount {
  readonly #options: AlpacaAccountOptions;
  readonly #rows: AlpacaOrder[] = [];
  readonly #held = new Map<string, { quantity: Big; cost: Big }>();
  #cash: Big;
  #made = 0;

  constructor(options: AlpacaAccountOptions) {
    this.#options = options;
    this.#cash = new Big(options.cash ?? "100000");
  }

  /** Entry orders with their legs, oldest first. */
  get orders(): readonly AlpacaOrder[] {
    return this.#rows;
  }

  account() {
    const { number = "PA3STANDIN42", shorting = true } = this.#options;
    const power = this.#power().toFixed();
    const equity = this.#equity().toFixed();
    return {
      account_blocked: false,
      account_number: number,
      accrued_fees: "0",
      admin_configurations: {},
      balance_asof: "2026-01-14",
      buying_power: power,
      cash: this.#cash.toFixed(),
      created_at: "2026-01-02T03:19:55.183221Z",
      crypto_status: "ACTIVE",
      crypto_tier: 1,
      currency: "USD",
      effective_buying_power: power,
      equity,
      id: this.#id(),
      initial_margin: "0",
      intraday_adjustments: "0",
      last_equity: "100003.74258806517",
      last_maintenance_margin: "129.76",
      long_market_value: "0",
      maintenance_margin: "0",
      multiplier: String(MULTIPLIER),
      non_marginable_buying_power: "99788.52",
      options_approved_level: 3,
      options_trading_level: 3,
      options_buying_power: "99788.52",
      pending_reg_taf_fees: "0",
      portfolio_value: equity,
      position_market_value: "0",
      regt_buying_power: "200011.66",
      short_market_value: "0",
      shorting_enabled: shorting,
      sma: "100001.03",
      status: "ACTIVE",
      trade_suspended_by_user: false,
      trading_blocked: false,
      transfers_blocked: false,
      user_configurations: null,
    };
  }

  positions() {
    return [...this.#held].map(([symbol, { quantity, cost }]) => {
      const { price, crypto = false } = this.#options.asset(symbol)!;
      const value = quantity.times(price).toFixed();
      return {
        asset_class: crypto ? "crypto" : "us_equity",
        asset_id: this.#id(),
        asset_marginable: !crypto,
        avg_entry_price: cost.div(quantity).toFixed(),
        change_today: "0.01235",
        cost_basis: cost.toFixed(),
        current_price: String(price),
        exchange: crypto ? "CRYPTO" : "NASDAQ",
        lastday_price: "85.82",
        market_value: value,
        qty: quantity.toFixed(),
        qty_available: quantity.toFixed(),
        side: quantity.gt(0) ? "long" : "short",
        symbol: symbol.replace("/", ""),
        unrealized_intraday_pl: "0",
        unrealized_intraday_plpc: "0",
        unrealized_pl: "0",
        unrealized_plpc: "0",
      };
    });
  }

  byClientId(id: string): AlpacaOrder {
    const found = this.#all().find((row) => row.client_order_id === id);
    if (found === undefined) throw new AlpacaError(404, 40410000, `order not found for ${id}`);
    return { ...found, legs: null };
  }

  list(query: URLSearchParams): readonly AlpacaOrder[] {
    const status = query.get("status") ?? "open";
    const after = query.get("after") ?? "";
    const nested = query.get("nested") === "true";
    const rows = (nested ? this.#rows : this.#all().map((row) => ({ ...row, legs: null })))
      .filter((row) => status === "all" || (status === "open") === isOpen(row))
      .filter((row) => Date.parse(row.submitted_at) > (after === "" ? 0 : Date.parse(after)));
    return rows.slice(0, Number(query.get("limit") ?? 50));
  }

  cancel(id: string): void {
    const found = this.#all().find((row) => row.id === id);
    if (found === undefined) throw new AlpacaError(404, 40410000, "order not found");
    if (!isOpen(found)) throw new AlpacaError(422, 42210000, `order is already in "${found.status}" state`);
    for (const row of [found, ...(found.legs ?? [])]) this.#end(row, "canceled");
  }

  send(sent: AlpacaOrderRequest): AlpacaOrder {
    const asset = this.#options.asset(sent.symbol);
    if (this.#all().some(({ client_order_id }) => client_order_id === sent.client_order_id))
      throw new AlpacaError(422, 40010001, "client_order_id must be unique");
    if (asset === undefined) throw new AlpacaError(422, 42210000, `could not find asset "${sent.symbol}"`);
    this.#check(sent, asset);
    const legs = [
      ...(sent.take_profit
        ? [this.#leg(sent, { type: "limit", limit_price: sent.take_profit.limit_price })]
        : []),
      ...(sent.stop_loss ? [this.#leg(sent, { type: "stop", stop_price: sent.stop_loss.stop_price })] : []),
    ];
    const row = this.#row(sent, { status: "pending_new", legs: legs.length === 0 ? null : legs });
    this.#rows.push(row);
    return { ...row };
  }

  /** Fills the orders that current prices reach, entries before their legs. */
  settle(): void {
    for (const entry of this.#rows) {
      this.#try(entry);
      if (entry.status !== "filled") continue;
      for (const leg of entry.legs ?? []) {
        if (leg.status === "held") leg.status = "new";
        this.#try(leg);
        if (leg.status !== "filled") continue;
        for (const other of entry.legs!) if (isOpen(other)) this.#end(other, "canceled");
      }
    }
  }

  #check(sent: AlpacaOrderRequest, { crypto = false, fractionable = true, price }: Asset): void {
    const { side, type, time_in_force, order_class = "" } = sent;
    const quantity = new Big(sent.qty);
    const part = !quantity.mod(1).eq(0);
    const wrong = (code: number, message: string) => new AlpacaError(422, code, message);
    if (crypto && !["gtc", "ioc"].includes(time_in_force))
      throw wrong(42210000, "invalid crypto time_in_force");
    if (crypto && type === "stop") throw wrong(42210000, "invalid order type for crypto order");
    if (crypto && order_class !== "")
      throw wrong(42210000, "crypto orders not allowed for advanced order_class");
    if (!crypto && part && !fractionable)
      throw new AlpacaError(403, 40310000, `asset "${sent.symbol}" is not fractionable`);
    if (!crypto && part && (time_in_force !== "day" || order_class !== ""))
      throw wrong(42210000, "fractional orders must be simple DAY orders");
    if (order_class !== "" && !["market", "limit"].includes(type))
      throw wrong(40010001, "bracket orders must be market or limit orders");
    const held = this.#held.get(sent.symbol)?.quantity ?? new Big(0);
    if (order_class !== "" && held.times(side === "buy" ? -1 : 1).gt(0))
      throw wrong(42210000, "bracket orders must be entry orders");
    if (this.#all().some((row) => row.symbol === sent.symbol && isOpen(row) && row.side !== side))
      throw wrong(42210000, "potential wash trade detected. use complex orders");
    if (side === "sell" && held.gt(0)) {
      this.#free(sent, held);
      return;
    }
    if (side === "sell" && (crypto || part || this.#options.shorting === false))
      throw new AlpacaError(403, 40310000, "account is not allowed to short");
    const cost = quantity.times(sent.limit_price ?? sent.stop_price ?? price);
    if (side === "buy" && held.lt(0) && quantity.lte(held.abs())) {
      this.#free(sent, held.abs());
      return;
    }
    if (cost.gt(this.#power()))
      throw new AlpacaError(403, 40310000, "insufficient buying power", {
        buying_power: this.#power().toFixed(),
        cost_basis: cost.toFixed(),
      });
  }

  /**
   * Rejects an order that exceeds the units not reserved by open closing orders; stop and target of one bracket reserve
   * them once.
   */
  #free({ symbol, side, qty }: AlpacaOrderRequest, held: Big): void {
    const units = (row: AlpacaOrder) =>
      row.symbol === symbol && row.side === side && isOpen(row) ? +row.qty - +row.filled_qty : 0;
    const waiting = this.#rows.reduce(
      (sum, row) =>
        sum.plus(
          Math.max(units(row), row.status === "filled" ? Math.max(0, ...(row.legs ?? []).map(units)) : 0),
        ),
      new Big(0),
    );
    const available = held.minus(waiting);
    if (available.gte(qty)) return;
    throw new AlpacaError(
      403,
      40310000,
      `insufficient qty available for order (requested: ${qty}, available: ${available.toFixed()})`,
      {
        available: available.toFixed(),
        existing_qty: held.toFixed(),
        held_for_orders: waiting.toFixed(),
        symbol,
      },
    );
  }

  #leg(
    entry: AlpacaOrderRequest,
    over: { readonly type: string; readonly limit_price?: string; readonly stop_price?: string },
  ) {
    const { limit_price: _, stop_price: __, ...rest } = entry;
    const side = entry.side === "buy" ? ("sell" as const) : ("buy" as const);
    return this.#row({ ...rest, ...over, side, client_order_id: this.#id() }, { status: "held", legs: null });
  }

  #row(
    sent: AlpacaOrderRequest,
    { status, legs }: { readonly status: string; readonly legs: AlpacaOrder[] | null },
  ): AlpacaOrder {
    const at = this.#now();
    const { crypto = false } = this.#options.asset(sent.symbol)!;
    return {
      asset_class: crypto ? "crypto" : "us_equity",
      asset_id: this.#id(),
      canceled_at: null,
      client_order_id: sent.client_order_id,
      created_at: at,
      expired_at: null,
      expires_at: null,
      extended_hours: false,
      failed_at: null,
      filled_at: null,
      filled_avg_price: null,
      filled_qty: "0",
      hwm: null,
      id: this.#id(),
      legs,
      limit_price: sent.limit_price ?? null,
      notional: null,
      order_class: sent.order_class ?? "",
      order_type: sent.type,
      position_intent: `${sent.side}_to_open`,
      qty: sent.qty,
      replaced_at: null,
      replaced_by: null,
      replaces: null,
      side: sent.side,
      source: null,
      status,
      stop_price: sent.stop_price ?? null,
      submitted_at: at,
      subtag: null,
      symbol: sent.symbol,
      time_in_force: sent.time_in_force,
      trail_percent: null,
      trail_price: null,
      type: sent.type,
      updated_at: at,
    };
  }

  #try(row: AlpacaOrder): void {
    if (!LIVE.has(row.status)) return;
    if (row.status === "pending_new") row.status = "new";
    const { price } = this.#options.asset(row.symbol)!;
    const buys = row.side === "buy";
    const reached = row.stop_price === null || (buys ? price >= +row.stop_price : price <= +row.stop_price);
    const within = row.limit_price === null || (buys ? price <= +row.limit_price : price >= +row.limit_price);
    if (!reached || !within) return;
    const units = new Big(row.qty).times(buys ? 1 : -1);
    const before = this.#held.get(row.symbol) ?? { quantity: new Big(0), cost: new Big(0) };
    const quantity = before.quantity.plus(units);
    const closes = before.quantity.times(units).lt(0);
    const cost = closes
      ? before.cost.div(before.quantity).times(quantity)
      : before.cost.plus(units.times(price));
    this.#cash = this.#cash.minus(units.times(price));
    if (quantity.eq(0)) this.#held.delete(row.symbol);
    else this.#held.set(row.symbol, { quantity, cost });
    const at = this.#now();
    Object.assign(row, { status: "filled", filled_qty: row.qty, filled_avg_price: String(price) });
    Object.assign(row, { filled_at: at, updated_at: at });
  }

  #end(row: AlpacaOrder, status: string): void {
    if (!isOpen(row)) return;
    Object.assign(row, { status, canceled_at: this.#now(), updated_at: this.#now() });
  }

  #all(): readonly AlpacaOrder[] {
    return this.#rows.flatMap((row) => [row, ...(row.legs ?? [])]);
  }

  #equity(): Big {
    return [...this.#held].reduce(
      (sum, [symbol, { quantity }]) => sum.plus(quantity.times(this.#options.asset(symbol)!.price)),
      this.#cash,
    );
  }

  #power(): Big {
    const spent = [...this.#held].reduce(
      (sum, [symbol, { quantity }]) => sum.plus(quantity.abs().times(this.#options.asset(symbol)!.price)),
      new Big(0),
    );
    const free = this.#equity().times(MULTIPLIER).minus(spent);
    return free.gt(0) ? free : new Big(0);
  }

  /** The current time with nine fractional digits, as Alpaca writes it. */
  #now(): string {
    this.#made++;
    const nanos = String(this.#made % 1_000_000).padStart(6, "0");
    return new Date(this.#options.now()).toISOString().replace("Z", `${nanos}Z`);
  }

  #id(): string {
    this.#made++;
    return `00000000-0000-4000-8000-${String(this.#made).padStart(12, "0")}`;
  }
}

const isOpen = ({ status }: AlpacaOrder): boolean => LIVE.has(status) || status === "held";
