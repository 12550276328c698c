"""A host with orders: asks the advisor about each, then sends it to its broker or not.

Reads {"stops": bool, "orders": [{"context": object, "rows": object | null}]} from stdin. A host that stops sends an order
only if its verdict is APPROVE; one that does not sends every order. Prints the verdicts and the orders sent.
"""

import json
import sys
from types import SimpleNamespace

from market_signal_advisory import MarketSignalAdvisory
from src.live.advisory import Verdict


def advisor_of(rows):
    return MarketSignalAdvisory() if rows is None else MarketSignalAdvisory(lambda context: rows)


given = json.load(sys.stdin)
results = []
sent = []
for order in given["orders"]:
    context = SimpleNamespace(**order["context"])
    result = advisor_of(order["rows"]).review(context)
    results.append({**result._asdict(), "verdict": result.verdict.name})
    if result.verdict is Verdict.APPROVE or not given["stops"]:
        sent.append(context.notional_usd)
print(json.dumps({"results": results, "sent": sent}))
