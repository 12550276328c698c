"""Times the SMA 10/20 cross of backtesting.py over a CSV file; says which module is missing where one is."""

import json
import sys
import time

try:
    import pandas
    from backtesting import Backtest, Strategy
    from backtesting.lib import crossover
except ImportError as error:
    print(json.dumps({"missing": error.name}))
    sys.exit()


def average(values, period):
    return pandas.Series(values).rolling(period).mean()


class Cross(Strategy):
    def init(self):
        self.fast = self.I(average, self.data.Close, 10)
        self.slow = self.I(average, self.data.Close, 20)

    def next(self):
        if crossover(self.fast, self.slow):
            self.buy()
        elif crossover(self.slow, self.fast):
            self.sell()


data = pandas.read_csv(sys.argv[1], index_col=0, parse_dates=True)
data.columns = ["Open", "High", "Low", "Close", "Volume"]
test = Backtest(data, Cross, cash=10_000, commission=0.002, exclusive_orders=True)
rounds = []
for _ in range(7):
    start = time.process_time()
    stats = test.run()
    rounds.append(time.process_time() - start)
rounds.sort()
print(
    json.dumps(
        {
            "seconds": rounds[3],
            "final_equity": float(stats["Equity Final [$]"]),
            "trades": int(stats["# Trades"]),
        }
    )
)
